package assistant

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFrozenSets judges the assistant by what it says, and by what comes of it. The floors are what it
// reached when they were last raised; a figure below its floor is a step back.
func TestFrozenSets(t *testing.T) {
	floors := map[string]map[string]float64{
		"frozen/sentences.txt": {
			"answer": 0.95, "unknown": 0.92, "out": 0.88, "crisis": 1, "medical": 1, "urgency": 1, "friend": 0.96, "english": 1, "several": 0.85, "followup": 0.96,
		},
		"frozen/dialogues.txt": {"dialogue": 0.92, "commitment": 0.97},
		"frozen/times.txt":     {"time": 1},
		"frozen/contacts.txt":  {"person": 1},
		"fresh/sentences.txt":  {"answer": 0.90, "unknown": 0.87, "out": 0.85, "several": 0.90},
		"second/sentences.txt": {"answer": 0.85, "unknown": 0.95, "out": 0.70},
		"third/sentences.txt":  {"answer": 0.97, "unknown": 1, "out": 0.80},
		"fresh/dialogues.txt":  {"dialogue": 0.80, "commitment": 0.95},
		"tenth/sentences.txt": {
			"answer": 0.76, "unknown": 0.88, "out": 0.66, "crisis": 0.95, "medical": 0.77, "urgency": 0.56, "friend": 0.86, "english": 0.86, "several": 0.30, "followup": 0.85,
		},
		// Written beside what they judge: they keep it from falling.
		"english/sentences.txt": {"english": 0.92, "several": 1, "answer": 1},
		"english/dialogues.txt": {"dialogue": 1, "commitment": 1},
	}
	trained, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	for name, least := range floors {
		t.Run(name, func(t *testing.T) {
			figures, err := measureFrozen(t.Context(), filepath.Join("../../../adapters/assistant/testdata", name), trained)
			if err != nil {
				t.Fatal(err)
			}
			var printed strings.Builder
			if err := figures.Print(&printed, os.Getenv("MISSED") != ""); err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + printed.String())
			for kind, floor := range least {
				if got := figures.Of(kind); got.Of == 0 || got.Rate() < floor {
					t.Errorf("%s: %d of %d is below %.2f", kind, got.Right, got.Of, floor)
				}
			}
		})
	}
}

// TestTheStrangersSetsAreFrozen: the README of each holds the sum of what its authors wrote.
func TestTheStrangersSetsAreFrozen(t *testing.T) {
	for _, set := range []string{"fourth", "tenth"} {
		folder := filepath.Join("../../../adapters/assistant/testdata", set)
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		sum, told := sha256.New(), ""
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if f.Name() == "README.md" {
				told = string(text)
				continue
			}
			sum.Write(text)
		}
		if want := hex.EncodeToString(sum.Sum(nil)); !strings.Contains(told, want) {
			t.Errorf("%s/README.md has another sum than %s: its sentences are frozen", set, want)
		}
	}
}

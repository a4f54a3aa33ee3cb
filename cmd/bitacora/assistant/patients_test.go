package assistant

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"bitacora/adapters/assistant/patienttest"
	"bitacora/adapters/engines/enginestest"
)

// fewestServed is the share of patients who have to get what they came for, and printedPatients how
// many of the others are printed.
const (
	fewestServed    = 0.95
	printedPatients = 3
)

// TestPatients lets some patients talk with the chat until they have what they came for. Nothing may be
// stored that they did not agree to. PATIENT=seed shows one of them.
func TestPatients(t *testing.T) { comeToTheChat(t, 4) }

func TestEveryPatient(t *testing.T) {
	enginestest.Long(t)
	comeToTheChat(t, 1)
}

// comeToTheChat lets one of so many patients talk.
func comeToTheChat(t *testing.T, of uint64) {
	t.Helper()
	for name, drawn := range map[string]struct {
		phrases patienttest.Phrases
		// seeds are those from first on.
		first, seeds uint64
		// wrong is how much may be stored that nobody agreed to: of the unseen phrases what it was when
		// they were first said, a name made of misspelt words.
		wrong int
	}{
		"common": {patienttest.Common(), 0, 700, 0},
		"unseen": {patienttest.Unseen(), 1000, 300, 1},
	} {
		t.Run(name, func(t *testing.T) { talkWithPatients(t, drawn.phrases, drawn.first, drawn.seeds/of, drawn.wrong) })
	}
}

func talkWithPatients(t *testing.T, phrases patienttest.Phrases, first, seeds uint64, mayBeWrong int) {
	trained, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	talk := func(seed uint64) patienttest.Outcome {
		out, err := patienttest.Talk(t.Context(), seed, phrases, StageOf(trained)(patienttest.Moment(seed, trained.Clinic.Zone)))
		if err != nil {
			t.Fatalf("patient %d: %v", seed, err)
		}
		return out
	}
	if shown := os.Getenv("PATIENT"); shown != "" {
		seed, err := strconv.ParseUint(shown, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		out := talk(seed)
		t.Logf("%s\nmissed: %s\nwrong: %q", out.Transcript, out.Missed, out.Wrong)
		return
	}
	of, reached, wrong, printed := map[string]int{}, map[string]int{}, 0, 0
	for seed := first; seed < first+seeds; seed++ {
		out := talk(seed)
		of[out.Goal]++
		if out.Missed == "" {
			reached[out.Goal]++
		}
		wrong += len(out.Wrong)
		if out.Missed == "" && len(out.Wrong) == 0 {
			continue
		}
		t.Logf("patient %d, %s: missed %q, wrong %q", seed, out.Goal, out.Missed, out.Wrong)
		if printed++; printed <= printedPatients {
			t.Log(out.Transcript)
		}
	}
	all := 0
	for _, goal := range slices.Sorted(maps.Keys(of)) {
		all += reached[goal]
		t.Logf("%-20s %4d of %4d", goal, reached[goal], of[goal])
	}
	t.Logf("%-20s %4d of %4d, %d commitments without a word for them", "all", all, seeds, wrong)
	if float64(all) < fewestServed*float64(seeds) || wrong > mayBeWrong {
		t.Errorf("%d of %d patients got what they came for, %d commitments without a word for them", all, seeds, wrong)
	}
}

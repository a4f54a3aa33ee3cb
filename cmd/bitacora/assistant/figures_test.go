package assistant

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write adapters/assistant/FIGURES.md anew")

// TestFigures holds the page to what is measured; the day is that on which it was written.
func TestFigures(t *testing.T) {
	const page = "../../../adapters/assistant/FIGURES.md"
	kept, err := os.ReadFile(page)
	if err != nil && !*update {
		t.Fatal(err)
	}
	day := time.Now()
	if _, rest, found := strings.Cut(string(kept), measuredOn); found && !*update {
		written, _, _ := strings.Cut(rest, ".")
		if day, err = time.Parse(time.DateOnly, written); err != nil {
			t.Fatal(err)
		}
	}
	var sets []string
	for _, folder := range []string{"frozen", "fresh", "tenth"} {
		names, err := filepath.Glob(filepath.Join("../../../adapters/assistant/testdata", folder, "*.txt"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no sets, %v", folder, err)
		}
		sets = append(sets, names...)
	}
	trained, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if err := printPage(t.Context(), &printed, sets, trained, day); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, printed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(kept, printed.Bytes()) {
		t.Error("adapters/assistant/FIGURES.md is not of this program: go test ./cmd/bitacora/assistant -run TestFigures -update")
	}
}

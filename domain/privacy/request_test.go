package privacy

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// requestCorpus gives the kept sentences and what each asks for.
func requestCorpus(t *testing.T, file string) (sentences []string, want [][]Request) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		kinds, sentence, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("%s: %q has no kind", file, line)
		}
		var asked []Request
		for kind := range strings.SplitSeq(kinds, ",") {
			if kind != "none" {
				asked = append(asked, Request(kind))
			}
		}
		sentences, want = append(sentences, sentence), append(want, asked)
	}
	return sentences, want
}

func TestRequestsAreRead(t *testing.T) {
	sentences, want := requestCorpus(t, "testdata/requests.txt")
	for i, sentence := range sentences {
		if got := ReadRequests(sentence); !slices.Equal(got, want[i]) {
			t.Errorf("%q: %v, want %v", sentence, got, want[i])
		}
	}
}

// FuzzReadRequests: whatever is written is read without harm, and again in the same way.
func FuzzReadRequests(f *testing.F) {
	f.Add("borren mis datos")
	f.Add("¿¡?.,;\n\xff")
	f.Add("q q q x x d d , , ?")
	f.Fuzz(func(t *testing.T, text string) {
		if got := ReadRequests(text); !slices.Equal(got, ReadRequests(text)) || len(got) > len(Requests) {
			t.Errorf("%q: %v", text, got)
		}
	})
}

func BenchmarkReadRequests(b *testing.B) {
	text := strings.Repeat("Buenas, quisiera saber cuánto cuesta una limpieza y si tienen espacio el sábado. ", 60)
	for b.Loop() {
		ReadRequests(text)
	}
}

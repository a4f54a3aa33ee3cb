package assistant

import (
	"context"
	"crypto/sha256"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// turns are what the benchmark's visitors say: the training sentences, in turn.
func turns(b *testing.B) []meaning.Sentence {
	b.Helper()
	list, err := meaning.ReadSentences(ownData(), nil, words.Spanish)
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// BenchmarkTurn is one turn: understand and reply, with the 99th percentile.
func BenchmarkTurn(b *testing.B) {
	a, list := newTestAssistant(b), turns(b)
	ctx := context.Background()
	var took []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		turn(b, ctx, a, list[i%len(list)].Text)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

func turn(b *testing.B, ctx context.Context, a *Assistant, text string) {
	q := chat.Question{Text: text, At: saturday}
	var err error
	if q.Understood, err = a.Understand(ctx, q); err != nil {
		b.Fatal(err)
	}
	if _, err := a.Reply(ctx, q); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkHundredThousandTurns reports how much memory the process gained by them, after
// the first ten thousand.
func BenchmarkHundredThousandTurns(b *testing.B) {
	a, list := newTestAssistant(b), turns(b)
	ctx := context.Background()
	most := 100_000
	if testing.Short() {
		most /= 100
	}
	for b.Loop() {
		var before int
		for i := range most {
			if i == most/10 {
				before = residentKB(b)
			}
			turn(b, ctx, a, list[i%len(list)].Text)
		}
		b.ReportMetric(float64(residentKB(b)-before)/1024, "RSS-growth-MB")
		b.ReportMetric(float64(residentKB(b))/1024, "RSS-MB")
	}
}

func residentKB(b *testing.B) int {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkStart is what a start costs: reading what was learned, and the clinic's content.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if _, err := readLearned(learnedFile); err != nil {
			b.Fatal(err)
		}
		if _, err := newEmbedded(clinic.Default(), ownData()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLearning is what a start costs where files replace those of the program.
func BenchmarkLearning(b *testing.B) {
	if testing.Short() {
		b.Skip("TestWhatWasLearnedIsUpToDate learns")
	}
	for b.Loop() {
		if _, err := learn(ownData(), [sha256.Size]byte{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKnowing is what it costs to know content that was edited: an answer is added, and
// another one is other than it was.
func BenchmarkKnowing(b *testing.B) {
	a := newTestAssistant(b)
	k := ownKnowledge(clinic.Default())
	k.Answers = append(slices.Clone(k.Answers), clinic.Answer{Slug: "nueva", Topic: "general", Questions: []string{"¿Tienen cafetera?"}, Text: "Sí, hay café."})
	k.Answers[0].Questions = append(slices.Clone(k.Answers[0].Questions), "¿y eso cómo es?")
	for b.Loop() {
		if _, err := a.Knowing(k); err != nil {
			b.Fatal(err)
		}
	}
}

package postgres_test

import (
	"sync"
	"testing"
)

// What processes count at the same time adds up, each day for itself.
func TestProviderUsageAddsUp(t *testing.T) {
	_, db := fresh(t)
	var counting sync.WaitGroup
	for range 20 {
		counting.Go(func() {
			if err := db.ProviderUsage().Add(t.Context(), "2026-11-22", 100, 7); err != nil {
				t.Error(err)
			}
		})
	}
	counting.Wait()
	if err := db.ProviderUsage().Add(t.Context(), "2026-11-23", 5, 1); err != nil {
		t.Fatal(err)
	}
	for day, want := range map[string][2]int{"2026-11-22": {2000, 140}, "2026-11-23": {5, 1}, "2026-11-24": {0, 0}} {
		in, out, err := db.ProviderUsage().Used(t.Context(), day)
		if err != nil || [2]int{in, out} != want {
			t.Errorf("%s: %d, %d, %v; want %v", day, in, out, err, want)
		}
	}
}

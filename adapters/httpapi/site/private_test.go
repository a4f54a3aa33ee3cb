package site

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"
)

// TestEveryPageOfTheStaffIsServed compares the pages with those that the webapp has texts for.
func TestEveryPageOfTheStaffIsServed(t *testing.T) {
	text, err := os.ReadFile("../../../webapp/src/content/staff-pages.json")
	if err != nil {
		t.Fatal(err)
	}
	var pages map[string]any
	if err := json.Unmarshal(text, &pages); err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(pages))
	if got := slices.Sorted(slices.Values(privatePages)); !slices.Equal(got, want) {
		t.Errorf("served %q, the webapp has %q", got, want)
	}
}

package site

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEveryPageOfTheStaffIsServed compares the pages with those that the webapp has texts for.
func TestEveryPageOfTheStaffIsServed(t *testing.T) {
	text, err := os.ReadFile("../../../webapp/src/content/pages/meta.json")
	if err != nil {
		t.Fatal(err)
	}
	var pages map[string]any
	if err := json.Unmarshal(text, &pages); err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(pages))
	want = slices.DeleteFunc(want, func(path string) bool { return path != "/login" && !strings.HasPrefix(path, "/dashboard") })
	if got := slices.Sorted(slices.Values(privatePages)); !slices.Equal(got, want) {
		t.Errorf("served %q, the webapp has %q", got, want)
	}
}

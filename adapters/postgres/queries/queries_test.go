package queries

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestEveryQueryIsThereAndCalled: a name without a text would fail only where the program first asks for it.
func TestEveryQueryIsThereAndCalled(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../*.go", "../logdump/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	calls, quoted := regexp.MustCompile(`\b(?:query|queries\.Named)\("(\w+)"\)`), regexp.MustCompile(`"(\w+)"`)
	var used []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range calls.FindAllStringSubmatch(string(text), -1) {
			if named()[call[1]] == "" {
				t.Errorf("%s: no query is named %s", file, call[1])
			}
		}
		for _, name := range quoted.FindAllStringSubmatch(string(text), -1) {
			used = append(used, name[1])
		}
	}
	for name := range named() {
		if !slices.Contains(used, name) {
			t.Errorf("nothing calls the query %s", name)
		}
	}
}

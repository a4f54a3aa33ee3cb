package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	documents = []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "schema/OPERATIONS.md", "schema/PRODUCTION.md", "schema/MEASUREMENTS.md"}

	quoted    = regexp.MustCompile("`([^`\n]+)`")
	linked    = regexp.MustCompile(`\]\(([^)#:]+)\)`)
	topFolder = regexp.MustCompile(`^(cmd|domain|projections|adapters|schema|webapp)(/|$)`)
	npmTask   = regexp.MustCompile(`npm run ([a-z0-9]+)`)
	namedTest = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`)
	// standIn is what the recipes write for a name that whoever follows them chooses.
	standIn = regexp.MustCompile(`TYPE|TABLE|NUMBER|NAME`)
)

// TestDocumentsNameWhatExists finds folders, files, tasks and tests that a page names and nobody has.
func TestDocumentsNameWhatExists(t *testing.T) {
	root := filepath.Join("..", "..")
	tests := everyTest(t, root)
	made := madeByARun(t, root)
	var tasks struct{ Scripts map[string]string }
	if text, err := os.ReadFile(filepath.Join(root, "package.json")); err != nil || json.Unmarshal(text, &tasks) != nil {
		t.Fatalf("read package.json: %v", err)
	}
	for _, document := range documents {
		text, err := os.ReadFile(filepath.Join(root, document))
		if err != nil {
			t.Error(err)
			continue
		}
		paths := map[string]bool{}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			if path, _, _ := strings.Cut(m[1], " "); topFolder.MatchString(path) && !strings.ContainsAny(path, "…<") {
				paths[path] = true
			}
		}
		for _, m := range linked.FindAllStringSubmatch(string(text), -1) {
			paths[filepath.Join(filepath.Dir(document), m[1])] = true
		}
		for path := range paths {
			found, err := filepath.Glob(filepath.Join(root, standIn.ReplaceAllString(path, "*")))
			if err != nil || len(found) == 0 && !made.MatchString(path) {
				t.Errorf("%s names %s, which does not exist", document, path)
			}
		}
		for _, m := range npmTask.FindAllStringSubmatch(string(text), -1) {
			if tasks.Scripts[m[1]] == "" {
				t.Errorf("%s names npm run %s, which does not exist", document, m[1])
			}
		}
		for _, name := range namedTest.FindAllString(string(text), -1) {
			if !tests[name] {
				t.Errorf("%s names %s, which does not exist", document, name)
			}
		}
	}
}

// madeByARun matches what .gitignore declares: a fresh clone does not have it yet, and pages may say where it will lie.
func madeByARun(t *testing.T, root string) *regexp.Regexp {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for line := range strings.Lines(string(text)) {
		if path := strings.Trim(line, "/\n"); path != "" {
			paths = append(paths, regexp.QuoteMeta(path))
		}
	}
	return regexp.MustCompile(`^(` + strings.Join(paths, "|") + `)(/|$)`)
}

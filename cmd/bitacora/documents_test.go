package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/settings"
)

const root = "../.."

var (
	quoted    = regexp.MustCompile("`([^`\n]+)`")
	linked    = regexp.MustCompile(`\]\(([^):\s#]*)(?:#([^)\s]+))?\)`)
	topFolder = regexp.MustCompile(`^(cmd|domain|projections|adapters|schema|webapp)(/|$)`)
	npmTask   = regexp.MustCompile("npm (?:run ([a-z0-9]+)|(start|test))")
	namedTest = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`)
	// named are settings, called are commands as somebody types them, in the text or in a block.
	named  = regexp.MustCompile(`\bBITACORA_[A-Z_]*[A-Z]\b`)
	called = regexp.MustCompile(`\bbitacora ([a-z][^\n#|&;]*)`)
	// asCode is what stands in a page as code.
	asCode = regexp.MustCompile("(?ms)^```[a-z]*\n.*?^```|^ {4}[^\n]*|`[^`\n]+`")
	// standIn is what the recipes write for a name that whoever follows them chooses.
	standIn = regexp.MustCompile(`TYPE|TABLE|NUMBER|NAME`)

	heading     = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// documents are the pages about the program, by where they lie. The clinic's content is none of them.
func documents(t *testing.T) map[string]string {
	t.Helper()
	pages, made := map[string]string{}, madeByARun(t)
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (made.MatchString(path) || slices.Contains([]string{".git", "content", "testdata"}, e.Name())):
			return fs.SkipDir
		case filepath.Ext(path) == ".md":
			text, err := os.ReadFile(filepath.Join(root, path))
			pages[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// place is the folder that a page's links start from: that of the archive is its first page.
func place(page string) string {
	if page == "schema/production/README.md" {
		return "."
	}
	return filepath.Dir(page)
}

// TestDocumentsNameWhatExists finds folders, files, sections, tasks, tests, settings and commands that a page
// names and nobody has.
func TestDocumentsNameWhatExists(t *testing.T) {
	tests, made, scripts := everyTest(t, root), madeByARun(t), npmScripts(t)
	pages := documents(t)
	commands := newRoot()
	commands.InitDefaultCompletionCmd("bash")
	for page, text := range pages {
		missing := func(what string) { t.Errorf("%s names %s, which does not exist", page, what) }
		paths := map[string]bool{}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			if path, _, _ := strings.Cut(m[1], " "); topFolder.MatchString(path) && !strings.ContainsAny(path, "…<") {
				paths[path] = true
			}
		}
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(place(page), m[1])
				paths[to] = true
			}
			if m[2] != "" && !slices.Contains(anchors(pages[to]), m[2]) {
				missing(to + "#" + m[2])
			}
		}
		for path := range paths {
			found, err := filepath.Glob(filepath.Join(root, standIn.ReplaceAllString(path, "*")))
			if err != nil || len(found) == 0 && !made.MatchString(path) {
				missing(path)
			}
		}
		for _, m := range npmTask.FindAllStringSubmatch(text, -1) {
			if scripts[m[1]+m[2]] == "" {
				missing(m[0])
			}
		}
		for _, name := range namedTest.FindAllString(text, -1) {
			if !tests[name] {
				missing(name)
			}
		}
		for _, name := range named.FindAllString(text, -1) {
			if !isSetting(name) {
				missing(name)
			}
		}
		for _, code := range asCode.FindAllString(text, -1) {
			for _, m := range called.FindAllStringSubmatch(strings.Trim(code, "`"), -1) {
				if err := callable(commands, strings.Fields(m[1])); err != nil {
					missing(fmt.Sprintf("bitacora %s (%v)", strings.TrimSpace(m[1]), err))
				}
			}
		}
	}
}

// anchors are what a link to a section of a page ends with.
func anchors(page string) (list []string) {
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		list = append(list, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

func isSetting(name string) bool {
	if _, is := settings.Find(name); is || name == settings.ConfigVariable || slices.Contains(settings.OfTheTasks, name) {
		return true
	}
	s, is := settings.Find(strings.TrimSuffix(name, settings.FromFile))
	return is && s.Secret
}

// callable says why nothing can be called so. What has been left out of the arguments is no mistake.
func callable(root *cobra.Command, args []string) error {
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	c.InitDefaultHelpFlag()
	for i, arg := range rest {
		flag, is := strings.CutPrefix(arg, "--")
		flag, _, _ = strings.Cut(flag, "=")
		if is && c.Flag(flag) == nil {
			return fmt.Errorf("no flag --%s", flag)
		}
		if i == 0 && !is && c.HasSubCommands() {
			return c.Args(c, rest[:1])
		}
	}
	return nil
}

// TestTheReadmesLeadEverywhere holds their maps, and the list of tasks, against what there is.
func TestTheReadmesLeadEverywhere(t *testing.T) {
	pages := documents(t)
	readme := pages["README.md"]
	// How the folders below one are written.
	written := map[string]string{"schema": "schema/%s", "webapp/src": "`src/%s`", "webapp/src/dashboard": "`%s`"}
	for _, layer := range layers {
		written[layer] = layer + "/%s"
	}
	for folder, as := range written {
		page := readme
		if layer, _ := layerOf(folder); layer == "webapp" {
			page = pages["webapp/README.md"]
		}
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			ofTests := e.Name() == "testdata" || strings.HasSuffix(e.Name(), "test")
			if e.IsDir() && !ofTests && !strings.Contains(page, fmt.Sprintf(as, e.Name())) {
				t.Errorf("no map says what is in %s/%s", folder, e.Name())
			}
		}
	}
	for name := range npmScripts(t) {
		if !strings.Contains(readme, "`npm run "+name) && !strings.Contains(readme, "`npm "+name+"`") {
			t.Errorf("README.md does not tell of the task %s", name)
		}
	}
}

// released is what a release has: where from, by where to.
type released map[string]string

func archived(t *testing.T) released {
	t.Helper()
	task, err := os.ReadFile("../tasks/release.mjs")
	if err != nil {
		t.Fatal(err)
	}
	held := released{}
	for _, m := range regexp.MustCompile(`\["([^"]+)", "([^"]+)"\]`).FindAllStringSubmatch(string(task), -1) {
		held[m[2]] = m[1]
	}
	return held
}

// has says whether the archive holds a file, or a folder that it is in.
func (r released) has(path string) bool {
	for ; path != "." && path != "/"; path = filepath.Dir(path) {
		if r[path] != "" {
			return true
		}
	}
	return false
}

// TestPagesOfTheArchiveLeadToItsFiles: whoever has the archive has no checkout to look into.
func TestPagesOfTheArchiveLeadToItsFiles(t *testing.T) {
	held := archived(t)
	pages := documents(t)
	for to, from := range held {
		for _, m := range linked.FindAllStringSubmatch(pages[from], -1) {
			if path := filepath.Join(filepath.Dir(to), m[1]); m[1] != "" && !held.has(path) {
				t.Errorf("%s leads to %s, which the archive does not hold", to, path)
			}
		}
	}
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		for _, page := range regexp.MustCompile(`\bschema/[\w/]+\.md\b`).FindAllString(string(text), -1) {
			if !held.has(page) {
				t.Errorf("%s sends people to %s, which the archive does not hold", file, page)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func npmScripts(t *testing.T) map[string]string {
	t.Helper()
	var tasks struct{ Scripts map[string]string }
	if text, err := os.ReadFile(filepath.Join(root, "package.json")); err != nil || json.Unmarshal(text, &tasks) != nil {
		t.Fatalf("read package.json: %v", err)
	}
	return tasks.Scripts
}

// madeByARun matches what .gitignore declares: a fresh clone does not have it yet, and pages may say where it will lie.
func madeByARun(t *testing.T) *regexp.Regexp {
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

// Package privacytest holds a corpus of what people write, with what is personal in it marked, and
// measures how much of that somebody could still read behind a door that promises to mask it.
package privacytest

import (
	"embed"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

//go:embed corpus
var files embed.FS

// Sample is a message in which what is personal is marked.
type Sample struct {
	Text     string
	Personal []Span
}

// Span is something personal: its kind ("phone", "email", "document", "name", "address", "birth") and its bytes.
type Span struct {
	Kind     string
	From, To int
}

var marks = regexp.MustCompile(`\{(phone|email|document|name|address|birth) ([^}]*)\}`)

// Corpus reads all samples, in a fixed order; contacts.txt tells their notation.
func Corpus(t testing.TB) (all []Sample) {
	t.Helper()
	names, err := fs.Glob(files, "corpus/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			line = strings.TrimSuffix(line, "\n")
			message, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			all = append(all, read(message))
		}
	}
	return all
}

func read(message string) Sample {
	var s Sample
	var b strings.Builder
	last := 0
	for _, at := range marks.FindAllStringSubmatchIndex(message, -1) {
		b.WriteString(message[last:at[0]])
		from := b.Len()
		b.WriteString(message[at[4]:at[5]])
		s.Personal = append(s.Personal, Span{message[at[2]:at[3]], from, b.Len()})
		last = at[1]
	}
	b.WriteString(message[last:])
	s.Text = b.String()
	return s
}

// Cleaned is a sample as somebody stores it who cleans texts, without their ends' spaces; clean
// treats each character by itself.
func (s Sample) Cleaned(t testing.TB, clean func(string) string) Sample {
	t.Helper()
	part := func(from, to int) string {
		return strings.TrimSuffix(strings.TrimPrefix(clean("|"+s.Text[from:to]+"|"), "|"), "|")
	}
	var cleaned Sample
	last := 0
	for _, p := range s.Personal {
		cleaned.Text += part(last, p.From)
		from := len(cleaned.Text)
		cleaned.Text += part(p.From, p.To)
		cleaned.Personal = append(cleaned.Personal, Span{p.Kind, from, len(cleaned.Text)})
		last = p.To
	}
	cleaned.Text += part(last, len(s.Text))
	trimmed := strings.TrimSpace(cleaned.Text)
	shift := strings.Index(cleaned.Text, trimmed)
	for i := range cleaned.Personal {
		p := &cleaned.Personal[i]
		p.From, p.To = min(max(p.From-shift, 0), len(trimmed)), min(max(p.To-shift, 0), len(trimmed))
	}
	cleaned.Text = trimmed
	if want := clean(s.Text); cleaned.Text != want {
		t.Fatalf("%q is cleaned to %q, and in parts to %q", s.Text, want, cleaned.Text)
	}
	return cleaned
}

package archive

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// FuzzRead: every line of a file is a conversation or refused, its mistake quotes nothing that a
// person wrote, and a conversation that is written anew is the same one.
func FuzzRead(f *testing.F) {
	sample, err := os.ReadFile("testdata/chats.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(sample[:min(len(sample), 8000)]) {
		f.Add(line)
	}
	f.Add([]byte("\ufeff{}\r\n\n[]\n{\"id\": 1}"))
	f.Add([]byte(`{"id":"a","messages":[{"role":"user","text":"hola\u0000\r\n","at":"2026-11-03T17:00:00.0009Z"}],"lead":{"at":"2026-11-03T17:00:00Z","phone":"6123-4567","consent":true}}`))
	f.Add([]byte(`{"id":"a","messages":[{"role":"ssssecreto","text":"hola","at":"ssssecreto"}],"lead":{"phone":"ssssecreto"}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		number := 0
		for line, err := range Read(bytes.NewReader(file), plan) {
			if err != nil {
				t.Fatalf("read: %v", err)
			}
			if line.Number <= number || (line.Bad == nil) == (line.Past.Key == "") {
				t.Errorf("line %+v after %d", line, number)
			}
			if number = line.Number; line.Bad != nil && strings.Contains(line.Bad.Error(), "ssssecreto") {
				t.Errorf("quoted: %v", line.Bad)
			}
		}
		var c conversation
		if json.Unmarshal(file, &c) != nil || c.normalise(plan) != nil {
			return
		}
		hash, err := c.hash()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parse(text, plan); err != nil || again.ContentHash != hash {
			t.Errorf("%s is another conversation: %v", text, err)
		}
	})
}

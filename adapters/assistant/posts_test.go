package assistant

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/clinic"
)

const site = "https://clinica.example"

func withPosts(t *testing.T) *Assistant {
	t.Helper()
	content := clinic.DefaultContent()
	a, err := newTestAssistant(t).Knowing(Knowledge{Clinic: clinic.Default(), Posts: content.Posts, Answers: content.Answers, SiteURL: site})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Hardly anything that has nothing to do with the clinic finds a post.
func TestPostsKeepOutOfOtherMatters(t *testing.T) {
	a := withPosts(t)
	file, err := os.Open("testdata/eval/intents.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	asked, answered := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct{ Text, Intent string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		reply := ask(t, a, c.Text, saturday)
		from := len(reply.Sources) > 0 && strings.HasPrefix(reply.Sources[0], "post/")
		if from && !slices.Contains([]string{"servicio", "cuidados", "otro"}, c.Intent) {
			t.Logf("%s (%s): %s", c.Text, c.Intent, reply.Text)
		}
		if c.Intent == "otro" {
			asked++
			if from {
				answered++
			}
		}
	}
	scope, err := os.Open("testdata/eval/scope.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer scope.Close()
	for lines := bufio.NewScanner(scope); lines.Scan(); {
		var c struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		asked++
		if reply := ask(t, a, c.Text, saturday); len(reply.Sources) > 0 && strings.HasPrefix(reply.Sources[0], "post/") {
			answered++
			t.Logf("%s: %s", c.Text, reply.Text)
		}
	}
	if asked < 100 || answered*20 > asked {
		t.Errorf("%d of %d questions about other matters were answered from the blog", answered, asked)
	}
}

func TestTheBlogTellsNoPrices(t *testing.T) {
	reply := ask(t, withPosts(t), "¿cuánto cuesta un blanqueamiento y a qué hora abren mañana?", saturday)
	if strings.Contains(reply.Text, "/blog/") {
		t.Errorf("%s", reply.Text)
	}
}

func TestNoPostsNoBlog(t *testing.T) {
	if reply := ask(t, newTestAssistant(t), "¿cada cuánto hay que cambiar el cepillo de dientes?", saturday); strings.Contains(reply.Text, "/blog/") {
		t.Errorf("%s", reply.Text)
	}
}

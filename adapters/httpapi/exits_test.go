package httpapi

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/chat"
	"bitacora/domain/privacy/privacytest"
)

// TestTheCorpusBehindTheDashboard says every line of the corpus in the chat, and reads it in the files
// that the dashboard gives. The file of the contacts is the one that holds contacts: those that
// somebody left, and nothing of what was said. Nothing of any line is in the program's log, which
// tells all that it can.
func TestTheCorpusBehindTheDashboard(t *testing.T) {
	enginestest.Long(t)
	h := newTestServer(t)
	visitor := h.browser()
	var samples []privacytest.Sample
	index := map[string]int{}
	for i, s := range privacytest.Corpus(t) {
		samples = append(samples, s.Cleaned(t, chat.CleanText))
		session := fmt.Sprint("visitante-", i)
		index[chat.ConversationID("web", session)] = i
		if a := visitor.say(session, s.Text); a.Code != http.StatusOK {
			t.Fatalf("%q: %d %s", s.Text, a.Code, a.Body)
		}
		delete(visitor.cookies, chatCookie) // another visitor comes
	}
	h.leaves("quien deja su número", "6999-0011")
	h.project()
	b := h.staff()
	for name, read := range map[string]func(file []byte) [][2]string{
		"csv": func(file []byte) (told [][2]string) {
			page, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff")))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range page[1:] {
				told = append(told, [2]string{row[0], row[5]})
			}
			return told
		},
		"jsonl": func(file []byte) (told [][2]string) {
			for line := range bytes.Lines(file) {
				var row struct{ ConversationID, Message string }
				if err := json.Unmarshal(line, &row); err != nil {
					t.Fatal(err)
				}
				told = append(told, [2]string{row.ConversationID, row.Message})
			}
			return told
		},
		"parquet": func(file []byte) (told [][2]string) {
			for _, row := range readParquet[parquetText](t, file) {
				told = append(told, [2]string{row.ID, row.Text})
			}
			return told
		},
	} {
		t.Run(name, func(t *testing.T) {
			said, repeated := make([]string, len(samples)), make([]string, len(samples))
			for _, one := range read(b.get("/api/dashboard/export?rows=messages&format=" + name).Body.Bytes()) {
				i, ok := index[one[0]]
				if !ok {
					continue
				}
				if reply, ok := strings.CutPrefix(one[1], "Usted dijo: "); ok {
					repeated[i] = reply
					continue
				}
				said[i] = one[1]
				if name == "csv" && said[i] != "" && said[i][0] == '\'' && !strings.HasPrefix(samples[i].Text, "'") {
					said[i] = said[i][1:] // no cell is a formula
				}
			}
			t.Run("what visitors said", func(t *testing.T) { privacytest.MustMask(t, samples, said) })
			t.Run("what was repeated", func(t *testing.T) { privacytest.MustMask(t, samples, repeated) })
		})
	}
	t.Run("contacts", func(t *testing.T) {
		file := b.get("/api/dashboard/contacts/export").Body.String()
		if !strings.Contains(file, "6999-0011") {
			t.Errorf("the contact that was left is missing:\n%s", file)
		}
		privacytest.MustTellNothing(t, samples, file)
	})
	t.Run("log", func(t *testing.T) {
		if !strings.Contains(h.log.String(), `"DEBUG"`) && !strings.Contains(h.log.String(), `"INFO"`) {
			t.Error("the log says nothing")
		}
		privacytest.MustTellNothing(t, samples, h.log.String())
	})
}

type parquetText struct {
	ID   string `parquet:"conversation_id"`
	Text string `parquet:"text"`
}

package crash

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// makeEarlier lets the programs of a directory, those of this checkout if it is empty, make the
// data that an installation of theirs has: conversations that were imported and held, a lead, a booking, a contact message,
// somebody who was erased, texts and an account.
func makeEarlier(t *testing.T, programs string) (e earlier) {
	p := programtest.NewEmbedded(t)
	p.Programs = programs
	p.Start()
	sample := filepath.Join(p.Dir, "chats.jsonl")
	chats := strings.SplitAfterN(pastChats(t), "\n", 4)[:3]
	if err := os.WriteFile(sample, []byte(strings.Join(chats, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	p.MustRun("import", sample)
	editContent(p)
	today := time.Now().In(clinic.Default().Zone)
	e.said.From, e.said.To = today.AddDate(-1, 0, 0).Format(time.DateOnly), today.Format(time.DateOnly)
	say := func(session string, texts ...string) (reply string) {
		for i, text := range texts {
			var answer struct{ Response string }
			if err := p.Post("/api/chatbot", map[string]string{"sessionId": session, "messageId": fmt.Sprint(session, i, len(text)), "message": text}, &answer); err != nil {
				t.Fatal(err)
			}
			reply = answer.Response
		}
		return reply
	}
	say("asks", "Buenas tardes", "¿Cuánto cuesta una limpieza?", "gracias")
	say("leaves", "quiero una cita de ortodoncia", "sí", "Luis Mora", "6911-2222")
	reply := say("books", "quiero una cita de limpieza", "sí", "Marta Ruiz", "6900-1234")
	day := today.AddDate(0, 0, 14)
	for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, 1)
	}
	_, when, _ := strings.Cut(clinic.DayAndTime(time.Date(day.Year(), day.Month(), day.Day(), 10, 0, 0, 0, day.Location())), " ")
	for range 6 {
		switch {
		case strings.Contains(reply, saidBooked):
		case strings.Contains(reply, "¿Confirmo"):
			reply = say("books", "sí")
		case strings.Contains(reply, "¿Cuál prefieres?"):
			reply = say("books", "la primera")
		default:
			reply = say("books", "el "+when)
		}
	}
	if !strings.Contains(reply, saidBooked) {
		t.Fatalf("no appointment was booked: %s", reply)
	}
	var refused *programtest.Refusal
	err := p.Post("/api/contact", map[string]string{"name": "Rosa Vega", "email": "rosa@example.com", "message": "¿Atienden a niños de cuatro años?"}, nil)
	if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusNoContent) {
		t.Fatal(err)
	}
	say("goes", "quiero una cita de ortodoncia", "sí", "Pedro Gil", "6955-6666")
	e.said.Erased = chat.ConversationID("web", "goes")
	url := ownersURL(p)
	eraseAsThen(p, url, e.said.Erased)
	p.MustRun("verify")
	e.said.ask(p, p.SignIn())
	e.copyTables(t, url)
	p.Stop()
	e.copyKeys(t, filepath.Join(p.Dir, "data"))
	return e
}

// editContent leaves one post of the site's, under a title of its own, and one file of answers.
func editContent(p *programtest.Program) {
	p.T.Helper()
	dir := filepath.Join(p.Dir, "content")
	p.MustRun("content", "export", dir)
	var kept string
	for _, folder := range []string{"answers", "posts"} {
		files, err := filepath.Glob(filepath.Join(dir, folder, "*.md"))
		if err != nil || folder == "posts" && len(files) < 2 {
			p.T.Fatalf("%d posts, %v", len(files), err)
		}
		for i, file := range files {
			if i == 0 {
				kept = file
			} else if err := os.Remove(file); err != nil {
				p.T.Fatal(err)
			}
		}
	}
	text, err := os.ReadFile(kept)
	if err != nil {
		p.T.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^title: .*$`).ReplaceAll(text, []byte("title: Lo que la clínica cambió"))
	if err := os.WriteFile(kept, text, 0o600); err != nil {
		p.T.Fatal(err)
	}
	p.MustRun("content", "import", dir)
	p.Eventually("the site shows it", time.Minute, func() error {
		var shown []any
		if err := p.Get("/api/blog", "", &shown); err != nil || len(shown) != 1 {
			return fmt.Errorf("%d posts, %v", len(shown), err)
		}
		return nil
	})
}

// ownersURL is that of the embedded Postgres of any version of the program.
func ownersURL(p *programtest.Program) string {
	text, err := os.ReadFile(filepath.Join(p.Dir, "data", "engines.json"))
	if err != nil {
		p.T.Fatal(err)
	}
	var record struct {
		Endpoints struct {
			DatabaseURL  string `json:"database_url"`
			MigrationURL string `json:"migration_url"`
		}
	}
	if err := json.Unmarshal(text, &record); err != nil {
		p.T.Fatal(err)
	}
	return cmp.Or(record.Endpoints.MigrationURL, record.Endpoints.DatabaseURL)
}

// eraseAsThen erases a conversation; programs that had no command for it destroyed its key and no more.
func eraseAsThen(p *programtest.Program, url, conversation string) {
	p.T.Helper()
	out, err := p.Run("", "privacy", "erase", conversation, "--only", "--yes", "--cancel-bookings")
	if err == nil {
		return
	}
	if !strings.Contains(out, "unknown") {
		p.T.Fatalf("%v: %s", err, out)
	}
	conn, err := pgx.Connect(p.T.Context(), url)
	if err != nil {
		p.T.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(p.T.Context()))
	tag, err := conn.Exec(p.T.Context(), "UPDATE subject_keys SET wrapped_key = NULL, destroyed_at = clock_timestamp() WHERE subject = $1", chat.Stream(conversation))
	if err != nil || tag.RowsAffected() != 1 {
		p.T.Fatalf("destroy key: %v, %v", tag, err)
	}
	p.MustRun("rebuild", "--despite-differences")
}

// ask asks a program for what it says of its data, as a member of the staff.
func (s *statement) ask(p *programtest.Program, cookie string) {
	p.T.Helper()
	get := func(path string, into any) {
		p.T.Helper()
		if err := p.Get(path, cookie, into); err != nil {
			p.T.Fatal(err)
		}
	}
	period := "?startDate=" + s.From + "&endDate=" + s.To
	get("/api/dashboard/kpis"+period, &s.KPIs)
	delete(s.KPIs, "dataThrough") // grows with everybody who signs in
	var list []struct{ ID string }
	get("/api/dashboard/conversations"+period, &list)
	s.Texts = map[string][]string{}
	for _, c := range list {
		var messages []struct{ Message string }
		get("/api/dashboard/conversation/"+c.ID+"/messages", &messages)
		for _, m := range messages {
			if m.Message != "" {
				s.Texts[c.ID] = append(s.Texts[c.ID], m.Message)
			}
		}
	}
	var contacts []struct{ Name, Phone, Email string }
	get("/api/dashboard/contacts"+period, &contacts)
	for _, c := range contacts {
		s.Contacts = append(s.Contacts, strings.Join([]string{c.Name, c.Phone, c.Email}, "/"))
	}
	slices.Sort(s.Contacts)
	for _, list := range []string{"/api/blog", "/api/services"} {
		var pages []struct{ Title string }
		get(list, &pages)
		for _, page := range pages {
			s.Pages = append(s.Pages, page.Title)
		}
	}
}

func (e *earlier) copyTables(t testing.TB, url string) {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	rows, err := tx.Query(ctx, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	e.tables = map[string][]byte{}
	for _, name := range names {
		var text bytes.Buffer
		if _, err := conn.PgConn().CopyTo(ctx, &text, "COPY "+name+" TO STDOUT (HEADER)"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e.tables[name] = text.Bytes()
	}
}

// copyKeys takes what a data directory has of keys: a file, or a directory.
func (e *earlier) copyKeys(t testing.TB, dataDir string) {
	t.Helper()
	e.keys = map[string][]byte{}
	files := os.DirFS(dataDir)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || name != "master.key" && !strings.HasPrefix(name, "keys/") {
			return err
		}
		e.keys[name], err = fs.ReadFile(files, name)
		return err
	})
	if err != nil || len(e.keys) == 0 {
		t.Fatalf("%d files of keys, %v", len(e.keys), err)
	}
}

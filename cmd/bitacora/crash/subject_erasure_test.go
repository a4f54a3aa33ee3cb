package crash

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/compress"
	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/uuid"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/mail"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/serve"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/teaching"
)

// told is what of the planted person may stand nowhere, in the ways in which it is kept or shown.
var told = []string{
	"Zoraida", "Quintanar", "6987-4321", "69874321", "6987 4321", "zoraida.quintanar", "8-765-4321", "87654321",
	"periodontitis agresiva", "nueve milimetros", "veterinaria", "Etelvina", "articaina",
}

// TestAnErasedPersonIsNowhere plants somebody, erases them and rotates the keys; and then looks for
// them in every text that ClickHouse gives, in every file of the data directory, packed or not, and
// for their wrapped keys at every place in every file: with all keys that there are, nothing opens.
// The same search before finds what it should, and so it does between erasure and rotation, when
// copies hold the keys still. Everybody else stays readable, and no number changes; and so it is
// where the backup of before comes back with the keys of today.
func TestAnErasedPersonIsNowhere(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewEmbedded(t)
	p.Start()
	x := plant(t, p)
	survivor := x.visitor("otra")
	survivor.say("¿Atienden con sedación a quienes tienen pánico?")
	survivor.say("quiero una cita de limpieza")
	a := p.App()
	p.Applied(a)
	form := x.message(a)
	erased := []string{"conversation/" + x.chat.conversation(), "contact/" + form, x.writtenByStaff(a)}
	survives := "conversation/" + survivor.conversation()
	numbers := x.kpis()

	before := lookFor(t, a, p.Dir, append(erased, survives)...)
	if len(before.columns) == 0 || len(before.files) == 0 || before.keys[erased[0]] == 0 || before.keys[erased[1]] == 0 || before.keys[survives] == 0 {
		t.Fatalf("before, the search does not find what it should: %+v", before)
	}
	for _, who := range []string{plantedPhone, plantedName} {
		if found := p.MustRun("privacy", "find", who); !strings.Contains(found, "answer/aviso/1") || !strings.Contains(found, "skip/1000000") || !strings.Contains(found, form) {
			t.Errorf("by %s, found:\n%s", who, found)
		}
	}
	p.MustRun("backup", "before")
	report := p.MustRun("privacy", "erase", plantedPhone, "--yes")
	for _, want := range []string{x.chat.conversation(), form, "tables without their texts, on the disk too: b1", "provable by: "} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	letter := app.OutboxFolder(a).Path(mail.Letter{ID: "lead-" + x.chat.conversation()})
	if err := os.WriteFile(letter, []byte("as in the folder of another process: Zoraida"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := serve.ForgetErased(t.Context(), a); err != nil {
		t.Error(err)
	}
	between := lookFor(t, a, p.Dir, append(erased, survives)...)
	if between.keys[erased[0]] == 0 {
		t.Error("no copy holds the key of before: the search after the rotation would show nothing")
	}
	between.mustHoldNothing(t, "before the keys are rotated")
	p.MustRun("keys", "rotate")
	mustBeNowhere := func(when string) {
		t.Helper()
		after := lookFor(t, a, p.Dir, append(erased, survives)...)
		after.mustHoldNothing(t, when)
		for _, subject := range erased {
			if after.keys[subject] > 0 {
				t.Errorf("%s, %d wrapped keys of %s can be opened", when, after.keys[subject], subject)
			}
		}
		if after.keys[survives] == 0 {
			t.Errorf("%s, no key of a survivor was found", when)
		}
		if now := x.kpis(); now != numbers {
			t.Errorf("%s, the numbers are %s; they were %s", when, now, numbers)
		}
		if texts := x.read("/api/dashboard/conversation/" + survivor.conversation() + "/messages"); !strings.Contains(texts, "pánico") {
			t.Errorf("%s, a survivor is not readable:\n%s", when, texts)
		}
	}
	mustBeNowhere("after the rotation")
	p.MustRun("rebuild")
	mustBeNowhere("after a rebuild")
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	mustBeNowhere("after a verification")
	for _, who := range []string{plantedPhone, plantedEmail, plantedDocument, plantedName} {
		if out, err := p.Run("", "privacy", "find", who); err == nil || !strings.Contains(out, "nothing is kept") {
			t.Errorf("by %s, found: %v\n%s", who, err, out)
		}
	}
	if out, err := p.Run("", "privacy", "erase", x.chat.conversation(), "--yes"); err != nil || !strings.Contains(out, "erased: "+x.chat.conversation()) {
		t.Errorf("erased again: %v\n%s", err, out)
	}

	q := programtest.NewEmbedded(t)
	if err := os.CopyFS(filepath.Join(programtest.Backups(q), "before"), os.DirFS(filepath.Join(programtest.Backups(p), "before"))); err != nil {
		t.Fatal(err)
	}
	programtest.CopyKeys(t, p, q)
	q.MustRun("restore", "before")
	b := q.App()
	back := lookFor(t, b, q.Dir, append(erased, survives)...)
	back.mustHoldNothing(t, "where the backup is back")
	if back.keys[erased[0]]+back.keys[erased[1]] > 0 || back.keys[survives] == 0 {
		t.Errorf("where the backup is back, these keys can be opened: %v", back.keys)
	}
	live, err := b.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	said, err := b.Tables.Reader(live).Messages(t.Context(), survivor.conversation())
	if err != nil || len(said) == 0 || !strings.Contains(said[0].Text, "pánico") {
		t.Errorf("where the backup is back, a survivor is not readable: %v, %v", said, err)
	}
}

// writtenByStaff has the staff write of the person where the clinic publishes nothing, past what would
// refuse it, and gives the stream of an answer.
func (x *planted) writtenByStaff(a *app.App) (stream string) {
	x.t.Helper()
	public := clinic.Answer{Slug: "aviso", Topic: "clinica", Questions: []string{"¿Hay avisos?"}, Text: "Sí."}
	stream = event.AnswerStream(public.Slug, 1)
	secret := plantedName + ", " + plantedPhone + ", " + plantedDiagnosis
	err := a.DB.Teaching().ChangeAnswer(x.t.Context(), public.Slug, func(content clinic.Content, _ []event.Recorded) (teaching.Change, error) {
		return teaching.Change{Answers: clinic.WithAnswer(content.Answers, public), Append: event.Append{Stream: stream, Drafts: []event.Draft{{
			ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.AnswerTaught{
				Answer: event.Answer(public), Version: 1, By: "s1", Reason: secret,
				Before: &event.Answer{Slug: public.Slug, Topic: public.Topic, Questions: []string{secret}, Text: secret, English: secret},
			},
		}}}}, nil
	})
	if err == nil {
		err = app.RecordIn(x.t.Context(), a, event.SkippedStream(1_000_000), &event.EventSkipped{Position: 1_000_000, Stream: "conversation/x", Reason: secret})
	}
	if err != nil {
		x.t.Fatal(err)
	}
	return stream
}

// message is the id of the message that was sent with the form.
func (x *planted) message(a *app.App) string {
	x.t.Helper()
	events, err := a.DB.Log().Scan(context.Background(), 0, 1<<40, 10_000)
	if err != nil {
		x.t.Fatal(err)
	}
	i := slices.IndexFunc(events, func(e event.Recorded) bool { return e.Payload.EventType() == "ContactMessageReceived" })
	if i < 0 {
		x.t.Fatal("the log has no message of the form")
	}
	return events[i].Payload.(*event.ContactMessageReceived).ContactID
}

// traces is where something of a person was found.
type traces struct {
	// columns are those of ClickHouse, files those below a directory, in which something told
	// stands.
	columns, files []string
	// keys is how many wrapped keys of a subject can be opened.
	keys map[string]int
}

func (s traces) mustHoldNothing(t *testing.T, when string) {
	t.Helper()
	if len(s.columns) > 0 || len(s.files) > 0 {
		t.Errorf("%s, something told stands in %v and in %v", when, s.columns, s.files)
	}
}

// lookFor looks for what the planted person told and for the keys of subjects, in the tables and
// in all files below a directory, with all keys that there are.
func lookFor(t *testing.T, a *app.App, dir string, subjects ...string) traces {
	t.Helper()
	found := traces{keys: map[string]int{}, columns: columnsWith(t, a, told)}
	keys, err := a.Config.Keys().Keys(t.Context())
	if err != nil || len(keys) == 0 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	var openers []cipher.AEAD
	for _, key := range keys {
		block, err := aes.NewCipher(key[:])
		if err != nil {
			t.Fatal(err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			t.Fatal(err)
		}
		openers = append(openers, aead)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) || err == nil && !d.Type().IsRegular() {
			return nil // gone meanwhile, or no file
		}
		content, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if filepath.Base(filepath.Dir(path)) == "pg_wal" {
			content = records(content)
		}
		plain := unpacked(content)
		for _, text := range told {
			if bytes.Contains(content, []byte(text)) || bytes.Contains(plain, []byte(text)) {
				found.files = append(found.files, strings.TrimPrefix(path, dir)+": "+text)
			}
		}
		for _, candidate := range wrapped(content) {
			for _, subject := range subjects {
				for _, opener := range openers {
					if _, err := opener.Open(nil, nil, candidate, []byte(subject)); err == nil {
						found.keys[subject]++
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// mostNeedles is how many texts multiSearchAny looks for at once, in little memory.
const mostNeedles = 255

// columnsWith asks ClickHouse for each text of each table that is not its own, in every part that
// is read: which columns hold something that was told.
func columnsWith(t testing.TB, a *app.App, told []string) (columns []string) {
	t.Helper()
	options, err := clickhouse.ParseDSN(a.At.ClickHouseURL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	rows, err := conn.Query(t.Context(), `SELECT c.database, c.table, c.name FROM system.columns c JOIN system.tables t ON t.database = c.database AND t.name = c.table
		WHERE c.type LIKE '%String%' AND c.database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema') AND t.engine NOT LIKE '%View'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	asked := 0
	for rows.Next() {
		var database, table, column string
		if err := rows.Scan(&database, &table, &column); err != nil {
			t.Fatal(err)
		}
		asked++
		for some := range slices.Chunk(told, mostNeedles) {
			var holds uint64
			err := conn.QueryRow(t.Context(), fmt.Sprintf("SELECT count() FROM `%s`.`%s` WHERE multiSearchAny(toString(`%s`), {told:Array(String)})", database, table, column),
				clickhouse.Named("told", some)).Scan(&holds)
			if err != nil {
				t.Fatal(err)
			}
			if holds > 0 {
				columns = append(columns, database+"."+table+"."+column)
				break
			}
		}
	}
	if err := rows.Err(); err != nil || asked < 10 {
		t.Fatalf("asked of %d columns, %v", asked, err)
	}
	return columns
}

// unpacked is what a file of ClickHouse's columns holds, as far as it is one.
func unpacked(content []byte) []byte {
	var plain bytes.Buffer
	_, _ = io.Copy(&plain, compress.NewReader(bytes.NewReader(content)))
	return plain.Bytes()
}

// wrappedLength is that of a wrapped key: nonce, key and tag.
const wrappedLength = 12 + 32 + 16

// leastDistinct is how many different bytes a wrapped key has at least: of 60 random ones, 53 as a
// rule, and less than 36 once in more than 10^18.
const leastDistinct = 36

// records is a file of the write-ahead log without the headers of its pages, across which a record may lie:
// https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/access/xlog_internal.h
func records(wal []byte) (all []byte) {
	header := 40 // the first page's
	for page := range slices.Chunk(wal, 8192) {
		all = append(all, page[min(header, len(page)):]...)
		header = 24
	}
	return all
}

var inHex = regexp.MustCompile(`[0-9a-f]{120,}`)

// wrapped gives everything in a file that may be a wrapped key: at every place, as it is and as
// digits.
func wrapped(content []byte) (candidates [][]byte) {
	candidates = windows(content)
	for _, run := range inHex.FindAll(content, -1) {
		for shift := range 2 {
			digits := run[shift : len(run)-(len(run)-shift)%2]
			raw := make([]byte, hex.DecodedLen(len(digits)))
			if _, err := hex.Decode(raw, digits); err == nil {
				candidates = append(candidates, windows(raw)...)
			}
		}
	}
	return candidates
}

// windows gives all parts of the length of a wrapped key that are as mixed as one.
func windows(content []byte) (mixed [][]byte) {
	var seen [256]int
	distinct := 0
	for i, b := range content {
		if seen[b]++; seen[b] == 1 {
			distinct++
		}
		if i >= wrappedLength {
			gone := content[i-wrappedLength]
			if seen[gone]--; seen[gone] == 0 {
				distinct--
			}
		}
		if i >= wrappedLength-1 && distinct >= leastDistinct {
			mixed = append(mixed, content[i-wrappedLength+1:i+1])
		}
	}
	return mixed
}

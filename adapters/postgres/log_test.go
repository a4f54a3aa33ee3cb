package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
)

func TestAppendedEventsReadBackTheSame(t *testing.T) {
	_, db := fresh(t)
	log := db.Log()
	first := mustAppend(t, log, request("chat-1", 0, said("hola"), said("me duele una muela")))
	second := mustAppend(t, log, request("chat-2", event.AnyVersion, opened()))
	third := mustAppend(t, log, request("chat-1", 2, said("gracias")))

	all := mustRead(t, log, 0, 10)
	if diff := cmp.Diff(append(append(first, second...), third...), all); diff != "" {
		t.Errorf("read what was appended (-appended +read):\n%s", diff)
	}
	for i, e := range all {
		if e.Position != int64(i+1) {
			t.Errorf("event %d has position %d", i, e.Position)
		}
	}
	stream, err := log.ReadStream(t.Context(), "chat-1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(first, third...), stream); diff != "" {
		t.Errorf("read stream (-appended +read):\n%s", diff)
	}
	if page := mustRead(t, log, 2, 1); len(page) != 1 || page[0].Position != 3 {
		t.Errorf("read one event after 2: got %+v", page)
	}
	if head, err := log.Head(t.Context()); head != 4 || err != nil {
		t.Errorf("head: got %d, %v", head, err)
	}
}

func TestAppendRefusesWhatIsMalformed(t *testing.T) {
	_, db := fresh(t)
	badID, noPayload, again := opened(), opened(), opened()
	badID.ID = "7"
	noPayload.Payload = nil
	for name, a := range map[string]event.Append{
		"no stream":        request("", 0, opened()),
		"no events":        request("chat-1", 0),
		"id not a uuid":    request("chat-1", 0, badID),
		"no payload":       request("chat-1", 0, noPayload),
		"same id twice":    request("chat-1", 0, again, again),
		"stream with NUL":  request("chat\x00", 0, opened()),
		"month of nowhere": {Stream: "chat-1", Drafts: []event.Draft{opened()}, MonthlyLimit: &event.MonthlyLimit{Month: "2026-13"}},
	} {
		if _, err := db.Log().Append(t.Context(), a); err == nil || postgres.Unavailable(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if head, err := db.Log().Head(t.Context()); head != 0 || err != nil {
		t.Errorf("head: got %d, %v", head, err)
	}
}

func TestConflict(t *testing.T) {
	_, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	for _, expected := range []int{0, 2, 7} {
		_, err := db.Log().Append(t.Context(), request("chat-1", expected, said("otra"), said("más")))
		if !errors.Is(err, event.ErrConflict) {
			t.Errorf("expected version %d: got %v", expected, err)
		}
	}
	if head, _ := db.Log().Head(t.Context()); head != 1 {
		t.Errorf("a refused request stored events: head %d", head)
	}
}

func TestOneOfManyWinsAVersion(t *testing.T) {
	_, db := fresh(t)
	var running sync.WaitGroup
	won := make(chan bool, 20)
	for range cap(won) {
		running.Go(func() {
			_, err := db.Log().Append(context.Background(), request("chat-1", 0, said("hola")))
			if err != nil && !errors.Is(err, event.ErrConflict) {
				t.Error(err)
			}
			won <- err == nil
		})
	}
	running.Wait()
	close(won)
	n := 0
	for ok := range won {
		if ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d of %d parallel appends to the same version succeeded", n, cap(won))
	}
}

func TestRepeatedAppendIsAnsweredWithWhatIsStored(t *testing.T) {
	_, db := fresh(t)
	limit := 5
	a := request("chat-1", 0, said("hola"), said("qué tal"))
	a.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11", Limit: &limit}
	first := mustAppend(t, db.Log(), a)
	mustAppend(t, db.Log(), request("chat-1", 2, said("sigo")))

	if diff := cmp.Diff(first, mustAppend(t, db.Log(), a)); diff != "" {
		t.Errorf("repeated append (-first +second):\n%s", diff)
	}
	if taken, err := db.Log().MonthlyCount(t.Context(), "2026-11"); taken != 1 || err != nil {
		t.Errorf("quota taken: got %d, %v", taken, err)
	}
	var running sync.WaitGroup
	b := request("chat-2", 0, said("a la vez"))
	for range 20 {
		running.Go(func() {
			if recorded, err := db.Log().Append(context.Background(), b); err != nil || recorded[0].Position != 4 {
				t.Errorf("parallel repetition: got %+v, %v", recorded, err)
			}
		})
	}
	running.Wait()
}

func TestReusedIDIsRefused(t *testing.T) {
	_, db := fresh(t)
	clear, sealed := opened(), said("hola")
	mustAppend(t, db.Log(), request("chat-1", 0, clear, sealed))

	otherClear, otherText, otherType := clear, sealed, sealed
	otherClear.Payload = &event.TranscriptOpened{StaffID: "s2", ConversationID: "c1"}
	otherText.Payload = said("adiós").Payload
	otherType.Payload = clear.Payload
	for name, a := range map[string]event.Append{
		"clear part":    request("chat-1", event.AnyVersion, otherClear),
		"personal part": request("chat-1", event.AnyVersion, otherText),
		"type":          request("chat-1", event.AnyVersion, otherType),
		"stream":        request("chat-2", event.AnyVersion, clear),
		"a new event":   request("chat-1", event.AnyVersion, clear, opened()),
	} {
		if _, err := db.Log().Append(t.Context(), a); !errors.Is(err, event.ErrIDReused) {
			t.Errorf("same id with another %s: got %v", name, err)
		}
	}
	if head, _ := db.Log().Head(t.Context()); head != 2 {
		t.Errorf("a refused request stored events: head %d", head)
	}
}

func TestQuotaIsTakenExactly(t *testing.T) {
	url, db := fresh(t)
	const limit, before, parallel = 12, 9, 30
	allowed := limit
	start := func(log *postgres.Log, i int) error {
		a := request(fmt.Sprintf("chat-%d", i), 0, said("hola"))
		a.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11", Limit: &allowed}
		_, err := log.Append(context.Background(), a)
		return err
	}
	for i := range before {
		if err := start(db.Log(), i); err != nil {
			t.Fatal(err)
		}
	}
	// Two processes' worth of writers.
	logs := []*postgres.Log{db.Log(), open(t, url, testKey).Log()}
	errs := make([]error, parallel)
	var running sync.WaitGroup
	for i := range parallel {
		running.Go(func() { errs[i] = start(logs[i%2], before+i) })
	}
	running.Wait()
	started := 0
	for _, err := range errs {
		if err == nil {
			started++
		} else if !errors.Is(err, event.ErrMonthlyLimitReached) {
			t.Error(err)
		}
	}
	if started != limit-before {
		t.Errorf("%d conversations started, want %d", started, limit-before)
	}
	counted := request("import-1", 0, said("de antes"))
	counted.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11"}
	mustAppend(t, db.Log(), counted)
	if taken, err := db.Log().MonthlyCount(t.Context(), "2026-11"); taken != limit+1 || err != nil {
		t.Errorf("quota taken: got %d, %v", taken, err)
	}
	if head, _ := db.Log().Head(t.Context()); head != limit+1 {
		t.Errorf("head %d, want %d", head, limit+1)
	}
}

// The requests that are stored in one call count each other.
func TestQuotaCountsTheRequestsOfItsGroup(t *testing.T) {
	url, db := fresh(t)
	boss := owner(t, url)
	exec(t, boss, "SELECT pg_advisory_lock(7310575211900612)")
	const requests, limit = 10, 3
	outcomes := make(chan error, requests)
	start := func(i int) {
		a := request(fmt.Sprint("chat-", i), 0, said("hola"))
		allowed := limit
		a.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11", Limit: &allowed}
		go func() {
			_, err := db.Log().Append(context.Background(), a)
			outcomes <- err
		}()
	}
	// The first one waits for the lock; the others are the next group.
	start(0)
	eventually(t, "the first request waits", func() (waits bool) {
		if err := boss.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))").Scan(&waits); err != nil {
			t.Fatal(err)
		}
		return waits
	})
	for i := range requests - 1 {
		start(i + 1)
	}
	eventually(t, "all others are queued", func() bool { return db.Log().Stats().Queued == requests-1 })
	exec(t, boss, "SELECT pg_advisory_unlock(7310575211900612)")
	stored := 0
	for range requests {
		switch err := <-outcomes; {
		case err == nil:
			stored++
		case !errors.Is(err, event.ErrMonthlyLimitReached):
			t.Error(err)
		}
	}
	if groups := db.Log().Stats().Groups; stored != limit || groups != 2 {
		t.Errorf("%d requests were stored in %d groups, %d are allowed", stored, groups, limit)
	}
}

func TestLimitOfZeroStartsNothing(t *testing.T) {
	_, db := fresh(t)
	none := 0
	a := request("chat-1", 0, said("hola"))
	a.MonthlyLimit = &event.MonthlyLimit{Month: "2026-11", Limit: &none}
	if _, err := db.Log().Append(t.Context(), a); !errors.Is(err, event.ErrMonthlyLimitReached) {
		t.Errorf("got %v", err)
	}
}

func TestOneBadRequestFailsAlone(t *testing.T) {
	_, db := fresh(t)
	var running sync.WaitGroup
	for i := range 100 {
		running.Go(func() {
			if i%10 == 0 {
				if _, err := db.Log().Append(context.Background(), request(fmt.Sprintf("bad-\x00%d", i), 0, opened())); err == nil {
					t.Error("a stream name with NUL was stored")
				}
				return
			}
			if _, err := db.Log().Append(context.Background(), request(fmt.Sprintf("good-%d", i), 0, said("hola"))); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if all := mustRead(t, db.Log(), 0, 1000); len(all) != 90 || all[89].Position != 90 {
		t.Errorf("%d events stored", len(all))
	}
}

func TestCallerWhoLeavesIsNotKept(t *testing.T) {
	url, db := fresh(t)
	blocker := owner(t, url)
	exec(t, blocker, "SELECT pg_advisory_lock(7310575211900612)")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := db.Log().Append(ctx, request("chat-1", 0, opened()))
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	exec(t, blocker, "SELECT pg_advisory_unlock(7310575211900612)")
	mustAppend(t, db.Log(), request("chat-2", 0, opened()))
}

func TestAppendAfterCloseIsRefused(t *testing.T) {
	_, db := fresh(t)
	db.Close()
	if _, err := db.Log().Append(t.Context(), request("chat-1", 0, opened())); err == nil {
		t.Error("appended to a closed log")
	}
}

// TestEitherFormatOfTheWireReadsTheSame generates events: a pooler before the server may leave
// only the simple protocol, which answers in text.
func TestEitherFormatOfTheWireReadsTheSame(t *testing.T) {
	url, db := fresh(t)
	quote := "?"
	if strings.Contains(url, quote) {
		quote = "&"
	}
	text := open(t, url+quote+"default_query_exec_mode=simple_protocol", testKey)
	streams := 0
	rapid.Check(t, func(t *rapid.T) {
		var drafts []event.Draft
		for range rapid.IntRange(1, 4).Draw(t, "events") {
			d := opened()
			if rapid.Bool().Draw(t, "personal") {
				d = said(rapid.String().Draw(t, "text"))
			}
			d.OccurredAt = time.UnixMilli(rapid.Int64Range(-1e12, 4e12).Draw(t, "occurred")).UTC()
			d.Metadata = rapid.MapOfN(rapid.StringMatching(`[a-z]{1,5}`), rapid.StringMatching(`[ -~ñ]{0,9}`), 0, 2).Draw(t, "metadata")
			drafts = append(drafts, d)
		}
		streams++
		stream := fmt.Sprint("chat-", streams)
		if _, err := db.Log().Append(context.Background(), request(stream, 0, drafts...)); err != nil {
			t.Fatal(err)
		}
		inBinary, err := db.Log().ReadStream(context.Background(), stream)
		inText, errText := text.Log().ReadStream(context.Background(), stream)
		if err != nil || errText != nil || len(inBinary) != len(drafts) {
			t.Fatal(len(inBinary), err, errText)
		}
		if diff := cmp.Diff(inBinary, inText); diff != "" {
			t.Error(diff)
		}
	})
	report, err := text.Log().Check(t.Context(), nil)
	if err != nil || report.Events == 0 || len(report.Findings) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

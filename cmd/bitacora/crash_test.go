package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// TestCrash kills every part of the program at random points while visitors write, and
// then holds what is left against what was acknowledged and against the log.
// BITACORA_CRASH_ROUNDS says how often; see npm run crash.
func TestCrash(t *testing.T) {
	rounds := 4
	if asked := os.Getenv("BITACORA_CRASH_ROUNDS"); asked != "" {
		var err error
		if rounds, err = strconv.Atoi(asked); err != nil {
			t.Fatal(err)
		}
	}
	p := newProgram(t)
	p.start()
	visitors := newVisitors(p)
	visitors.arrive(8, 0)
	parts := []string{"serve", "postgres", "clickhouse"}
	for round := range rounds {
		time.Sleep(time.Duration(300+rand.IntN(1200)) * time.Millisecond)
		part := parts[round%len(parts)]
		before := visitors.acknowledgements()
		p.kill(part)
		began := time.Now()
		if part == "serve" {
			p.start()
		}
		p.eventually("visitors are answered after "+part+" was killed", time.Minute, func() error {
			if visitors.acknowledgements() < before+20 {
				return errors.New("fewer than 20 answers since")
			}
			return nil
		})
		t.Logf("round %d: %d more answers %v after %s was killed", round+1, visitors.acknowledgements()-before, time.Since(began).Round(time.Millisecond), part)
	}
	visitors.leave()
	t.Logf("%d rounds, %d acknowledged messages", rounds, visitors.acknowledgements())
	h := p.house()
	events := wholeLog(t, h)
	visitors.mustBeIn(t, events)
	mustBeProjected(t, p, h, events)
}

// visitors write messages and repeat each until it is answered.
type visitors struct {
	p       *program
	stop    chan struct{}
	writing sync.WaitGroup

	mu sync.Mutex
	// replies holds what was acknowledged: by conversation and message id, the reply.
	replies map[[2]string]string
}

func newVisitors(p *program) *visitors {
	return &visitors{p: p, stop: make(chan struct{}), replies: map[[2]string]string{}}
}

// arrive begins to send the messages of n visitors, each with a pause after an answer.
func (v *visitors) arrive(n int, pause time.Duration) {
	for i := range n {
		v.writing.Go(func() {
			for message := 0; ; message++ {
				select {
				case <-v.stop:
					return
				case <-time.After(pause):
				}
				v.send(fmt.Sprintf("visitor-%d-%d", i, message/5), fmt.Sprint("m", message))
			}
		})
	}
}

func (v *visitors) leave() {
	close(v.stop)
	v.writing.Wait()
}

// send repeats a message until it is answered.
func (v *visitors) send(session, message string) {
	var reply struct{ Response string }
	body := map[string]string{"sessionId": session, "messageId": message, "message": "¿A qué hora abren? Soy " + session}
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if err := v.p.post("/api/chatbot", body, &reply); err == nil {
			v.mu.Lock()
			v.replies[[2]string{chat.ConversationID("web", session), message}] = reply.Response
			v.mu.Unlock()
			return
		}
	}
	v.p.t.Errorf("%s %s: not answered within a minute", session, message)
}

func (v *visitors) acknowledgements() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.replies)
}

// mustBeIn fails for an acknowledged message or reply that the log does not hold once.
func (v *visitors) mustBeIn(t *testing.T, events []event.Recorded) {
	t.Helper()
	sent, replied := map[[2]string]int{}, map[[2]string][]string{}
	for _, e := range events {
		switch m := e.Payload.(type) {
		case *event.VisitorMessageSent:
			sent[[2]string{m.ConversationID, m.MessageID}]++
		case *event.AssistantReplied:
			key := [2]string{m.ConversationID, m.ReplyTo}
			replied[key] = append(replied[key], m.Text.Text)
		}
	}
	for key, reply := range v.replies {
		if sent[key] != 1 {
			t.Errorf("message %v is in the log %d times", key, sent[key])
		}
		if !slices.Equal(replied[key], []string{reply}) {
			t.Errorf("message %v: the log holds the replies %q, the visitor got %q", key, replied[key], reply)
		}
	}
}

// wholeLog reads all events of a log that has to be in order.
func wholeLog(t *testing.T, h *house) []event.Recorded {
	t.Helper()
	report, err := h.db.Log().Check(context.Background(), nil)
	if err != nil || len(report.Findings) > 0 {
		t.Fatalf("check log: %v, findings %v", err, report.Findings)
	}
	var events []event.Recorded
	err = eachEvent(context.Background(), h.db.Log(), func(e event.Recorded) error {
		events = append(events, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// mustBeProjected holds the tables against the log, added up here without a projection.
func mustBeProjected(t *testing.T, p *program, h *house, events []event.Recorded) {
	t.Helper()
	ctx := context.Background()
	p.eventually("the tables hold the whole log", time.Minute, func() error {
		position, _, err := h.db.DataThrough(ctx, firstBuild)
		if err == nil && position < int64(len(events)) {
			err = fmt.Errorf("%d of %d", position, len(events))
		}
		return err
	})
	streams := map[string][]event.Recorded{}
	for _, e := range events {
		if id, ok := strings.CutPrefix(e.Stream, "conversation/"); ok {
			streams[id] = append(streams[id], e)
		}
	}
	tables := h.tables.Reader(firstBuild)
	listed, err := tables.ConversationPage(ctx, analytics.Cohort{Period: analytics.Period{From: time.Unix(0, 0), To: time.Now().Add(time.Hour)}}, analytics.Page{Limit: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	if len(listed) != len(streams) {
		t.Errorf("the tables hold %d conversations, the log %d", len(listed), len(streams))
	}
	for _, c := range listed {
		want := chat.Fold(c.ID, streams[c.ID])
		if c.Messages != len(want.Lines) || !c.StartedAt.Equal(want.StartedAt) || c.Lead != want.Lead {
			t.Errorf("conversation %s: the tables say %+v, the log has %d messages from %v", c.ID, c, len(want.Lines), want.StartedAt)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(streams)) {
		messages, err := tables.Messages(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		want := chat.Fold(id, streams[id]).Lines
		if len(messages) != len(want) {
			t.Errorf("conversation %s: %d messages in the tables, %d in the log", id, len(messages), len(want))
			continue
		}
		for i, m := range messages {
			if m.Text != want[i].Masked || m.Visitor != want[i].FromVisitor || !m.SentAt.Equal(want[i].At) {
				t.Errorf("conversation %s, message %d: %+v in the tables, %+v in the log", id, i+1, m, want[i])
			}
		}
	}
}

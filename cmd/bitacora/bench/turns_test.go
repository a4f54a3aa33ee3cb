package bench

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

// said is what the visitors of these benchmarks write, a conversation each time.
var said = []string{
	"hola, ¿a qué hora abren los sábados?", "¿cuánto cuesta una limpieza?", "¿en qué consiste la ortodoncia?",
	"me sangran las encías al cepillarme", "quiero una cita para el lunes en la tarde", "mejor no, gracias",
}

// conversing is how many visitors are in conversation at a time, at different messages of
// it. At 200 turns a second each writes every 3 seconds: nobody before being answered.
const conversing = 600

// visitors are as many turns as are asked for, each in the conversation that it belongs to.
type visitors struct {
	*programtest.Program
	next   atomic.Int64
	failed atomic.Int64
}

func (v *visitors) turn() {
	n := int(v.next.Add(1) - 1)
	visitor := n % conversing
	written := n/conversing + visitor%len(said)
	message := map[string]string{
		"sessionId": fmt.Sprintf("bench-%d-%d", visitor, written/len(said)), "message": said[written%len(said)],
	}
	if err := v.Post("/api/chatbot", message, nil); err != nil {
		v.failed.Add(1)
	}
}

func (v *visitors) allAnswered(b *testing.B) {
	if n := v.failed.Load(); n > 0 {
		b.Errorf("%d turns were not answered", n)
	}
}

// appended is the control of a turn: its two appends alone, by way of the same log, and
// projected as a turn's are.
func appended(b *testing.B, log *postgres.Log) {
	id := uuid.NewString()
	started := event.Conversation{ConversationID: id, ConversationStartedAt: time.Now().UTC().Truncate(time.Millisecond)}
	text := strings.Repeat("x", 200)
	for version, p := range []event.Payload{
		&event.VisitorMessageSent{Conversation: started, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: text}, MessageID: "m"},
		&event.AssistantReplied{Conversation: started, Progress: event.Progress{Ordinal: 2}, Text: event.Text{Text: text}, ReplyTo: "m"},
	} {
		_, err := log.Append(context.Background(), event.Append{
			Stream: "bench/" + id, ExpectedVersion: version,
			Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: started.ConversationStartedAt, Payload: p}},
		})
		if err != nil {
			b.Error(err)
		}
	}
}

// openLoop starts a call at every tick, however long the ones before take, and gives the
// time of each from the moment at which it was due.
func openLoop(perSecond int, d time.Duration, call func()) []time.Duration {
	took := make([]time.Duration, int(d.Seconds())*perSecond)
	var running sync.WaitGroup
	begin := time.Now()
	for i := range took {
		due := begin.Add(time.Duration(i) * time.Second / time.Duration(perSecond))
		time.Sleep(time.Until(due))
		running.Go(func() {
			call()
			took[i] = time.Since(due)
		})
	}
	running.Wait()
	return took
}

// closedLoop lets callers call, each again as soon as it was answered, so many times
// together, and gives the calls per second.
func closedLoop(callers, calls int, call func()) float64 {
	var left atomic.Int64
	left.Store(int64(calls))
	var running sync.WaitGroup
	begin := time.Now()
	for range callers {
		running.Go(func() {
			for left.Add(-1) >= 0 {
				call()
			}
		})
	}
	running.Wait()
	return float64(calls) / time.Since(begin).Seconds()
}

// BenchmarkTurns measures the chat of a running program, embedded model and engines, over
// loopback: 200 turns a second for 20 seconds, each counted from when it was due; then as many
// as 16 visitors at once can have. The controls are the two appends of a turn alone, at the
// same rates; they run in this process, so that the processor is the databases' alone.
func BenchmarkTurns(b *testing.B) {
	const perSecond, callers = 200, 16
	patience, calls := sized(20*time.Second, time.Second), sized(4000, 100)
	v := &visitors{Program: programtest.NewEmbedded(b)}
	v.Start()
	log := v.App().DB.Log()
	closedLoop(callers, sized(500, 50), v.turn)
	v.Rest()

	spent := func() (serve, all time.Duration) {
		pids := family(b, v.Running.Process.Pid)
		return processor(b, pids[:1]), processor(b, pids)
	}
	serveBefore, before := spent()
	turns := openLoop(perSecond, patience, v.turn)
	serveAfter, between := spent()
	control := openLoop(perSecond, patience, func() { appended(b, log) })
	_, after := spent()
	for name, took := range map[string]time.Duration{
		"turn-processor-ms": between - before, "turn-serve-processor-ms": serveAfter - serveBefore, "appends-processor-ms": after - between,
	} {
		b.ReportMetric(took.Seconds()*1000/float64(len(turns)), name)
	}
	b.ReportMetric(millis(turns, 50), "turn-p50-ms")
	b.ReportMetric(millis(turns, 99), "turn-p99-ms")
	b.ReportMetric(millis(control, 50), "appends-p50-ms")
	b.ReportMetric(millis(control, 99), "appends-p99-ms")
	b.ReportMetric(millis(turns, 99)/millis(control, 99), "p99-ratio")

	most := closedLoop(callers, calls, v.turn)
	appends := closedLoop(callers, calls, func() { appended(b, log) })
	b.ReportMetric(most, "turns/s")
	b.ReportMetric(appends, "append-pairs/s")
	b.ReportMetric(most/appends, "ratio")
	v.allAnswered(b)
}

// BenchmarkTurnsMemory measures what a running program holds after 10,000, 50,000 and 100,000
// turns, each in a conversation of six.
func BenchmarkTurnsMemory(b *testing.B) {
	v := &visitors{Program: programtest.NewEmbedded(b)}
	v.Start()
	for _, at := range []int{10_000, 50_000, 100_000} {
		at = sized(at, at/500)
		closedLoop(16, at-int(v.next.Load()), v.turn)
		b.ReportMetric(resident(b, v.Running.Process.Pid), fmt.Sprintf("RSS-%dk-MB", at/1000))
	}
	v.allAnswered(b)
}

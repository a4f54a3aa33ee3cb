package programtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/domain/event"
)

// BeginRebuild gives a rebuild that works on the databases of the running program. It is
// slowed down, so that a kill falls into any of its steps.
func (p *Program) BeginRebuild() *exec.Cmd {
	p.T.Helper()
	c := p.Command("rebuild", "--batch", "100", "--rate", "4000")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		p.T.Fatal(err)
	}
	said := bufio.NewReader(out)
	if _, err := said.ReadString('\n'); err != nil {
		p.T.Fatalf("the rebuild said nothing: %v", errors.Join(err, c.Wait()))
	}
	go io.Copy(io.Discard, said)
	return c
}

// Fill puts conversations of some messages each, of years ago, into the log.
func Fill(t testing.TB, a *app.App, conversations, messages int) {
	t.Helper()
	FillWith(t, a, conversations, messages, "")
}

// FillWith is [Fill] with something more in every text.
func FillWith(t testing.TB, a *app.App, conversations, messages int, more string) {
	t.Helper()
	work := make(chan int)
	failed := make(chan error, 8)
	for range cap(failed) {
		go func() {
			var err error
			for i := range work {
				if err == nil {
					err = AppendVisit(a, i, messages, more)
				}
			}
			failed <- err
		}()
	}
	for i := range conversations {
		work <- i
	}
	close(work)
	var errs []error
	for range cap(failed) {
		errs = append(errs, <-failed)
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// AppendVisit appends one conversation of [Fill].
func AppendVisit(a *app.App, i, messages int, more string) error {
	at := time.Date(2022, 1, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(i) * 13 * time.Minute)
	about := event.Conversation{ConversationID: fmt.Sprint("filled-", i), ConversationStartedAt: at}
	drafts := []event.Draft{{ID: event.DerivedID("fill", about.ConversationID), OccurredAt: at, Payload: &event.ConversationStarted{Conversation: about, Channel: "import"}}}
	for m := range messages {
		now := at.Add(time.Duration(m) * 9 * time.Second)
		progress := event.Progress{Ordinal: m + 1, ActiveMillis: now.Sub(at).Milliseconds()}
		var payload event.Payload = &event.VisitorMessageSent{
			Conversation: about, Progress: progress, MessageID: fmt.Sprint("m", m),
			Text: event.Text{Text: "Buenas tardes, quisiera saber cuánto cuesta una limpieza y si atienden los sábados." + more},
		}
		if m%2 == 1 {
			payload = &event.AssistantReplied{
				Conversation: about, Progress: progress, Answered: true, Topic: "precios", Provider: "embedded", Model: "v1",
				ReplyTo: fmt.Sprint("m", m-1), LatencyMillis: 41, TokensIn: 120, TokensOut: 40,
				Text: event.Text{Text: "¡Claro! La limpieza cuesta B/. 45.00 y los sábados atendemos de 9:00 a. m. a 3:00 p. m. ¿Le reservo una cita?" + more},
			}
		}
		drafts = append(drafts, event.Draft{ID: event.DerivedID("fill", about.ConversationID, fmt.Sprint(m)), OccurredAt: now, Payload: payload})
	}
	_, err := a.DB.Log().Append(context.Background(), event.Append{Stream: "conversation/" + about.ConversationID, Drafts: drafts})
	return err
}

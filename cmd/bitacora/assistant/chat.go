package assistant

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bitacora/adapters/assistant"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// NewChat is "bitacora chat".
func NewChat() *cobra.Command {
	explain, now := false, ""
	c := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "chat",
		Short: "Talk to the assistant in the terminal",
		Long: `Talk to the assistant in the terminal, a message a line, until Ctrl-D.

Nothing is kept: the conversation, its bookings and the month's count live in the memory of
this command, which needs no database. The clinic's facts and the assistant are those that
the environment configures.`,
		Example: "  bitacora chat\n  bitacora chat --explain --now 2026-11-24\n  printf 'quiero una cita\\nsí\\n' | bitacora chat --explain",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.Configure()
			if err != nil {
				return err
			}
			clock, err := command.ClockFrom(now, a.Clinic.Zone)
			if err != nil {
				return err
			}
			service, err := TerminalChat(a, NewMemory())
			if err != nil {
				return err
			}
			service.Now = clock
			return talk(c.Context(), service, command.Stdin(c.Context()), os.Stdout, explain)
		},
	})
	c.Flags().BoolVar(&explain, "explain", false, "show what was understood and how the reply came about")
	c.Flags().StringVar(&now, "now", "", command.NowFlag)
	return c
}

// SiteChat answers the site's visitors until ctx ends, from the content that the site shows.
func SiteChat(ctx context.Context, a *app.App, contents assistant.Contents, origin string) (*assistant.ReloadingChat, error) {
	answers, err := NewAssistantFor(a)
	if err != nil {
		return nil, err
	}
	answers.CountWith(a.DB.ProviderUsage())
	a.Meters.Chat.Watch(answers)
	service := NewChatService(a, a.DB.Log())
	service.SiteURL, service.Running, service.Queue = origin, ctx, new(chat.Queue)
	return assistant.NewReloadingChat(ctx, service, answers, contents)
}

// TerminalChat keeps its conversations in a log, and answers from the content that the project
// brings along.
func TerminalChat(a *app.App, log chat.Log) (*chat.Service, error) {
	answers, err := NewAssistantFor(a)
	if err != nil {
		return nil, err
	}
	if answers, err = knowing(answers, a.Clinic); err != nil {
		return nil, err
	}
	service := NewChatService(a, log)
	service.Understander, service.Further, service.Assistant, service.Danger = answers, answers.Further(), answers, answers
	return service, nil
}

// knowing is an assistant with a clinic's facts and the content that the project brings along.
func knowing(answers *assistant.Assistant, c clinic.Clinic) (*assistant.Assistant, error) {
	content := clinic.DefaultContent()
	return answers.Knowing(assistant.Knowledge{Clinic: c, Posts: content.Published(time.Now()), Answers: content.Answers})
}

// NewChatService makes what every chat has in common; it lacks who understands and answers.
func NewChatService(a *app.App, log chat.Log) *chat.Service {
	return &chat.Service{
		Log:          log,
		Clinic:       a.Clinic,
		MonthlyLimit: a.Config.MonthlyLimit,
		PerAddress:   a.Config.PerAddress(),
		ReplyTimeout: a.Config.ReplyTimeout,
		StoreTimeout: a.Config.StoreTimeout,
		Wait:         pauseWithin,
		Now:          time.Now,
		NewID:        func() string { return uuid.Must(uuid.NewV7()).String() },
	}
}

// pauseWithin waits for a random part of a time, or until ctx ends.
func pauseWithin(ctx context.Context, longest time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(longest)):
	}
}

// talk carries a conversation, a message a line, until the input ends.
func talk(ctx context.Context, service *chat.Service, in io.Reader, out io.Writer, explain bool) error {
	session := uuid.NewString()
	lines := bufio.NewScanner(in)
	for {
		fmt.Fprint(out, "> ")
		if !lines.Scan() {
			fmt.Fprintln(out)
			return lines.Err()
		}
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		answer, err := service.Receive(ctx, chat.Message{SessionID: session, Text: text, Channel: "terminal"})
		var invalid chat.Invalid
		switch {
		case errors.As(err, &invalid), errors.Is(err, chat.ErrLimitReached), errors.Is(err, chat.ErrAssistantFailed):
			fmt.Fprintf(out, "! %v\n", err)
			continue
		case err != nil:
			return err
		}
		fmt.Fprintf(out, "%s\n", answer.Text)
		if explain && answer.Insight != nil {
			explained(out, *answer.Insight, service.Clinic.Zone)
		}
	}
}

// explained shows what is behind a reply.
func explained(out io.Writer, i chat.Insight, zone *time.Location) {
	line := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "[]" && text != "0" && text != "false" {
			fmt.Fprintf(out, "    %-9s %s\n", name, text)
		}
	}
	u, r := i.Understood, i.Reply
	line("intent", strings.TrimSpace(fmt.Sprintf("%s %s %.2f %s", u.Intent, u.Understood.Intent, u.Understood.Confidence, u.Topic)))
	line("danger", u.Danger.Kinds)
	line("urgent", u.Urgent)
	line("slots", strings.Join(slotsOf(u, zone), ", "))
	line("topic", r.Topic)
	line("sources", strings.Join(r.Sources, ", "))
	line("answered", fmt.Sprintf("%t by %s %s", r.Answered, r.Provider, r.Model))
	var events []string
	for _, p := range i.Events {
		events = append(events, p.EventType())
	}
	line("events", strings.Join(events, ", "))
	if d := r.Dialogue; d != nil {
		line("asks for", d.Asked)
		line("specialty", d.Specialty)
		line("wish", wishText(clinic.Wish(d.Wish), zone))
		line("misses", d.Misses)
	}
}

// slotsOf lists what was read out of a message.
func slotsOf(u chat.Understanding, zone *time.Location) []string {
	var slots []string
	add := func(name string, value any, given bool) {
		if given {
			slots = append(slots, fmt.Sprintf("%s=%v", name, value))
		}
	}
	add("answer", map[chat.YesNo]string{chat.Yes: "yes", chat.No: "no"}[u.Answer], u.Answer != chat.Unsaid)
	add("plain", "yes", u.PlainYes)
	add("plain", "cancel", u.PlainCancel)
	add("name", u.Name, u.Name != "")
	add("phones", u.Phones, len(u.Phones) > 0)
	add("emails", u.Emails, len(u.Emails) > 0)
	add("bad-contact", u.BadContact, u.BadContact)
	add("specialty", u.Specialty, u.Specialty != "")
	add("any-specialty", u.AnySpecialty, u.AnySpecialty)
	add("when", wishText(u.When, zone), !u.When.IsZero())
	add("doubtful-time", true, u.Doubt != nil)
	add("any-time", u.AnyTime, u.AnyTime)
	add("choice", u.Choice, u.Choice != 0)
	add("only", u.Only, len(u.Only) > 0)
	add("unwanted", u.Unwanted, len(u.Unwanted) > 0)
	add("other-times", u.OtherTimes, u.OtherTimes)
	add("correction", u.Correction, u.Correction)
	add("for-other", u.ForOther, u.ForOther)
	add("another", u.Another, u.Another)
	return slots
}

// wishText is a wish in the terms of the log: days and times of the business zone.
func wishText(w clinic.Wish, zone *time.Location) string {
	var parts []string
	if !w.First.IsZero() {
		parts = append(parts, w.First.In(zone).Format(time.DateOnly))
		if !w.Last.Equal(w.First) {
			parts = append(parts, "to", w.Last.In(zone).Format(time.DateOnly))
		}
	}
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
	switch {
	case w.Exact:
		parts = append(parts, "at", clock(w.Earliest))
	case w.Latest > 0:
		parts = append(parts, clock(w.Earliest)+"-"+clock(w.Latest))
	case w.Earliest > 0:
		parts = append(parts, "from", clock(w.Earliest))
	}
	return strings.Join(parts, " ")
}

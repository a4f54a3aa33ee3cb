package assistant

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
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
			explained(out, *answer.Insight)
		}
	}
}

// explained shows what is behind a reply: every field that says something.
func explained(out io.Writer, i chat.Insight) {
	for _, part := range []any{i.Understood, i.Reply} {
		fields := reflect.ValueOf(part)
		for n := range fields.NumField() {
			name, value := fields.Type().Field(n).Name, fields.Field(n)
			if text, err := json.Marshal(value.Interface()); err == nil && !value.IsZero() && !slices.Contains(unexplained, name) {
				fmt.Fprintf(out, "    %-12s %s\n", name, text)
			}
		}
	}
	for _, p := range i.Events {
		fmt.Fprintf(out, "    %-12s %s\n", "Event", p.EventType())
	}
}

// unexplained are the fields that the terminal shows already, or that are the assistant's own.
var unexplained = []string{"Text", "Public", "Reading"}

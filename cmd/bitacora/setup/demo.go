package setup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/assistant"
	"bitacora/adapters/demo"
	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/teaching"
)

// The demo logins are public: they stand in the README. They exist only in demo mode, which
// is only possible on a loopback address.
const (
	DemoEmail    = "demo@clinica.example"
	DemoOwner    = "direccion@clinica.example"
	DemoPassword = "sonrisas-de-panama"
)

// DemoSeed is the seed of the history that npm start shows.
const DemoSeed = 2005

// NewDemo is "bitacora demo".
func NewDemo() *cobra.Command {
	var settings demo.Config
	var until string
	c := command.Needing(command.NeedsLog, &cobra.Command{
		Use: "demo", Short: "Fill the log with a believable history of chats",
		Example: "  bitacora demo\n  bitacora demo --seed 7 --months 3 --until 2026-06-30T12:00:00-05:00",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.ConfigureFor(c)
			if err != nil {
				return err
			}
			settings.Until = time.Now()
			if until != "" {
				if settings.Until, err = time.Parse(time.RFC3339, until); err != nil {
					return command.Misuse(fmt.Errorf("--until: %w", err))
				}
			}
			settings.Clinic = a.Clinic
			if err := a.Open(c.Context()); err != nil {
				return err
			}
			return errors.Join(seedDemo(c.Context(), a, settings), a.Close())
		},
	})
	command.WhenLeft(c, command.LeavesPart)
	c.Long = `Fill the log with a believable history of chats, through the same decisions as live ones.
The same seed and end give the same history, and repeating it changes nothing; names and
contacts are synthetic. All of its parameters stand in adapters/demo/parameters.go. A log that
did not begin as a demo is refused; all that is made up has the channel "demo".`
	c.Flags().Uint64Var(&settings.Seed, "seed", DemoSeed, "what the history is drawn from")
	c.Flags().IntVar(&settings.Months, "months", 14, "whole months before the current one")
	c.Flags().StringVar(&until, "until", "", "end of the history, RFC 3339 (now)")
	c.Flags().Float64Var(&settings.Scale, "scale", 1, "multiplies the number of conversations")
	return c
}

func seedDemo(ctx context.Context, a *app.App, settings demo.Config) error {
	report, err := DemoOf(a.DB, a.Clinic).seed(ctx, settings)
	if err != nil {
		return err
	}
	fmt.Printf("%d conversations in %d events: %d leads, %d appointments, %d refused for the monthly limit.\n",
		report.Conversations, report.Events, report.Leads, report.Appointments, report.Refusals)
	return nil
}

// ErrRealLog is what keeps invented patients from among real ones.
var ErrRealLog = errors.New(`the log did not begin as a demo: invented patients are not written among real ones.
Give the demo an empty log of its own (BITACORA_DATA_DIR), or go on without it (BITACORA_DEMO=0)`)

// DemoMode is a clinic whose history is invented.
type DemoMode struct {
	log    *postgres.Log
	staff  *postgres.Staff
	clinic clinic.Clinic
	// is says whether the log began as a demo; nil while that is not known.
	is atomic.Pointer[bool]
}

// DemoOf is the demo of a clinic's log.
func DemoOf(db *postgres.DB, facts clinic.Clinic) *DemoMode {
	return &DemoMode{log: db.Log(), staff: db.Staff(), clinic: facts}
}

// Began says whether the first facts of the log are those of a demo history. One that
// has begun stays what it is.
func (d *DemoMode) Began(ctx context.Context) (yes, begun bool, err error) {
	if known := d.is.Load(); known != nil {
		return *known, true, nil
	}
	for after, facts := int64(0), 0; !begun; {
		events, err := d.log.ScanClear(ctx, after, math.MaxInt64, app.ReadBatch)
		if err != nil {
			return false, false, err
		}
		if len(events) == 0 {
			return false, facts > 0, nil
		}
		for _, e := range events {
			after = e.Position
			if byOperator(e) {
				continue
			}
			facts++
			// A history of an earlier program is known by its first conversation.
			started, ok := e.Payload.(*event.ConversationStarted)
			if invented := facts == 1 && e.Metadata[event.Channel] == demo.Channel; ok || invented {
				yes, begun = invented || started.Channel == demo.Channel, true
				break
			}
		}
	}
	d.is.Store(&yes)
	return yes, true, nil
}

// byOperator says whether an event only tells of an account that somebody made on the command
// line, or of what was done to the tables: that may come before the history.
func byOperator(e event.Recorded) bool {
	change, ok := e.Payload.(event.ByActor)
	return strings.HasPrefix(e.Stream, event.OperatorPrefix) || ok && change.Actor() == event.ByOperator
}

// MayInvent refuses a log in which a demo history has no place.
func (d *DemoMode) MayInvent(ctx context.Context) error {
	yes, begun, err := d.Began(ctx)
	if err == nil && begun && !yes {
		err = ErrRealLog
	}
	return err
}

// seed appends a history with a progress display.
func (d *DemoMode) seed(ctx context.Context, c demo.Config) (demo.Report, error) {
	if err := d.MayInvent(ctx); err != nil {
		return demo.Report{}, err
	}
	reads, err := assistant.New(assistant.Spec{Provider: "embedded"}, d.clinic)
	if err != nil {
		return demo.Report{}, fmt.Errorf("make the assistant: %w", err)
	}
	c.Understand = func(text string) event.Understood {
		// Without a provider nobody is waited for, and nothing fails.
		u, _ := reads.Understand(ctx, chat.Question{Text: text})
		return u.Understood
	}
	p := command.NewProgress("conversations")
	defer p.Done()
	return demo.Seed(ctx, d.log, c, func(r demo.Report) {
		total := float64(r.Conversations) / max(r.Share, 0.001)
		p.Show(int64(r.Conversations), int64(total))
	})
}

// Renew brings the demo history up to now and proposes a monthly limit that the current month
// comes close to.
func (d *DemoMode) Renew(ctx context.Context) (limit int, err error) {
	last, err := d.last(ctx)
	if err != nil {
		return 0, err
	}
	if last.IsZero() {
		fmt.Println("Writing a demo history of the past 14 months …")
	}
	if _, err := d.seed(ctx, demo.Config{Seed: DemoSeed, Until: time.Now(), After: last, Clinic: d.clinic}); err != nil {
		return 0, err
	}
	taken, err := d.log.MonthlyCount(ctx, time.Now().In(d.clinic.Zone).Format("2006-01"))
	return demo.Limit(taken), err
}

// last is when the latest conversation of a demo history began: where an earlier run
// ended, or was cut off. It is zero in a log without one.
func (d *DemoMode) last(ctx context.Context) (last time.Time, err error) {
	err = app.EachEvent(ctx, d.log, func(e event.Recorded) error {
		if started, ok := e.Payload.(*event.ConversationStarted); ok && started.Channel == demo.Channel && e.OccurredAt.After(last) {
			last = e.OccurredAt
		}
		return nil
	})
	return last, err
}

// Teach publishes what the invented staff taught the assistant.
func (d *DemoMode) Teach(ctx context.Context, r *teaching.Register) error { return demo.Teach(ctx, r) }

// Admit makes the demo logins in demo mode, and otherwise removes those that an earlier demo left
// behind. They are public, so there is none on a log that did not begin as a demo.
func (d *DemoMode) Admit(ctx context.Context, enabled bool) error {
	if enabled {
		if err := d.MayInvent(ctx); err != nil {
			return err
		}
	}
	invented, err := demo.Staff()
	if err != nil {
		return err
	}
	if !enabled {
		return d.staff.RemoveInvented(ctx, invented, DemoEmail)
	}
	// Known to everybody, so that its strength is no matter.
	hash, err := password.Hash(DemoPassword)
	if err != nil {
		return err
	}
	return d.staff.Invent(ctx, invented, hash)
}

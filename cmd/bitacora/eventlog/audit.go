package eventlog

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// auditQuestion is which of what the staff did is asked for.
type auditQuestion struct {
	since, until, who string
	what              []string
	json              bool
}

// NewAudit is "bitacora audit".
func NewAudit() *cobra.Command {
	var q auditQuestion
	c := app.LogCommand("audit", "List who signed in, read, exported, changed accounts and rebuilt tables",
		"  bitacora audit --since 2026-11-01 --until 2026-11-15\n  bitacora audit --who ana@clinica.example --what TranscriptOpened,ExportTaken\n  bitacora audit --what StaffSignInFailed --json",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return audit(ctx, a, q) })
	c.Long = `List sign-ins and their failures, readings of transcripts and contacts, exports, changes of accounts,
taught answers, and operations on the log and its tables. AnalystAsked is a query of the embedded
ClickHouse, of the last 90 days. WHO is the actor (operator: the command line, program: the program
itself). ACCOUNT is the changed account, where it is not the actor's. Times are those of the business
zone. A removed account is named by its id.`
	c.Flags().StringVar(&q.since, "since", "", "first day or instant; default: 30 days before the end")
	c.Flags().StringVar(&q.until, "until", "", "last day or instant; default: now")
	c.Flags().StringVar(&q.who, "who", "", "only acts of this account and changes of it: its e-mail address or id, operator, or program")
	c.Flags().StringSliceVar(&q.what, "what", nil, "only events of these types")
	c.Flags().BoolVar(&q.json, "json", false, "one JSON object a line")
	c.PreRunE = func(*cobra.Command, []string) error {
		for _, what := range q.what {
			if what != analystAsked && !slices.Contains(event.Types(), what) {
				return command.Misuse(fmt.Errorf("there is no event type %q (schema/reference/events.md lists them)", what))
			}
		}
		return nil
	}
	return c
}

// AuditLine is one thing that was done.
type AuditLine struct {
	Time string `json:"time"`
	// Who did it and Account, to whom it was done, are e-mail addresses, or ids of accounts that
	// are gone.
	Who       string         `json:"who"`
	What      string         `json:"what"`
	Account   string         `json:"account,omitempty"`
	Details   map[string]any `json:"details,omitempty"`
	RequestID string         `json:"requestId,omitempty"`
	// Position is that of the event; missing where it is none.
	Position int64 `json:"position,omitempty"`
}

func audit(ctx context.Context, a *app.App, q auditQuestion) error {
	period, err := analytics.ParsePeriod(q.since, q.until, time.Now(), a.Clinic.Zone)
	if err != nil {
		return command.Misuse(err)
	}
	accounts, err := a.DB.Staff().Accounts(ctx)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, account := range accounts {
		names[account.ID] = account.Email
	}
	print, flush := auditTable()
	if q.json {
		out := json.NewEncoder(os.Stdout)
		print, flush = func(l AuditLine) error { return out.Encode(l) }, func() error { return nil }
	}
	for entry, err := range auditEntries(ctx, a, period) {
		if err != nil {
			return err
		}
		if q.leavesOut(entry, names) {
			continue
		}
		line := AuditLine{
			Time: entry.At.In(a.Clinic.Zone).Format("2006-01-02T15:04:05Z07:00"), Who: cmp.Or(names[entry.Actor], entry.Actor),
			What: entry.What, Details: entry.Details, RequestID: entry.RequestID, Position: entry.Position,
		}
		if entry.AccountID != entry.Actor {
			line.Account = cmp.Or(names[entry.AccountID], entry.AccountID)
		}
		if err := print(line); err != nil {
			return err
		}
	}
	return flush()
}

// analystAsked is no event: the embedded ClickHouse keeps it.
const analystAsked = "AnalystAsked"

// auditEntries are what events and analysts' questions tell of a period, in the order in which it happened.
func auditEntries(ctx context.Context, a *app.App, period analytics.Period) iter.Seq2[staff.AuditEntry, error] {
	return func(yield func(staff.AuditEntry, error) bool) {
		next, stop := iter.Pull2(engines.Questions(a.Config.DataDir, period.From, period.To))
		defer stop()
		asked, err, left := next()
		askedBefore := func(at time.Time) bool {
			for ; left && (err != nil || asked.At.Before(at)); asked, err, left = next() {
				if !yield(staff.AuditEntry{
					AuditCursor: staff.AuditCursor{At: asked.At}, What: analystAsked, Actor: asked.User, AccountID: asked.User,
					Details: map[string]any{"rows": asked.Rows, "millis": asked.Millis, "status": asked.Status},
				}, err) {
					return false
				}
			}
			return true
		}
		for e, err := range a.DB.Log().OfStaff(ctx, period.From, period.To) {
			var entry staff.AuditEntry
			if err == nil {
				entry, err = staff.EntryOf(e)
			}
			if err == nil && !askedBefore(entry.At) || !yield(entry, err) {
				return
			}
		}
		askedBefore(period.To)
	}
}

func (q auditQuestion) leavesOut(e staff.AuditEntry, names map[string]string) bool {
	if len(q.what) > 0 && !slices.Contains(q.what, e.What) {
		return true
	}
	return q.who != "" && !slices.ContainsFunc([]string{e.Actor, e.AccountID, names[e.Actor], names[e.AccountID]}, func(name string) bool {
		return strings.EqualFold(name, q.who)
	})
}

// auditTable prints lines for people.
func auditTable() (print func(AuditLine) error, flush func() error) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "TIME\tWHO\tWHAT\tACCOUNT\tDETAILS")
	print = func(l AuditLine) error {
		details := []string{}
		for _, name := range slices.Sorted(maps.Keys(l.Details)) {
			details = append(details, fmt.Sprintf("%s=%v", name, l.Details[name]))
		}
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", l.Time, l.Who, l.What, l.Account, strings.Join(details, " "))
		return err
	}
	return print, w.Flush
}

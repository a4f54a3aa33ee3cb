// Package eventlog has the commands that read, check, export and complete the log, and count from it.
package eventlog

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/event"
	"bitacora/projections"
)

// NewLog is "bitacora log".
func NewLog() *cobra.Command {
	lint := app.LogCommand("lint", "Hold every event against the JSON Schema of its type and version",
		"  bitacora log lint", cobra.NoArgs, lintLog)
	command.WhenLeft(lint, command.LeavesAll)
	return command.Group(&cobra.Command{Use: "log", Short: "Inspect, check and export the log of all events"},
		newLogTail(), newLogExport(), newLogAdopt(), newLogPlaces(), newLogMask(), newLogCheck(), lint)
}

func newLogTail() *cobra.Command {
	var count int64
	var follow bool
	c := app.LogCommand("tail", "Show the latest events, without personal data",
		"  bitacora log tail -n 50\n  bitacora log tail --follow",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			head, err := a.DB.Log().Head(ctx)
			if err != nil {
				return err
			}
			after := max(0, head-count)
			for {
				events, err := a.DB.Log().Scan(ctx, after, math.MaxInt64, app.ReadBatch)
				if err != nil && ctx.Err() == nil {
					return err
				}
				for _, e := range events {
					printEvent(e, a.Clinic.Zone)
					after = e.Position
				}
				if len(events) > 0 {
					continue
				}
				if !follow || !command.Pause(ctx, 500*time.Millisecond) {
					return nil
				}
			}
		})
	c.Flags().Int64VarP(&count, "lines", "n", 20, "how many events")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is appended")
	return c
}

func printEvent(e event.Recorded, zone *time.Location) {
	data, err := json.Marshal(e.Payload)
	if u, unreadable := e.Payload.(*event.Unreadable); unreadable {
		err = u.Reason
	}
	if err != nil {
		data = []byte(err.Error())
	}
	fmt.Printf("%8d  %s  %-36s %3d  %-22s %s\n", e.Position, e.OccurredAt.In(zone).Format("2006-01-02 15:04:05.000"), e.Stream, e.Version, e.Payload.EventType(), data)
}

func newLogExport() *cobra.Command {
	var personal bool
	c := app.LogCommand("export", "Write all events to standard output, one JSON object a line",
		"  bitacora log export > log.jsonl\n  bitacora log export --personal > secret.jsonl",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			if personal {
				if err := app.RecordAct(ctx, a, &event.LogExported{OperatorAct: app.ActOfOperator}); err != nil {
					return err
				}
			}
			skipped, err := a.DB.Log().Skipped(ctx)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(os.Stdout)
			unreadable, err := exportLog(ctx, a.DB.Log(), out, personal, skipped)
			if err = errors.Join(err, out.Flush()); err != nil {
				return err
			}
			return nameUnreadable(os.Stderr, unreadable)
		})
	c.Long = "Write all events to standard output, one JSON object a line.\n\nEvents that this program cannot read are written as they are stored, with the reason, and named at\nthe end on standard error; the exit code is 3 then, unless it was decided to pass over all\nof them, see bitacora parked skip. An export with personal data is an event itself."
	command.WhenLeft(c, "the events so far are not the whole log: the same command again writes all of it")
	c.Flags().BoolVar(&personal, "personal", false, "with texts, names, phones and e-mail addresses")
	return c
}

// exportedEvent is one line of an export.
type exportedEvent struct {
	Position   int64             `json:"position"`
	ID         string            `json:"id"`
	Stream     string            `json:"stream"`
	Version    int               `json:"version"`
	Type       string            `json:"type"`
	OccurredAt time.Time         `json:"occurredAt"`
	RecordedAt time.Time         `json:"recordedAt"`
	Data       event.Payload     `json:"data"`
	Personal   map[string]string `json:"personal,omitempty"`
	Erased     bool              `json:"erased,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
	// SchemaVersion and Unreadable are of an event that cannot be read: the version that its data
	// is written in, and why. Skipped says that an operator decided to pass over it.
	SchemaVersion int    `json:"schemaVersion,omitempty"`
	Unreadable    string `json:"unreadable,omitempty"`
	Skipped       bool   `json:"skipped,omitempty"`
}

func exportLog(ctx context.Context, log projections.Source, out io.Writer, personal bool, skipped map[int64]bool) (unreadable event.Census, err error) {
	unreadable.Skipped = skipped
	encoder := json.NewEncoder(out)
	err = app.EachEvent(ctx, log, func(e event.Recorded) error {
		unreadable.Add(e)
		line := exportedEvent{
			Position: e.Position, ID: e.ID, Stream: e.Stream, Version: e.Version, Type: e.Payload.EventType(),
			OccurredAt: e.OccurredAt, RecordedAt: e.RecordedAt, Data: e.Payload, Erased: e.Erased, Metadata: e.Metadata,
		}
		if u, ok := e.Payload.(*event.Unreadable); ok {
			line.SchemaVersion, line.Unreadable, line.Skipped = u.Version, u.Reason.Error(), skipped[e.Position]
		}
		if p, ok := event.Nearest(e.Payload).(event.Personal); ok && personal {
			line.Personal = map[string]string{}
			for _, f := range p.PersonalFields() {
				line.Personal[f.Name] = *f.Value
			}
		}
		return encoder.Encode(line)
	})
	return unreadable, err
}

// nameUnreadable says which events could not be read, if there were any.
func nameUnreadable(out io.Writer, unreadable event.Census) error {
	kinds := unreadable.Kinds()
	for _, kind := range kinds {
		fmt.Fprintln(out, kind)
	}
	if len(kinds) > 0 {
		return command.ErrFound
	}
	return nil
}

func newLogCheck() *cobra.Command {
	var given []string
	c := app.LogCommand("check", "Prove that the log is whole, and that the agenda's places are those of its bookings",
		"  bitacora log check\n  bitacora log check --anchor /mnt/elsewhere/anchors", cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error { return CheckLog(ctx, a, given, time.Now()) })
	c.Long = `Prove that the log is whole, and that the agenda's places are those of its bookings.

Events are chained by hashes. An anchor is a position with its hash: each backup and each weekly letter
contains one, and the file "anchors" of the keys directory one a day. An anchor kept elsewhere
shows changes by the owner of the database and of this machine. Exit code 3: something is wrong.`
	c.Flags().StringArrayVar(&given, "anchor", nil, "an anchor of a letter, a copy of the file with anchors, or the directory of a backup, from another place; repeatable")
	command.WhenLeft(c, command.LeavesAll)
	return c
}

// CheckLog proves that the log is whole, by the anchors up to a moment. It gives [command.ErrFound] where it is not.
func CheckLog(ctx context.Context, a *app.App, given []string, until time.Time) error {
	outside, err := anchorsGiven(given)
	if err != nil {
		return err
	}
	anchors, err := AnchorsHere(ctx, a)
	if err != nil {
		return err
	}
	anchors = slices.DeleteFunc(anchors, func(anchor postgres.Anchor) bool { return anchor.At.After(until) })
	p := command.NewProgress("events checked")
	report, err := a.DB.Log().Check(ctx, p.Show, append(anchors, outside...)...)
	if len(outside) == 0 {
		report.Notes = append(report.Notes, "No anchor was given that is kept elsewhere (--anchor): whoever owns the database and this machine could have altered the log and its anchors.")
	}
	if err == nil {
		var reservations reservationReport
		reservations, err = CompareReservations(ctx, a)
		report.Findings = append(report.Findings, reservations.Findings()...)
	}
	return finishLog(p, report, err)
}

func lintLog(ctx context.Context, a *app.App, _ []string) error {
	p := command.NewProgress("events held against their schemas")
	report, err := a.DB.Log().Lint(ctx, p.Show)
	return finishLog(p, report, err)
}

func finishLog(p *command.Progress, report postgres.Report, err error) error {
	p.Done()
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	for _, n := range report.Notes {
		fmt.Println(n)
	}
	unknown := nameUnreadable(os.Stdout, report.Unknown)
	switch {
	case len(report.Findings) > 0:
		fmt.Printf("%d events, and something is wrong.\n", report.Events)
		return command.ErrFound
	case unknown != nil:
		fmt.Printf("%d events, all as they were appended; of some this program does not know what they mean.\n", report.Events)
		return unknown
	}
	if n := len(report.Unknown.Skipped); n > 0 {
		fmt.Printf("%d passed over by a decision in the log\n", n)
	}
	fmt.Printf("%d events, all in order.\n", report.Events)
	return nil
}

package eventlog

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bitacora/adapters/archive"
	"bitacora/adapters/phones"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// NewImport is "bitacora import".
func NewImport() *cobra.Command {
	c := app.LogCommand("import FILE", "Take past conversations into the log",
		"  bitacora import chats.jsonl\n  zcat chats.jsonl.gz | bitacora import -",
		cobra.ExactArgs(1), importChats)
	command.WhenLeft(c, command.LeavesPart)
	c.Long = `Take past conversations into the log, at their own times, from a file with one JSON object
a line (- reads standard input):

  {"id": "…", "messages": [{"role": "user" or "assistant", "text": "…", "at": "RFC 3339"}],
   "lead": {"at": "…", "name": "…", "phone": "…", "email": "…", "consent": true},
   "appointment": {"at": "…", "slot": "…", "source": "chat", "form" or "staff", "cancelledAt": "…"}}

lead and appointment are optional. A conversation counts from its first user message. The
import may be repeated: what is in the log already is left as it is, and an id with other
content is reported. A bad line is reported with its number, and the others are taken.`
	return c
}

func importChats(ctx context.Context, a *app.App, given []string) error {
	in, err := openInput(ctx, given[0])
	if err != nil {
		return command.Misuse(err)
	}
	defer in.Close()
	p := command.NewProgress("lines")
	importer := archive.Importer{Log: a.DB.Log(), Zone: a.Clinic.Zone, Phones: phones.PlanOf(a.Clinic)}
	report, err := importer.Import(ctx, in, func(r archive.Report) { p.Show(int64(r.Lines), 0) })
	p.Done()
	for _, b := range report.Bad {
		fmt.Fprintf(os.Stderr, "line %d: %s\n", b.Line, b.Reason)
	}
	for _, c := range report.Conflicts {
		fmt.Fprintf(os.Stderr, "line %d: %q is in the log with other content\n", c.Line, c.ID)
	}
	fmt.Printf("%d lines: %d imported, %d unchanged, %d in conflict, %d bad.\n",
		report.Lines, report.Imported, report.Unchanged, len(report.Conflicts), len(report.Bad))
	if err != nil {
		return fmt.Errorf("import was cut off (it may be repeated): %w", err)
	}
	if len(report.Bad)+len(report.Conflicts) > 0 {
		return command.ErrFound
	}
	return nil
}

func openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(command.Stdin(ctx)), nil
	}
	return os.Open(name)
}

package content

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
)

// NewClinic is "bitacora clinic".
func NewClinic() *cobra.Command {
	asJSON := false
	check := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "check [FILE]",
		Short: "Report mistakes, placeholders and missing facts of a clinic's file",
		Long: `Report mistakes, placeholders and missing facts of a clinic's file: by default of BITACORA_CLINIC_FILE,
and without one of the built-in facts.

The program does not start with a mistake; each is reported with its line. A fact that is made up is
still the built-in placeholder. A fact that is not told may be missing: the assistant then admits it
and offers to pass the question on.

Exit code 3: there are mistakes or placeholders.`,
		Example: "  bitacora clinic check clinic/clinic.json\n  bitacora clinic check --json | jq '.notTold[].path'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			r, err := checkClinic(given)
			if err != nil {
				return err
			}
			if asJSON {
				return errors.Join(command.PrintJSON(c.OutOrStdout(), r), r.found())
			}
			r.print(c.OutOrStdout())
			return r.found()
		},
	})
	check.Flags().BoolVar(&asJSON, "json", false, "for programs")
	show := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:     "show [FILE]",
		Short:   "Show the facts of a clinic, as visitors read them today",
		Example: "  bitacora clinic show\n  bitacora clinic show clinic/clinic.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, given []string) error {
			file, err := clinicFile(given)
			if err != nil {
				return err
			}
			facts, err := app.ReadFacts(file)
			if err != nil {
				return err
			}
			for _, f := range facts.From(time.Now()).Facts() {
				fmt.Fprintf(c.OutOrStdout(), "%-26s %s\n", f.Name, f.Value)
			}
			return nil
		},
	})
	example := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:     "example",
		Short:   "Print a clinic's file with every fact, to edit it",
		Long:    clinicHelp(),
		Example: "  bitacora clinic example > clinic/clinic.json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(clinic.Example())
			return err
		},
	})
	return command.Group(&cobra.Command{Use: "clinic", Short: "The facts of the clinic: check its file, show them"}, check, show, example)
}

// clinicHelp lists the fields of a clinic's file.
func clinicHelp() string {
	var b strings.Builder
	b.WriteString("Write a clinic's file that contains every field, to edit it. Without a field marked with * the assistant says that it\n" +
		"does not know; without any other a placeholder remains. Texts are Spanish, on one line, of at most 300 characters.\n\n")
	for _, f := range clinic.Fields {
		mark := ""
		if f.Optional {
			mark = "*"
		}
		fmt.Fprintf(&b, "  %-18s%s\n", f.Name+mark, f.About)
	}
	return b.String()
}

// clinicFile is the file that a command is about; empty for the built-in facts.
func clinicFile(given []string) (string, error) {
	if len(given) > 0 {
		return given[0], nil
	}
	c, err := settings.Load(os.Environ())
	if err != nil {
		return "", command.Misuse(fmt.Errorf("configuration:\n%w", err))
	}
	return c.ClinicFile, nil
}

// ClinicReport is what is to be said of a clinic's file. Only a file without mistakes has more.
type ClinicReport struct {
	File         string          `json:"file"`
	Mistakes     clinic.Mistakes `json:"mistakes"`
	Placeholders []pathAndValue  `json:"placeholders"`
	NotTold      []pathAndName   `json:"notTold"`
}

type pathAndValue struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

type pathAndName struct {
	Path string `json:"path"`
	Name string `json:"name"`
}

func checkClinic(given []string) (ClinicReport, error) {
	file, err := clinicFile(given)
	r := ClinicReport{file, clinic.Mistakes{}, []pathAndValue{}, []pathAndName{}}
	if err != nil {
		return r, err
	}
	facts, err := app.ReadFacts(r.File)
	if errors.As(err, &r.Mistakes) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	made := map[string]bool{}
	for _, f := range facts.Placeholders() {
		made[f.Path] = true
		r.Placeholders = append(r.Placeholders, pathAndValue{f.Path, f.Value})
	}
	for _, f := range facts.Untold() {
		// A made-up link is not told either. It is to be mended, so that it is not among what may stay so.
		if !made[f.Path] {
			r.NotTold = append(r.NotTold, pathAndName{f.Path, f.Name})
		}
	}
	return r, nil
}

func (r ClinicReport) found() error {
	if len(r.Mistakes)+len(r.Placeholders) > 0 {
		return command.ErrFound
	}
	return nil
}

func (r ClinicReport) print(w io.Writer) {
	file := r.File
	if file == "" {
		file = "the built-in facts"
	}
	for _, m := range r.Mistakes {
		place := file
		if m.Line > 0 {
			place = fmt.Sprintf("%s:%d", file, m.Line)
		}
		m.Line = 0
		fmt.Fprintf(w, "%s: %s\n", place, m.Error())
	}
	if len(r.Mistakes) > 0 {
		fmt.Fprintf(w, "%s; a program would not start with this file.\n", amount(len(r.Mistakes), "mistake", "mistakes"))
		return
	}
	for _, p := range r.Placeholders {
		fmt.Fprintf(w, "placeholder  %-22s %s\n", p.Path, p.Value)
	}
	for _, f := range r.NotTold {
		fmt.Fprintf(w, "not told     %-22s %s\n", f.Path, f.Name)
	}
	fmt.Fprintf(w, "%s: no mistakes, %s, %s not told.\n", file, amount(len(r.Placeholders), "placeholder", "placeholders"), amount(len(r.NotTold), "fact", "facts"))
}

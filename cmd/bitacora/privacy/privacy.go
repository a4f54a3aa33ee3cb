// Package privacy has the commands that find, export, restrict and erase the data of a person, or by age.
package privacy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bitacora/adapters/dossier"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
	"bitacora/domain/subjects"
	"bitacora/domain/teaching"
)

// publicIdentifiers are those of the clinic and the names of its people.
func publicIdentifiers(ctx context.Context, a *app.App) ([]privacy.Identifier, error) {
	content, _, err := a.DB.Content().Read(ctx)
	if err != nil {
		return nil, err
	}
	var public []privacy.Identifier
	for _, contact := range a.Clinic.Contacts() {
		if id, err := privacy.ParseIdentifier(contact); err == nil {
			public = append(public, id)
		}
	}
	for _, profile := range content.Profiles {
		public = append(public, privacy.Mentioned(profile.Name)...)
	}
	return public, nil
}

// SubjectRegister finds what is kept of persons, and does with it what they ask for.
func SubjectRegister(a *app.App) *subjects.Register {
	log := a.DB.Log()
	var tables subjects.Tables
	if a.Builds != nil {
		tables = withSetAside{a.Builds.Withdrawer, a.Engines()}
	}
	return &subjects.Register{
		Log: log, Index: log, Tasks: log, Tables: tables, Letters: app.OutboxFolder(a),
		Bookings: assistant.NewChatService(a, log), Answers: TeachingRegister(a), Now: time.Now, Sleep: command.Pause,
		Public: func(ctx context.Context) ([]privacy.Identifier, error) { return publicIdentifiers(ctx, a) },
		Names: func(ctx context.Context) (map[string]string, error) {
			accounts, err := a.DB.Staff().Accounts(ctx)
			names := map[string]string{}
			for _, account := range accounts {
				names[account.ID] = account.Email
			}
			return names, err
		},
	}
}

// TeachingRegister changes answers, and tries none.
func TeachingRegister(a *app.App) *teaching.Register {
	return &teaching.Register{
		Store: a.DB.Teaching(), Clinic: a.Clinic, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
}

// NewPrivacy is "bitacora privacy".
func NewPrivacy() *cobra.Command {
	c := command.Group(&cobra.Command{Use: "privacy", Short: "Find, export, restrict and erase the data of a person"},
		newPrivacyFind(), newPrivacyExport(), newPrivacyRestrict(), newPrivacyErase(), newPrivacyNewsletter())
	c.Long = `Find, export, restrict and erase the data of a person.

WHO is a phone number, an e-mail address, a document's number, a full name, or the id of a
conversation or a contact message. A contact in one record leads to the other records with
it; a name does not, because several people may have it. Reasons and taught answers of the staff that
name the person are found and erased as well.`
	return c
}

// chosen is which subjects of a person are meant.
type chosen struct {
	only   bool
	except []string
}

func (o *chosen) flags(c *cobra.Command) {
	c.Flags().BoolVar(&o.only, "only", false, "only the records of WHO, without those that they lead to")
	c.Flags().StringSliceVar(&o.except, "except", nil, "not these ids")
}

// find gives what is kept of a person, as far as it is meant.
func (o chosen) find(ctx context.Context, a *app.App, who string) (subjects.Person, error) {
	if strings.TrimSpace(who) == "" {
		return subjects.Person{}, command.Misuse(errors.New("nobody is named"))
	}
	if err := a.DB.Log().IndexSubjects(ctx, nil); err != nil {
		return subjects.Person{}, err
	}
	person, err := SubjectRegister(a).Find(ctx, who)
	if err != nil {
		return person, explainNobody(err, who)
	}
	if o.only {
		person = person.Only()
	}
	for _, id := range o.except {
		if !slices.ContainsFunc(person.Records, func(r subjects.Record) bool { return r.ID == id }) &&
			!slices.ContainsFunc(person.Mentions, func(m subjects.Mention) bool { return m.ID() == id }) {
			return person, command.Misuse(fmt.Errorf("--except: %s is not among what was found", id))
		}
	}
	person = person.Except(o.except...)
	if len(person.Records)+len(person.Mentions) == 0 {
		return person, command.Misuse(errors.New("nothing is left of what was found"))
	}
	return person, nil
}

func explainNobody(err error, who string) error {
	if errors.Is(err, subjects.ErrNobody) {
		return fmt.Errorf("nothing is kept of %q: name a phone number, an e-mail address, a document's number, a full name or an id as the person wrote it", who)
	}
	return err
}

func newPrivacyFind() *cobra.Command {
	var o chosen
	c := app.LogCommand("find WHO", "Show the data of a person, and the way to each record",
		"  bitacora privacy find 6900-1234\n  bitacora privacy find \"Ana Ruiz\"\n  bitacora privacy find ana@example.com\n  bitacora privacy find 8-123-456\n  bitacora privacy find b4q8k1m2n3p4r5s6",
		cobra.ExactArgs(1), func(ctx context.Context, a *app.App, args []string) error {
			person, err := o.find(ctx, a, args[0])
			if err != nil {
				return err
			}
			return printPerson(os.Stdout, a, person)
		})
	o.flags(c)
	return c
}

func printPerson(out io.Writer, a *app.App, p subjects.Person) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	if len(p.Records) == 0 {
		return printMentions(out, a, p)
	}
	fmt.Fprintln(w, "KIND\tID\tCAME\tFOUND BY\tNAME\tHOLDS\tSTATE")
	for _, r := range p.Records {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Kind, r.ID, r.CameAt.In(a.Clinic.Zone).Format("2006-01-02 15:04"), foundBy(r.Found), r.Reach().Name, holds(r), stateOf(r))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range p.Records {
		if b := r.Appointment(time.Now()); b != nil {
			fmt.Fprintf(out, "\nappointment to come: %s, %s (%s)\n", b.Slot.In(a.Clinic.Zone).Format("2006-01-02 15:04"), b.Specialty, r.ID)
		}
	}
	if len(p.Mentions) > 0 {
		fmt.Fprintln(out)
	}
	return printMentions(out, a, p)
}

// printMentions lists the texts of the staff that tell of a person.
func printMentions(out io.Writer, a *app.App, p subjects.Person) error {
	if len(p.Mentions) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "TEXT OF THE STAFF\tEVENT\tPOSITION\tWRITTEN\tERASING IT")
	for _, m := range p.Mentions {
		does := "destroys its key"
		switch {
		case !m.Sealed && m.Slug != "":
			does = "withdraws the answer if the clinic gives it; the event keeps the text in the clear"
		case !m.Sealed:
			does = "is not possible: the event keeps it in the clear"
		case m.Slug != "":
			does += ", and withdraws the answer if the clinic gives it"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", m.ID(), m.Type, m.Position, m.At.In(a.Clinic.Zone).Format("2006-01-02 15:04"), does)
	}
	return w.Flush()
}

func foundBy(l subjects.Link) string {
	if l.From == "" {
		return l.By
	}
	return l.By + " told in " + l.From
}

func holds(r subjects.Record) string {
	var parts []string
	for _, part := range []struct {
		n    int
		name string
	}{
		{len(r.Texts), "texts"}, {len(r.Contacts), "contacts"}, {len(r.Bookings), "bookings"}, {len(r.Notes), "notes"},
		{len(r.Ratings), "ratings"}, {len(r.Visits), "visits"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.name))
		}
	}
	return strings.Join(parts, ", ")
}

func stateOf(r subjects.Record) string {
	switch {
	case r.Erased:
		return "erased"
	case r.Restricted:
		return "restricted"
	}
	return "kept"
}

func newPrivacyExport() *cobra.Command {
	var o chosen
	var format, file string
	c := app.LogCommand("export WHO", "Write all data of a person into a file for them",
		"  bitacora privacy export 6900-1234\n  bitacora privacy export ana@example.com --format json --output ana.json",
		cobra.ExactArgs(1), func(ctx context.Context, a *app.App, args []string) error {
			person, err := o.find(ctx, a, args[0])
			if err != nil {
				return err
			}
			return exportPerson(ctx, a, person, format, file)
		})
	o.flags(c)
	c.Flags().StringVar(&format, "format", subjects.HTML, "html or json")
	c.Flags().StringVar(&file, "output", "", "the file, which must not exist, or - for standard output; default: a name in this directory")
	c.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains(subjects.Formats, format) {
			return command.Misuse(fmt.Errorf("there is no format %q, but html and json", format))
		}
		return nil
	}
	return c
}

func exportPerson(ctx context.Context, a *app.App, person subjects.Person, format, file string) (err error) {
	copied, err := SubjectRegister(a).Export(ctx, person, event.ByOperator, format)
	if err != nil {
		return err
	}
	if file == "-" {
		return dossier.Write(os.Stdout, copied, format, a.Clinic)
	}
	if file == "" {
		file = dossier.FileName(copied, format, a.Clinic)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write copy: %w", err)
	}
	if err := errors.Join(dossier.Write(f, copied, format, a.Clinic), f.Sync(), f.Close()); err != nil {
		return err
	}
	fmt.Printf("%d records are in %s\nwho took it is in the log; the file itself is yours to keep from others\n", len(copied.Records), file)
	return nil
}

// reasonFlag asks for a reason in one of the words that the log takes.
func reasonFlag(c *cobra.Command, reason *string) {
	c.Flags().StringVar(reason, "reason", event.ReasonRequest, strings.Join(event.SubjectReasons, ", "))
	c.PreRunE = func(*cobra.Command, []string) error {
		if !slices.Contains(event.SubjectReasons, *reason) {
			return command.Misuse(fmt.Errorf("there is no reason %q, but %s", *reason, strings.Join(event.SubjectReasons, ", ")))
		}
		return nil
	}
}

func newPrivacyRestrict() *cobra.Command {
	var o chosen
	var lift bool
	var reason string
	c := app.Command("restrict WHO", "Restrict the use of a person's data, or end the restriction",
		"  bitacora privacy restrict 6900-1234\n  bitacora privacy restrict 6900-1234 --lift",
		cobra.ExactArgs(1), func(ctx context.Context, a *app.App, args []string) error {
			person, err := o.find(ctx, a, args[0])
			if err != nil {
				return err
			}
			pending, err := SubjectRegister(a).Restrict(ctx, subjects.Restriction{By: event.ByOperator, On: !lift, Reason: reason, Subjects: person.Streams()})
			if err != nil {
				return err
			}
			if lift {
				fmt.Printf("%s may be used again.\n", ids(person))
			} else {
				fmt.Printf("%s is kept and not used: no dashboard, file or letter shows it, and the chat goes no further.\n", ids(person))
			}
			if pending {
				fmt.Println(pendingTables)
			}
			return nil
		})
	o.flags(c)
	reasonFlag(c, &reason)
	c.Flags().BoolVar(&lift, "lift", false, "end the restriction")
	return c
}

// pendingTables says what of an erasure or a restriction is not done yet.
const pendingTables = `pending: tables in ClickHouse that could not be reached or are behind; "bitacora serve" changes them by itself`

func ids(p subjects.Person) string {
	var all []string
	for _, r := range p.Records {
		all = append(all, r.ID)
	}
	return strings.Join(all, ", ")
}

// erasing is how somebody is erased.
type erasing struct {
	chosen
	reason           string
	yes, now, cancel bool
}

func newPrivacyErase() *cobra.Command {
	var e erasing
	c := app.Command("erase WHO", "Erase what is kept of a person, for good",
		"  bitacora privacy erase 6900-1234\n  bitacora privacy erase b4q8k1m2n3p4r5s6 --only --yes\n  bitacora privacy erase ana@example.com --cancel-bookings --now",
		cobra.ExactArgs(1), func(ctx context.Context, a *app.App, args []string) error {
			person, err := e.find(ctx, a, args[0])
			if err != nil {
				return err
			}
			if err := e.confirm(a, person, command.Stdin(ctx)); err != nil {
				return err
			}
			return e.erase(ctx, a, person)
		})
	command.WhenLeft(c, `what was begun goes on by itself, here or in "bitacora serve"; what was not, the same command again does`)
	c.Long = `Erase the data of a person for good: their keys are destroyed, and the tables lose their texts. The
numbers still count them. An interrupted erasure continues by itself, here or in "bitacora serve".
The command asks for the name that it found.`
	e.flags(c)
	reasonFlag(c, &e.reason)
	c.Flags().BoolVar(&e.yes, "yes", false, "do not ask, for scripts")
	c.Flags().BoolVar(&e.now, "now", false, "rotate the keys at once instead of tonight: provable from then on")
	c.Flags().BoolVar(&e.cancel, "cancel-bookings", false, "also cancel an appointment to come, which gives its chair back")
	return c
}

// confirm asks to type the name of whoever is erased.
func (e erasing) confirm(a *app.App, person subjects.Person, in io.Reader) error {
	if e.yes {
		return nil
	}
	if err := printPerson(os.Stderr, a, person); err != nil {
		return err
	}
	name := person.Name()
	fmt.Fprintf(os.Stderr, "\nThis cannot be taken back. To erase it all, type: %s\n> ", name)
	typed, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read confirmation: %w", err)
	}
	if strings.TrimSpace(typed) != name {
		return command.Misuse(errors.New("that is not what was asked for: nothing was erased (--yes does not ask)"))
	}
	return nil
}

func (e erasing) erase(ctx context.Context, a *app.App, person subjects.Person) error {
	report, err := SubjectRegister(a).Erase(ctx, subjects.Erasure{
		By: event.ByOperator, Reason: e.reason, Subjects: person.Streams(), Mentions: person.Mentions, CancelBookings: e.cancel,
	})
	if err != nil {
		return err
	}
	if e.now {
		done, err := app.Rotate(ctx, a.DB.Log(), nil)
		if err != nil {
			return fmt.Errorf("it is erased, and provable tonight: %w", err)
		}
		report.ProvableBy = done.At
	}
	printErasure(os.Stdout, a, report)
	return nil
}

func printErasure(out io.Writer, a *app.App, r subjects.Report) {
	at := func(t time.Time) string { return t.In(a.Clinic.Zone).Format("2006-01-02 15:04") }
	if len(r.Withdrawn) > 0 {
		fmt.Fprintf(out, "answers that the clinic gives no more: %s\n", strings.Join(r.Withdrawn, ", "))
	}
	if len(r.OutOfReach) > 0 {
		fmt.Fprintf(out, "out of reach: events from before texts of the staff were sealed, at positions %s\n", strings.Trim(fmt.Sprint(r.OutOfReach), "[]"))
	}
	if len(r.Subjects) == 0 {
		return
	}
	fmt.Fprintf(out, "erased: %s\n", strings.Join(r.Subjects, ", "))
	fmt.Fprintf(out, "the log: its keys were destroyed, with what finds them (%s)\n", at(r.ErasedAt))
	if len(r.Tables) > 0 {
		fmt.Fprintf(out, "tables without their texts, on the disk too: %s\n", strings.Join(r.Tables, ", "))
	}
	if len(r.Waiting) > 0 {
		fmt.Fprintf(out, "tables that lose them as soon as they are up to date or compared, by themselves: %s\n", strings.Join(r.Waiting, ", "))
	}
	if r.Pending {
		fmt.Fprintln(out, pendingTables)
	}
	if r.Cancelled > 0 {
		fmt.Fprintf(out, "appointments cancelled: %d\n", r.Cancelled)
	}
	fmt.Fprintf(out, "letters removed from the outbox: %d\n", r.Letters)
	fmt.Fprintf(out, "provable by: %s, when the key that wrapped theirs is destroyed, also for copies of the log\n", at(r.ProvableBy))
	fmt.Fprintln(out, "out of reach: letters that were sent, and files that were downloaded")
}

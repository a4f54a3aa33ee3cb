// Package setup begins a clinic: its files and settings, the demo, and whose commands may run as root.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// NewInit is "bitacora init".
func NewInit() *cobra.Command {
	var set []string
	var yes, fromStdin bool
	c := command.Needing(command.NeedsLog, &cobra.Command{
		Use:   "init",
		Short: "Begin a clinic: ask for its facts and settings, and write its files",
		Long: `Begin a clinic: ask for its facts and settings, and write two files that can be edited afterwards:
the settings (bitacora.env where the command is called, or the file that --config names) and the
clinic's facts (clinic.json beside it). Secrets are made. At the end the dashboard's first account
is made, which begins the data directory; without an address for it, that is left for later.

Nothing that is there is changed. Ctrl-C before the end leaves nothing behind.

For scripts: --yes asks nothing, and --set answers. A name is that of a setting (see
"bitacora serve --help") or one of
` + paragraph(strings.Join(factKeys(), ", "), "  "),
		Example: `  bitacora init
  bitacora init --config /etc/bitacora/bitacora.env --set BITACORA_DATA_DIR=/var/lib/bitacora
  bitacora init --yes --set name="Clínica del Istmo" --set phones="+507 433-7110" --set BITACORA_MONTHLY_LIMIT=1000`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			b := beginning{in: command.NewPrompt(c.InOrStdin(), c.OutOrStdout()), out: c.OutOrStdout(), yes: yes, passwordFromStdin: fromStdin}
			return b.run(c.Context(), set)
		},
	})
	c.Flags().StringArrayVar(&set, "set", nil, "answer in advance, NAME=value; may be given often")
	c.Flags().BoolVar(&yes, "yes", false, "ask nothing: a setting without --set keeps its default, a fact without --set is left out")
	c.Flags().BoolVar(&fromStdin, accounts.StdinFlag, false, "with --yes: read the password of the owner's account from standard input")
	return c
}

// beginning is a run of init.
type beginning struct {
	in                     *command.Prompt
	out                    io.Writer
	yes, passwordFromStdin bool

	config, clinic string // the files
	// has says that there is a clinic's file already, which is kept.
	has      bool
	answered answers
	password string
}

func (b *beginning) run(ctx context.Context, set []string) error {
	if err := b.look(); err != nil {
		return err
	}
	if err := b.answer(ctx, set); err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	written, err := b.write()
	if err != nil {
		return err
	}
	fmt.Fprintln(b.out)
	for _, w := range written {
		fmt.Fprintf(b.out, "Written: %s\n", w)
	}
	made := b.account(ctx)
	b.next(made == nil)
	return made
}

// look finds where the files go, and refuses to change what is there.
func (b *beginning) look() error {
	b.config = cmp.Or(os.Getenv(settings.ConfigVariable), settings.LocalConfig)
	if b.config == settings.NoConfig {
		return command.Misuse(fmt.Errorf("%s=%s leaves no file to write: name one with --%s", settings.ConfigVariable, settings.NoConfig, settings.ConfigFlag))
	}
	if _, mistakes := settings.Read(withConfig(settings.NoConfig)); len(mistakes) > 0 {
		return command.Misuse(fmt.Errorf("the environment:\n%w", errors.Join(mistakes...)))
	}
	dir := filepath.Dir(b.config)
	if about, err := os.Stat(dir); err != nil || !about.IsDir() {
		return command.Misuse(fmt.Errorf("%s is no directory: make it first (mkdir -p %s)", dir, dir))
	}
	if err := RefuseRoot(dir); err != nil {
		return err
	}
	switch _, err := os.Lstat(b.config); {
	case err == nil:
		return b.there()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look for %s: %w", b.config, err)
	}
	return nil
}

func withConfig(file string) []string { return append(os.Environ(), settings.ConfigVariable+"="+file) }

// there says what an earlier run has left.
func (b *beginning) there() error {
	err := fmt.Errorf("%s is there already: nothing was changed", b.config)
	c, mistakes := settings.Load(withConfig(b.config))
	if mistakes != nil {
		return fmt.Errorf("%w. It has mistakes:\n%w", err, mistakes)
	}
	fmt.Fprintf(b.out, "settings        %s\nclinic's facts  %s\n", b.config, cmp.Or(c.ClinicFile, "the built-in placeholders (BITACORA_CLINIC_FILE names no file)"))
	a := &app.App{Config: c}
	if a.Begun() == nil {
		fmt.Fprintf(b.out, "data            %s\n", c.DataDir)
	} else {
		fmt.Fprintf(b.out, "data            none yet in %s: %s serve begins it\n", c.DataDir, b.called())
	}
	return err
}

// called is how this program was called, with the configuration file where others would not find it.
func (b *beginning) called() string {
	name := os.Args[0]
	if !settings.FoundByItself(b.config) {
		name += " --" + settings.ConfigFlag + " " + b.config
	}
	return name
}

// write makes both files, the configuration last: where that is, everything is.
func (b *beginning) write() (written []string, err error) {
	if !b.has {
		if err := writeNew(b.clinic, b.answered.clinicFile(), 0o644); err != nil {
			return nil, err
		}
		written = append(written, b.clinic+", the clinic's facts")
	}
	text, err := configText(b.answered)
	if err == nil {
		err = writeNew(b.config, text, 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, b.takeBack(written))
	}
	return append(written, b.config+", the settings. Only you can read it: it holds the master key, without which nobody reads what patients wrote. Keep a copy elsewhere."), nil
}

func (b *beginning) takeBack(written []string) error {
	if len(written) == 0 {
		return nil
	}
	return os.Remove(b.clinic)
}

// writeNew makes a file at once, and only where there is none.
func writeNew(path string, text []byte, mode fs.FileMode) (err error) {
	draft, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Chmod(mode), draft.Sync(), draft.Close()); err == nil {
		err = os.Link(draft.Name(), path)
	}
	return fault.Wrap(err, "write "+path)
}

// account makes the owner's, which begins the data directory.
func (b *beginning) account(ctx context.Context) error {
	email := b.answered[ownerKey]
	if email == "" {
		return nil
	}
	again := fmt.Sprintf("%[1]s serve, and beside it %[1]s staff add %[2]s --role %[3]s", b.called(), email, staff.RoleOwner)
	err := b.addOwner(ctx, email)
	if errors.Is(err, staff.ErrAccountExists) {
		fmt.Fprintf(b.out, "%s has an account already, and keeps its password.\n", email)
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: the files are written, but the account is not made: %s", command.ErrInterrupted, again)
	}
	if err != nil {
		return fmt.Errorf("the files are written, but the account is not made: %w\nonce that is mended: %s", err, again)
	}
	fmt.Fprintf(b.out, "%s may sign in now, as %s.\n", email, staff.RoleOwner)
	return nil
}

func (b *beginning) addOwner(ctx context.Context, email string) (err error) {
	if err := os.Setenv(settings.ConfigVariable, b.config); err != nil {
		return err
	}
	a, err := app.Configure()
	if err != nil {
		return err
	}
	a.LogAlone = true
	hash, err := password.New(b.password, email, a.Clinic.Name)
	if err != nil {
		return err
	}
	fmt.Fprintln(b.out, "Beginning the data directory", a.Config.DataDir, "…")
	if err := a.Open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	_, err = accounts.StaffRegister(a).Add(ctx, accounts.Operator, email, hash, staff.RoleOwner)
	return err
}

// next says what is still made up, and how to go on.
func (b *beginning) next(withAccount bool) {
	fmt.Fprintln(b.out)
	if facts, err := app.ReadFacts(b.clinic); err == nil {
		if made := app.MadeUp(facts); len(made) > 0 {
			fmt.Fprintf(b.out, "Still made up in %s: %s\n", b.clinic, strings.Join(made, ", "))
			if (settings.Config{SiteURL: b.answered["BITACORA_SITE_URL"], Domains: commaList(b.answered["BITACORA_DOMAIN"])}).Public() {
				fmt.Fprintln(b.out, "Until you replace them, serve does not start with a public address, unless BITACORA_PLACEHOLDERS=allow.")
			}
			fmt.Fprintln(b.out)
		}
		if left := app.LeftOut(facts); len(left) > 0 {
			fmt.Fprintf(b.out, "Left out of %s: %s. Tell them too: %s\n\n", b.clinic, strings.Join(left, ", "), app.WithoutThem)
		}
	}
	fmt.Fprintln(b.out, "Next:")
	list := [][2]string{{"clinic check", "report placeholders and missing facts"}, {"serve", "run the site"}, {"doctor", "examine the installation"}}
	if b.answered[ownerKey] == "" && withAccount {
		list = append(list, [2]string{"staff add EMAIL --role owner", "add an account for the dashboard, while serve runs"})
	}
	for _, l := range list {
		fmt.Fprintf(b.out, "  %-44s # %s\n", b.called()+" "+l[0], l[1])
	}
}

// freshKey is a master key for a data directory that begins; empty for one that has its keys, also where
// they were brought for a restore.
func freshKey(c settings.Config) string {
	if held, err := filepath.Glob(filepath.Join(c.Keys().Dir, "*.key")); err != nil || len(held) > 0 || (engines.Config{DataDir: c.DataDir}).Begun() {
		return ""
	}
	return keyfiles.NewMasterKey().Text()
}

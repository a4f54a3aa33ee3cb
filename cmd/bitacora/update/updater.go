package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/serve"
	"bitacora/cmd/bitacora/settings"
)

// updater replaces the release that a link names.
type updater struct {
	link, keys, restart string
	patience            time.Duration
	installed           string // the folder that the link names
	now                 manifest
	settings            settings.Config
}

func (u *updater) flags(c *cobra.Command) {
	c.Flags().StringVar(&u.link, "link", "", "link to the installed release (default: the link beside the folder of this program's release)")
	c.Flags().StringVar(&u.keys, "keys", "", "file with the public keys of releases (default: "+keysFile+" of the installed release)")
}

// candidate is a release that is unpacked and not yet installed.
type candidate struct {
	manifest
	folder string
	// temporary is the directory that it was unpacked into.
	temporary string
	// parting says that the installed release cannot go on after its migrations.
	parting bool
}

func (c *candidate) discard() { os.RemoveAll(c.temporary) }

// beside is the directory of the link and of what it names.
func (u *updater) beside() string { return filepath.Dir(u.link) }

// open verifies an archive and unpacks it into a directory of its own.
func (u *updater) open(ctx context.Context, path string, below func() string) (c *candidate, err error) {
	if u.settings, err = settings.Load(os.Environ()); err != nil {
		return nil, command.Misuse(fmt.Errorf("configuration:\n%w", err))
	}
	if err := u.find(); err != nil {
		return nil, err
	}
	keys, err := keysIn(cmp.Or(u.keys, filepath.Join(u.installed, keysFile)))
	if err != nil {
		return nil, err
	}
	archive, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	defer archive.Close()
	if err := verify(ctx, archive, keys); err != nil {
		return nil, err
	}
	c = new(candidate)
	if c.temporary, err = os.MkdirTemp(below(), ".bitacora-update-"); err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	defer func() {
		if err != nil {
			c.discard()
		}
	}()
	// The release's programs are run by the user of the service.
	if err := os.Chmod(c.temporary, 0o755); err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	if c.folder, err = unpack(ctx, archive, c.temporary); err != nil {
		return nil, err
	}
	c.manifest, err = manifestOf(c.folder)
	return c, err
}

// alone holds the directory of the link until it is closed, so that no other update changes it meanwhile.
func (u *updater) alone() (io.Closer, error) {
	if err := u.find(); err != nil {
		return nil, err
	}
	held, err := os.Open(u.beside())
	if err != nil {
		return nil, fmt.Errorf("find the installed release: %w", err)
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		held.Close()
		return nil, fmt.Errorf("another update in %s is under way: nothing was changed", u.beside())
	}
	return held, nil
}

// find looks for the installed release.
func (u *updater) find() error {
	if u.link == "" {
		program, err := os.Executable()
		if err == nil {
			program, err = filepath.EvalSymlinks(program)
		}
		if err != nil {
			return fmt.Errorf("find the installed release: %w", err)
		}
		u.link = filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(program))), "bitacora")
	}
	if info, err := os.Lstat(u.link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		return fmt.Errorf("%s is no link to an installed release: install one as schema/PRODUCTION.md says, or name its link with --link", u.link)
	}
	folder, err := filepath.EvalSymlinks(u.link)
	if err != nil {
		return fmt.Errorf("find the installed release: %w", err)
	}
	u.installed = folder
	return nil
}

// report compares a candidate with the installed release, and asks it for its migrations.
func (u *updater) report(ctx context.Context, c *candidate) error {
	var err error
	if u.now, err = manifestOf(u.installed); err != nil {
		return err
	}
	fmt.Printf("installed       %s\narchive         %s, signed\n", u.now, c.manifest)
	if !c.Committed.After(u.now.Committed) {
		return errors.New("the archive is not newer than the installed release: nothing was changed")
	}
	out, err := u.program(ctx, c.folder, "serve", "--check-migrations").CombinedOutput()
	c.parting = exitCode(err) == command.ExitFound
	if err != nil && !c.parting {
		return fmt.Errorf("ask the new release for its migrations: %w\n%s", err, out)
	}
	fmt.Printf("migrations      %s\n", strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "\n                "))
	return nil
}

// program is a release's bitacora, as the user to whom the data belong.
func (u *updater) program(ctx context.Context, folder string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, filepath.Join(folder, "bin", "bitacora"), args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	for _, dir := range u.settings.Places() {
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		if owner := info.Sys().(*syscall.Stat_t); os.Geteuid() == 0 && owner.Uid != 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
		}
		break
	}
	return c
}

// apply installs a candidate. Ctrl-C ends it before the link changes; after that it goes on to its end.
func (u *updater) apply(ctx context.Context, c *candidate) error {
	target := filepath.Join(filepath.Dir(u.link), filepath.Base(c.folder))
	if _, err := os.Stat(target); err == nil {
		return fmt.Errorf("%s is there already: remove it if it is no release that you keep", target)
	}
	backup := "before-" + c.Version
	if out, err := u.program(ctx, u.installed, "backup", backup).CombinedOutput(); err != nil {
		return fmt.Errorf("nothing was changed, since there is no backup: %w\n%s", err, out)
	}
	fmt.Printf("backup          %s\n", backup)
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	if err := os.Rename(c.folder, target); err != nil {
		return fmt.Errorf("install the release: %w", err)
	}
	err := u.run(ctx, target, c.Commit)
	if err == nil {
		fmt.Printf("runs            %s; %s is kept\n", target, u.installed)
		return nil
	}
	if c.parting {
		return fmt.Errorf("%w\nThe former release cannot go on after the migrations: mend the cause and restart, or restore %s with it", err, backup)
	}
	if back := u.run(ctx, u.installed, u.now.Commit); back != nil {
		return errors.Join(err, fmt.Errorf("return to the former release: %w", back))
	}
	return fmt.Errorf("%w\n%s runs again, and all that was acknowledged is there. %s is kept; remove it before the next try", err, u.installed, target)
}

// run lets the link name a release, restarts, and waits until it is ready.
func (u *updater) run(ctx context.Context, folder, commit string) error {
	next := u.link + ".next"
	err := os.Remove(next)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = os.Symlink(folder, next)
	}
	if err == nil {
		err = os.Rename(next, u.link)
	}
	if err != nil {
		return fmt.Errorf("change the link: %w", err)
	}
	if out, err := exec.CommandContext(ctx, "sh", "-c", u.restart).CombinedOutput(); err != nil {
		return fmt.Errorf("restart with %s: %w\n%s", folder, err, out)
	}
	for end := time.Now().Add(u.patience); ; command.Pause(ctx, 250*time.Millisecond) {
		said, err := u.program(ctx, folder, "health").CombinedOutput()
		if err == nil {
			err = u.answers(ctx, commit)
		} else {
			err = errors.New(strings.TrimSpace(string(said)))
		}
		if err == nil || time.Now().After(end) {
			if err != nil {
				err = fmt.Errorf("%s is not ready after %v: %w", folder, u.patience, err)
			}
			return err
		}
	}
}

// answers asks the metrics which release runs: a restart of something else would leave the former.
func (u *updater) answers(ctx context.Context, commit string) error {
	if u.settings.MetricsAddr == settings.MetricsOff {
		return nil
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+serve.HereAt(u.settings.MetricsAddr)+"/metrics", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && !strings.Contains(string(text), `commit="`+commit+`"`) {
		err = errors.New("another release answers: --restart names the command that restarts this clinic's program")
	}
	return err
}

func exitCode(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	return 0
}

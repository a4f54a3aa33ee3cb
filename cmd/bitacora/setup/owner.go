package setup

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
)

// EffectiveUser is who runs this process. Tests give another one.
var EffectiveUser = os.Geteuid

// AsOwner keeps root from running a command of the tree in a directory of another user.
func AsOwner(c *cobra.Command) {
	for _, sub := range c.Commands() {
		AsOwner(sub)
	}
	run := c.RunE
	if run == nil || c.Example == "" || c.Annotations[command.Needs] == command.NeedsNothing {
		return
	}
	c.RunE = func(c *cobra.Command, given []string) error {
		cfg, _ := settings.Load(os.Environ()) // the command reports its mistakes
		if err := RefuseRoot(cfg.Places()...); err != nil {
			return err
		}
		return run(c, given)
	}
}

// RefuseRoot sends root away where the first directory that there is belongs to another user, who
// could not use the files that root leaves. The error has the command to type.
func RefuseRoot(dirs ...string) error {
	if EffectiveUser() != 0 {
		return nil
	}
	for _, dir := range dirs {
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		owner := info.Sys().(*syscall.Stat_t)
		if owner.Uid == 0 {
			return nil
		}
		name, as := OwnerOf(owner)
		return command.Misuse(fmt.Errorf("%s belongs to %s, who could not use the files that root leaves there: %s %s", dir, name, as, command.ShellWords(os.Args...)))
	}
	return nil
}

// OwnerOf is the name of a file's owner, and the command that runs others as that user.
func OwnerOf(file *syscall.Stat_t) (name, as string) {
	if u, err := user.LookupId(strconv.Itoa(int(file.Uid))); err == nil {
		return "the user " + u.Username, "runuser -u " + u.Username + " --"
	}
	return fmt.Sprint("the user ", file.Uid), fmt.Sprintf("setpriv --reuid=%d --regid=%d --clear-groups", file.Uid, file.Gid)
}

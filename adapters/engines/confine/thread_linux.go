package confine

import (
	"errors"
	"fmt"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"bitacora/domain/fault"
)

// Thread leaves the calling thread, and what it starts from now on, these paths and, since
// Linux 6.7, these ports; where it is not [Possible], it does nothing. Paths that do not exist
// are passed over. Other processes' entries in /proc are then closed to it by the kernel itself.
//
// The caller must be locked to its thread. Other threads of the process go on as before, so
// that a program confines itself as a whole by executing itself again.
func Thread(needed map[string]Rights, ports Ports) error {
	if !Possible() {
		return nil
	}
	handled := Rights(landlock.AccessFSRefer<<1 - 1)
	if abi() >= 3 {
		handled |= landlock.AccessFSTruncate
	}
	attributes := landlock.RulesetAttr{HandledAccessFS: uint64(handled)}
	if abi() >= 4 {
		attributes.HandledAccessNet = landlock.AccessNetBindTCP | landlock.AccessNetConnectTCP
	}
	rules, err := landlock.LandlockCreateRuleset(&attributes, 0)
	if err != nil {
		return fmt.Errorf("create rules: %w", err)
	}
	defer unix.Close(rules)
	for path, rights := range needed {
		if err := allow(rules, path, rights&handled); err != nil {
			return fmt.Errorf("allow %s: %w", path, err)
		}
	}
	if attributes.HandledAccessNet != 0 {
		if err := ports.allow(rules); err != nil {
			return fmt.Errorf("allow ports: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	return fault.Wrap(landlock.LandlockRestrictSelf(rules, 0), "restrict thread")
}

func allow(rules int, path string, rights Rights) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFiles
	}
	return landlock.LandlockAddPathBeneathRule(rules, &landlock.PathBeneathAttr{ParentFd: fd, AllowedAccess: uint64(rights)}, 0)
}

func (p Ports) allow(rules int) error {
	for access, ports := range map[uint64][]uint64{landlock.AccessNetBindTCP: p.Bind, landlock.AccessNetConnectTCP: p.Connect} {
		for _, port := range ports {
			if err := landlock.LandlockAddNetPortRule(rules, &landlock.NetPortAttr{AllowedAccess: access, Port: port}, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

package engines

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Cause is the kind of reason for which the embedded ClickHouse is away.
type Cause string

// The causes. Only [Damaged] data are set aside: everything else keeps them whole.
const (
	// Starting: it has not answered yet, or ended for a reason that is not known.
	Starting Cause = "starting"
	// Damaged: files of the engine's own cannot be read, or were written by another version.
	Damaged Cause = "damaged"
	// Locked: another process uses the directory.
	Locked Cause = "locked"
	// DiskFull: the disk has no room.
	DiskFull Cause = "full"
	// Forbidden: the engine's user may not read or write the directory.
	Forbidden Cause = "forbidden"
	// Address: it cannot listen there, as where another program does.
	Address Cause = "address"
)

// Absence is why and since when the embedded ClickHouse does not answer.
type Absence struct {
	Cause Cause `json:"cause"`
	// Reason is a sentence for operators, Remedy the way out.
	Reason string    `json:"reason"`
	Remedy string    `json:"remedy,omitempty"`
	Since  time.Time `json:"since"`
}

func (a Absence) text() string { return strings.TrimSuffix(a.Reason+": "+a.Remedy, ": ") }

// signs are what the engine prints, by what it means. The first that is found counts.
var signs = []struct {
	cause Cause
	texts []string
}{
	{DiskFull, []string{"No space left on device", "Disk quota exceeded", "NOT_ENOUGH_SPACE"}},
	{Locked, []string{"another process uses it", "Another server instance in same directory"}},
	{Address, []string{addressInUse, "cannot assign requested address", "is not a loopback address"}},
	{Forbidden, []string{"permission denied", "Permission denied", "operation not permitted", "Operation not permitted", "Read-only file system"}},
	{Damaged, []string{
		"not a directory", "Not a directory", "Is a directory",
		"from metadata file", "from file metadata/", "in file store/", "in file metadata/",
		"(CORRUPTED_DATA)", "(CHECKSUM_DOESNT_MATCH)", "(UNKNOWN_FORMAT_VERSION)", "(TOO_MANY_UNEXPECTED_DATA_PARTS)",
		"(CANNOT_READ_ALL_DATA)", "(CANNOT_DECOMPRESS)", "(UNKNOWN_CODEC)", "(UNKNOWN_STORAGE)", "(ATTEMPT_TO_READ_AFTER_EOF)",
	}},
}

const addressInUse = "address already in use"

// classify finds the cause in the output of a run that ended, and in the directory as it was found.
func classify(output string, dir dirState) Cause {
	for _, s := range signs {
		if slices.ContainsFunc(s.texts, func(text string) bool { return strings.Contains(output, text) }) {
			return s.cause
		}
	}
	switch {
	case dir.notDirectory:
		return Damaged
	case dir.closed:
		return Forbidden
	}
	return Starting
}

// dirState is what became of the engine's directories.
type dirState struct {
	// missing, notDirectory and closed say that one of them is missing, is something else, or may not be
	// entered by the engine's user.
	missing, notDirectory, closed bool
}

// whole says that the engine can use them.
func (s dirState) whole() bool { return s == dirState{} }

// dirState looks at the directories without which the engine cannot work.
func (h home) dirState() (s dirState) {
	for _, dir := range []string{h.path(ClickHouse), h.path(ClickHouse, "data"), h.path(ClickHouse, "data", "engine")} {
		switch info, err := os.Stat(dir); {
		case err != nil:
			s.missing = true
		case !info.IsDir():
			s.notDirectory = true
		default:
			u := h.user
			if u == nil {
				u = &user{uint32(os.Geteuid()), uint32(os.Getegid())}
			}
			s.closed = s.closed || !u.mayUse(info, dir != h.path(ClickHouse))
		}
	}
	return s
}

// mayUse says whether u may enter a directory, and change it where it is the engine's own.
func (u user) mayUse(info os.FileInfo, own bool) bool {
	st := info.Sys().(*syscall.Stat_t)
	if own {
		return st.Uid == u.uid && info.Mode().Perm()&0o700 == 0o700
	}
	mode := info.Mode().Perm()
	switch {
	case st.Uid == u.uid:
		mode >>= 6
	case st.Gid == u.gid:
		mode >>= 3
	}
	return mode&enter == enter
}

// mend finds out why ClickHouse does not run, and repairs what may be repaired before its next run.
func (c *clickhouse) mend(err error, output string) Absence {
	a := c.absence(classify(output, c.home.dirState()), err)
	switch a.Cause {
	case Damaged:
		now := time.Now()
		if !c.home.mayBeSetAside(now) {
			a.Reason += "; others were set aside less than an hour ago, so these are kept for now"
			break
		}
		name, err := c.home.putAside(now)
		if err != nil {
			a.Reason += "; " + err.Error()
			break
		}
		c.log.Error("ClickHouse's files were set aside, and the tables are made anew", "set aside", name, "reason", a.Reason)
	case Forbidden:
		if err := c.home.repair(); err != nil {
			a.Reason += "; " + err.Error()
			break
		}
		c.log.Warn("ClickHouse's files were given to the engine's user again", "reason", a.Reason)
	}
	return a
}

// explain says why ClickHouse did not start, where that is known.
func (c *clickhouse) explain(err error, output string) error {
	cause := classify(output, c.home.dirState())
	if cause == Starting {
		return err
	}
	return errors.New("ClickHouse cannot start: " + c.absence(cause, err).text())
}

// absence says in the words of an operator why ClickHouse is away, and what to do.
func (c *clickhouse) absence(cause Cause, err error) Absence {
	dir := c.home.path(ClickHouse)
	a := Absence{Cause: cause, Reason: err.Error(), Remedy: "see " + c.home.path(ClickHouse, outputName) + "; it is tried again by itself"}
	switch cause {
	case DiskFull:
		a.Reason, a.Remedy = "the disk that holds "+dir+" is full", "free some space"
	case Address:
		a.Reason, a.Remedy = "the embedded ClickHouse cannot listen on "+c.addr, "name another address in BITACORA_CLICKHOUSE_ADDR"
		if strings.Contains(err.Error(), addressInUse) {
			a.Reason = "another program listens on " + c.addr + ", where the embedded ClickHouse should"
		}
	case Locked:
		a.Reason, a.Remedy = "another process uses "+filepath.Join(dir, "data"), "stop it"
	case Forbidden:
		a.Reason, a.Remedy = "the engine's user may not use "+dir, "give it to the user of bitacora serve (chown -R), which then goes on by itself"
	case Damaged:
		a.Reason, a.Remedy = "the files in "+dir+" are damaged, or another version's ("+err.Error()+")", "bitacora tables reset sets them aside and makes the tables anew, as bitacora serve does by itself once an hour"
	}
	return a
}

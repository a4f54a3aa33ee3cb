package engines

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// nobody is the user the engines run as under root when no engine data says otherwise.
const nobody = 65534

// user is an account without a name.
type user struct{ uid, gid uint32 }

// withUser decides whom the engines run as.
func withUser(h home) (home, error) {
	var owner *user
	for _, dir := range []string{h.path(Postgres, "data"), h.path(ClickHouse, "data")} {
		if info, err := os.Stat(dir); err == nil && owner == nil {
			st := info.Sys().(*syscall.Stat_t)
			owner = &user{st.Uid, st.Gid}
		}
	}
	u, ok := choose(uint32(os.Geteuid()), owner)
	if !ok {
		return home{}, fmt.Errorf("the databases in %s belong to the user %d: start as that user or as root, or name another directory in BITACORA_DATA_DIR", h.dir, owner.uid)
	}
	h.user = u
	return h, nil
}

// choose picks the engines' user, nil for this process's own. It must be the owner of the data that are
// there already, which only root can become.
func choose(me uint32, owner *user) (u *user, ok bool) {
	switch {
	case me == 0 && (owner == nil || owner.uid == 0):
		return &user{nobody, nobody}, true
	case me == 0:
		return owner, true
	}
	return nil, owner == nil || owner.uid == me
}

// Permission bits of one class of users.
const (
	enter = 0o1
	read  = 0o4
)

// blocked names the first directory on the way to path that u may not enter, or path itself when u lacks
// the wanted bits there. It is empty when nothing is in the way.
func (u user) blocked(path string, want fs.FileMode) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	for at, bits := real, want; ; at, bits = filepath.Dir(at), enter {
		info, err := os.Stat(at)
		if err != nil {
			return at
		}
		mode := info.Mode().Perm()
		switch st := info.Sys().(*syscall.Stat_t); {
		case st.Uid == u.uid:
			mode >>= 6
		case st.Gid == u.gid:
			mode >>= 3
		}
		if mode&bits != bits {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

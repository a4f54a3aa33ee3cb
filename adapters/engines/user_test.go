package engines

import (
	"os"
	"path/filepath"
	"testing"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		me    uint32
		owner *user
		want  *user
		ok    bool
	}{
		{"root, nothing there", 0, nil, &user{nobody, nobody}, true},
		{"root, root's own", 0, &user{0, 0}, &user{nobody, nobody}, true},
		{"root, somebody's", 0, &user{1000, 100}, &user{1000, 100}, true},
		{"somebody, nothing there", 1000, nil, nil, true},
		{"somebody, his own", 1000, &user{1000, 100}, nil, true},
		{"somebody, another's", 1000, &user{nobody, nobody}, nil, false},
	} {
		got, ok := choose(c.me, c.owner)
		if ok != c.ok || (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestOtherUser starts as an unprivileged user, which is another one where the test runs as root.
func TestOtherUser(t *testing.T) {
	long(t)
	t.Parallel()
	var u *user
	if os.Geteuid() == 0 {
		u = &user{1, 1}
	}
	closed := postgresConfig(t)
	chmod(t, filepath.Dir(closed.DataDir), 0o555)
	wantSentence(t, startHelper(t, closed, u).Err, "cannot be written by this user")

	open := postgresConfig(t)
	chmod(t, filepath.Dir(open.DataDir), 0o777)
	h := startHelper(t, open, u)
	if h.Err != "" {
		t.Fatal(h.Err)
	}
	h.stdin.Close()
	if err := h.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(open.DataDir, Postgres, "data")
	owner := ownerOf(t, data)
	supervise(t, open)
	if now := ownerOf(t, data); now != owner {
		t.Errorf("the data of %d now belong to %d", owner, now)
	}
}

// TestUsersOfRoot needs root to become other users; anybody else has only himself.
func TestUsersOfRoot(t *testing.T) {
	long(t)
	t.Parallel()
	users := map[string]*user{}
	if os.Geteuid() == 0 {
		users["belong to the user 65534"] = &user{1, 1}
		users["has no entry in /etc/passwd"] = &user{54_321, 54_321}
	}
	for says, u := range users {
		cfg := postgresConfig(t)
		chmod(t, filepath.Dir(cfg.DataDir), 0o777)
		if u.uid == 1 {
			if err := supervise(t, cfg).Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		wantSentence(t, startHelper(t, cfg, u).Err, says)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

package crash

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aead.dev/minisign"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
)

// releases are folders and archives of releases, of which the programs are scripts that run this checkout's.
type releases struct {
	t       *testing.T
	dir     string
	program string
	public  minisign.PublicKey
	private minisign.PrivateKey
}

func newReleases(t *testing.T) *releases {
	t.Helper()
	programs, err := programtest.Binaries()
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &releases{t, t.TempDir(), filepath.Join(programs, "bitacora"), public, private}
}

// works and fails are scripts in the place of a release's program; "fails" may only be asked for migrations.
const (
	works = "#!/bin/sh\nexec %s \"$@\"\n"
	fails = "#!/bin/sh\n[ \"$*\" = serve ] && exit 1\nexec %s \"$@\"\n"
	hangs = "#!/bin/sh\n[ \"$*\" = serve ] && exec sleep 600\nexec %s \"$@\"\n"
)

func (r *releases) files(version, script, commit string, committed time.Time) map[string]string {
	about, err := json.Marshal(map[string]any{"version": version, "commit": commit, "committed": committed})
	if err != nil {
		r.t.Fatal(err)
	}
	key, err := r.public.MarshalText()
	if err != nil {
		r.t.Fatal(err)
	}
	return map[string]string{"bin/bitacora": fmt.Sprintf(script, r.program), "release.json": string(about), "schema/production/release.pub": "# today's\n" + string(key) + "\n"}
}

// install writes a release as if it had been unpacked, and the link to it.
func (r *releases) install(version string, files map[string]string) (link string) {
	folder := filepath.Join(r.dir, "bitacora-"+version)
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			r.t.Fatal(err)
		}
		programtest.Write(r.t, filepath.Join(folder, name), []byte(text), 0o755)
	}
	link = filepath.Join(r.dir, "bitacora")
	if err := os.Symlink(folder, link); err != nil {
		r.t.Fatal(err)
	}
	return link
}

// pack writes a signed archive.
func (r *releases) pack(version string, files map[string]string) (path string) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	list := tar.NewWriter(zip)
	for name, text := range files {
		header := &tar.Header{Name: "bitacora-" + version + "/" + name, Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(text))}
		if err := list.WriteHeader(header); err != nil {
			r.t.Fatal(err)
		}
		if _, err := list.Write([]byte(text)); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := list.Close(); err != nil {
		r.t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		r.t.Fatal(err)
	}
	path = filepath.Join(r.dir, "bitacora-"+version+".tar.gz")
	programtest.Write(r.t, path, packed.Bytes(), 0o644)
	reader := minisign.NewReader(bytes.NewReader(packed.Bytes()))
	if _, err := io.Copy(io.Discard, reader); err != nil {
		r.t.Fatal(err)
	}
	programtest.Write(r.t, path+".minisig", reader.Sign(r.private), 0o644)
	return path
}

// restarts writes the command that restarts the release which the link names, and ends it with the test.
func (r *releases) restarts(link string) (command string) {
	pid, script := filepath.Join(r.dir, "pid"), filepath.Join(r.dir, "restart")
	programtest.Write(r.t, script, fmt.Appendf(nil, `#!/bin/sh
if [ -f %[1]s ]; then
	p=$(cat %[1]s)
	kill -TERM "$p"
	while grep -q '^State:.[^Z]' "/proc/$p/status" 2>/dev/null; do sleep 0.1; done
fi
[ "$1" = stop ] && exit
%[2]s/bin/bitacora serve >> %[3]s/output 2>&1 &
echo $! > %[1]s
`, pid, link, r.dir), 0o755)
	r.t.Cleanup(func() { exec.Command(script, "stop").Run() })
	return script
}

// TestAnUpdateThatDoesNotServeIsTakenBack updates a program under load: to releases that end at once, that never
// become ready and that a wrong restart leaves unused, and to one that works. What was acknowledged is in the log.
func TestAnUpdateThatDoesNotServeIsTakenBack(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	r, p := newReleases(t), programtest.NewProgram(t)
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	link := r.install("1.0.0", r.files("1.0.0", works, "unknown", day))
	restart := r.restarts(link)
	begin := exec.Command(restart)
	begin.Env = p.Environ
	if out, err := begin.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ready := func() {
		t.Helper()
		p.Eventually("the program is ready", time.Minute, func() error { return p.Get("/readyz", "", new(json.RawMessage)) })
	}
	ready()

	ctx, stop := context.WithCancel(t.Context())
	var visitors sync.WaitGroup
	var acknowledged []string
	visitors.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			session := fmt.Sprint("update-", n)
			if err := p.Post("/api/chatbot", map[string]string{"sessionId": session, "message": "hola"}, nil); err == nil {
				acknowledged = append(acknowledged, session)
			}
		}
	})
	apply := func(archive string, more ...string) (string, error) {
		return p.Run("", append([]string{"update", "apply", archive, "--link", link, "--patience", "20s"}, more...)...)
	}
	names := func() string {
		folder, err := os.Readlink(link)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base(folder)
	}
	for version, bad := range map[string]struct{ script, commit, restart, says string }{
		"1.1.0": {fails, "unknown", restart, "bitacora-1.0.0 runs again"},
		"1.2.0": {hangs, "unknown", restart, "bitacora-1.0.0 runs again"},
		"1.3.0": {works, "another", "true", "another release answers"},
	} {
		archive := r.pack(version, r.files(version, bad.script, bad.commit, day.AddDate(0, 1, 0)))
		out, err := apply(archive, "--restart", bad.restart)
		if err == nil || !strings.Contains(out, bad.says) || names() != "bitacora-1.0.0" {
			t.Errorf("%s: %v, the link names %s\n%s", version, err, names(), out)
		}
		ready()
	}
	archive := r.pack("2.0.0", r.files("2.0.0", works, "unknown", day.AddDate(0, 2, 0)))
	if out, err := apply(archive, "--restart", restart); err != nil || names() != "bitacora-2.0.0" {
		t.Errorf("%v, the link names %s\n%s", err, names(), out)
	}
	ready()
	stop()
	visitors.Wait()

	if len(acknowledged) == 0 {
		t.Error("nobody was answered")
	}
	log := p.App().DB.Log()
	for _, session := range acknowledged {
		if events, err := log.ReadStream(context.Background(), chat.Stream(chat.ConversationID("web", session))); err != nil || len(events) == 0 {
			t.Errorf("%s was answered and is not in the log: %v", session, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(r.dir, ".bitacora-update-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestAReleaseIsRefusedUnlessItIsSignedAndNewer also holds that check changes nothing.
func TestAReleaseIsRefusedUnlessItIsSignedAndNewer(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	r, p := newReleases(t), programtest.NewProgram(t)
	p.Start()
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	link := r.install("1.0.0", r.files("1.0.0", works, "unknown", day))
	good := r.pack("1.1.0", r.files("1.1.0", works, "unknown", day.AddDate(0, 0, 1)))
	check := func(archive string) (string, error) { return p.Run("", "update", "check", archive, "--link", link) }
	if out, err := check(good); err != nil || !strings.Contains(out, "1.1.0 of 2026-11-02") || !strings.Contains(out, "no migration") {
		t.Errorf("%v\n%s", err, out)
	}

	held, err := os.Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if out, err := p.Run("", "update", "apply", good, "--link", link); err == nil || !strings.Contains(out, "is under way") {
		t.Errorf("beside another update: %v\n%s", err, out)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}

	altered := r.pack("1.2.0", r.files("1.2.0", works, "unknown", day.AddDate(0, 0, 2)))
	text, err := os.ReadFile(altered)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	programtest.Write(t, altered, text, 0o644)
	unsigned := r.pack("1.3.0", r.files("1.3.0", works, "unknown", day.AddDate(0, 0, 3)))
	if err := os.Remove(unsigned + ".minisig"); err != nil {
		t.Fatal(err)
	}
	stranger := newReleases(t)
	for name, bad := range map[string]struct{ archive, says string }{
		"altered":       {altered, "the signature is not one of this archive"},
		"unsigned":      {unsigned, "read the signature"},
		"of a stranger": {stranger.pack("1.4.0", stranger.files("1.4.0", works, "unknown", day.AddDate(0, 0, 4))), "the signature is not one of this archive"},
		"the same":      {r.pack("1.0.0", r.files("1.0.0", works, "unknown", day)), "not newer"},
		"older":         {r.pack("0.9.0", r.files("0.9.0", works, "unknown", day.AddDate(0, 0, -1))), "not newer"},
	} {
		for _, does := range []string{"check", "apply"} {
			if out, err := p.Run("", "update", does, bad.archive, "--link", link); err == nil || !strings.Contains(out, bad.says) {
				t.Errorf("%s %s: %v\n%s", does, name, err, out)
			}
		}
	}
	if folders, err := filepath.Glob(filepath.Join(r.dir, "bitacora-*.*.?")); err != nil || len(folders) != 1 {
		t.Errorf("folders: %v, %v", folders, err)
	}
}

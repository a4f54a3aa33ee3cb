package doctor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

// followedElsewhere are cures that other tests follow, by their formats.
var followedElsewhere = map[string]string{
	"bitacora migrate":                       "TestMigratePrintsWhatItMayNotDo",
	"bitacora rebuild --despite-differences": "TestANightFindsWhatIsWrongAndMakesTablesAnew",
	"bitacora backup drill":                  "TestBackupsAreListedVerifiedAndRehearsed",
	"bitacora keys restore":                  "TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday",
	"BITACORA_UNCONFINED_ANALYST=off":        "TestDoctorTellsOfAKernelWithoutLandlock",
}

// noCommand says why no command helps, for the beginning of every advice.
var noCommand = map[string][]string{
	"only the operator knows the value": {
		"correct", "name a", "name the primary", "add them to the file", "set BITACORA_ASSISTANT", "set BITACORA_SMTP_URL", "set BITACORA_REPLICATE", "raise BITACORA_MONTHLY_LIMIT", "bitacora staff add EMAIL",
		"tell them in the clinic's file", "put this clinic's keys", "move them to another disk", "or the network of the proxy", "if it is not the proxy", "run this where the clinic's is",
	},
	"it is done on another host, or by another user": {
		"as a superuser there", "where the identity is", "start it, or", "start the standby", "start them", "GRANT pg_read_all_stats", "let only this clinic's", "as that user", "renew", "try it from a telephone",
		"let the proxy", "let it add", "see that the server of BITACORA_SMTP_URL", "turn that off", "remove the newest base backup",
	},
	"it is of the machine":                        {"set the clock", "mount it", "let this user write", "free some space", "see that", "or use a kernel"},
	"it is done as a service, or its log says it": {"start bitacora serve", "the log of bitacora serve says why", "let bitacora serve run at night"},
	"it takes time, or is nothing to do": {
		"bitacora doctor looks again", "bitacora serve", "look again", "as for postgres", "until then", "stop bitacora serve first",
	},
	"it is another program":    {"install the newer", "build the program anew"},
	"somebody has to decide":   {"bitacora clinic check", "bitacora content export", "call them", "bitacora parked list", "bitacora projections says", "bitacora retention lists", "bitacora log check names all"},
	"the error itself says it": {"%s", "as it says"},
}

// TestEveryCureIsKnown: every command and setting that doctor prints is followed by a test, and every sentence has a
// reason why it is none.
func TestEveryCureIsKnown(t *testing.T) {
	formats := curesOf(t)
	for kind, list := range formats {
		for _, format := range list {
			switch {
			case kind == "advise":
				n := 0
				for _, begins := range noCommand {
					n += len(slices.DeleteFunc(slices.Clone(begins), func(b string) bool { return !strings.HasPrefix(format, b) }))
				}
				if n == 0 {
					t.Errorf("no reason is given why %q is no command", format)
				}
			case followed[format] == nil && followedElsewhere[format] == "":
				t.Errorf("no test follows %q", format)
			}
		}
	}
	all := slices.Concat(formats["advise"], formats["run"], formats["set"])
	for reason, begins := range noCommand {
		for _, b := range begins {
			if !slices.ContainsFunc(all, func(format string) bool { return strings.HasPrefix(format, b) }) {
				t.Errorf("%s: no advice begins with %q", reason, b)
			}
		}
	}
	var tests []byte
	err := filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		tests = append(tests, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for format, by := range followedElsewhere {
		if !bytes.Contains(tests, []byte("func "+by+"(")) {
			t.Errorf("%q is followed by %s, which there is not", format, by)
		}
		if !slices.Contains(all, format) {
			t.Errorf("%s follows %q, which nothing says", by, format)
		}
	}
}

// curesOf lists the formats of all cures in the program, by the functions that make them.
func curesOf(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string][]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			maker, ok := call.Fun.(*ast.Ident)
			if !ok || !slices.Contains([]string{"run", "set", "advise"}, maker.Name) {
				return true
			}
			text, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: a cure begins with no text of its own", name)
				return true
			}
			format, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			formats[maker.Name] = append(formats[maker.Name], format)
			return true
		})
	}
	return formats
}

// followed has a pattern for each cure that [follow] is to try, by its format.
var followed = map[string]func(done string) bool{
	"kill -9 %d":                            beginsWith("kill -9 "),
	"chmod go= %s":                          beginsWith("chmod go= "),
	"bitacora keys bundle":                  is("bitacora keys bundle"),
	"bitacora rebuild":                      is("bitacora rebuild"),
	"bitacora backup":                       is("bitacora backup"),
	"bitacora backup && rm -r %s":           beginsWith("bitacora backup && rm -r "),
	"rm -r %s":                              beginsWith("rm -r "),
	"%s=%s":                                 beginsWith("BITACORA_ADDR="),
	"BITACORA_SECOND_FACTOR=required":       is("BITACORA_SECOND_FACTOR=required"),
	"BITACORA_TRUSTED_PROXIES=127.0.0.1/32": is("BITACORA_TRUSTED_PROXIES=127.0.0.1/32"),
	"BITACORA_TRUSTED_PROXIES=%s":           is("BITACORA_TRUSTED_PROXIES=10.0.0.9/32"),
	"BITACORA_RETENTION=conversations=24mo,leads=36mo,contact-messages=36mo": beginsWith("BITACORA_RETENTION="),
}

func beginsWith(text string) func(string) bool {
	return func(done string) bool { return strings.HasPrefix(done, text) }
}

func is(text string) func(string) bool { return func(done string) bool { return done == text } }

// allFollowed fails where a cure of [followed] was not followed.
func allFollowed(t *testing.T, done []string) {
	t.Helper()
	for format, of := range followed {
		if !slices.ContainsFunc(done, of) {
			t.Errorf("nothing had %q as its cure", format)
		}
	}
}

// follow does literally what a finding tells to do, and finds it gone and nothing else harmed.
func follow(t *testing.T, s state, found check) {
	t.Helper()
	dir := os.Getenv("BITACORA_DATA_DIR")
	before := filesOf(t, dir)
	if name, value, ok := strings.Cut(found.Setting, "="); ok {
		t.Setenv(name, value)
	}
	if found.Command != "" {
		typed(t, found.Command)
	}
	var left check
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		left = diagnosis(t, s.change).of(found.ID)
		if gone := left.Sentence != found.Sentence && left.Status != found.Status; gone || s.leaves != "" && strings.Contains(left.Sentence, s.leaves) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after %q%q it still says %+v", found.Command, found.Setting, left)
		}
	}
	if s.leaves == "" && left.Status == statusFailed {
		t.Errorf("after %q%q it says %+v", found.Command, found.Setting, left)
	}
	after := filesOf(t, dir)
	for path, sum := range before {
		if after[path] != sum && (s.changes == "" || !strings.HasPrefix(path, s.changes)) {
			t.Errorf("%q changed %s", found.Command, path)
		}
	}
}

// typed runs a command as a shell of the operator does.
func typed(t *testing.T, command string) {
	t.Helper()
	programs, err := programtest.Binaries()
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Second) {
		c := exec.Command("sh", "-c", command)
		c.Dir, c.Env = "../../..", append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		// A running program may have begun with the same work.
		if err == nil || !strings.Contains(string(out), "another process is at it") || time.Now().After(end) {
			if err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
			return
		}
	}
}

// filesOf has a sum of the content, the mode and the owner of every file of a data directory, by its path there, but
// for those of the engines, the letters and the anchors, to which serve adds.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		inside, _ := filepath.Rel(dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case slices.Contains([]string{engines.Postgres, engines.ClickHouse, "outbox"}, inside):
			return fs.SkipDir
		case d.IsDir() || slices.Contains([]string{"engines.json", "guests.lock", "keys/anchors"}, inside):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		owner := info.Sys().(*syscall.Stat_t)
		sums[inside] = fmt.Sprintf("%x %v %d:%d", sha256.Sum256(text), info.Mode(), owner.Uid, owner.Gid)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// TestNothingIsFailedThatWasNotFoundOut: what does not answer in time, or answers that it had no time, is unknown,
// and hides nothing else.
func TestNothingIsFailedThatWasNotFoundOut(t *testing.T) {
	t.Parallel()
	d := &doctor{serverErr: errors.New("it is away")}
	var out bytes.Buffer
	err := d.examine(t.Context(), []examination{
		{"sound", "", func(context.Context, *doctor) finding { return fine("it is") }, nil},
		{"late", "", func(ctx context.Context, _ *doctor) finding {
			<-ctx.Done()
			return failed(ctx.Err().Error(), advise("mend it"))
		}, nil},
		{"forever", "", func(context.Context, *doctor) finding { select {} }, nil},
		{"without its engine", "", nil, []string{engines.ClickHouse}},
	}, &out, true)
	var r report
	if decodeErr := json.Unmarshal(out.Bytes(), &r); err != nil || decodeErr != nil || r.Status != statusUnknown {
		t.Fatalf("%v, %v: %s", err, decodeErr, out.Bytes())
	}
	for id, want := range map[string]status{"sound": statusOK, "late": statusUnknown, "forever": statusUnknown, "without its engine": statusUnknown} {
		if f := r.of(id); f.Status != want {
			t.Errorf("it says %+v", f)
		}
	}
}

// TestAHungEngineIsToldFromASlowOne: one that got a processor meanwhile may be sound.
func TestAHungEngineIsToldFromASlowOne(t *testing.T) {
	for rested, want := range map[bool]status{true: statusFailed, false: statusUnknown} {
		d := &doctor{holder: &engines.Holder{Engines: map[string]int{engines.Postgres: 4711}}, rested: map[string]bool{engines.Postgres: rested}, logErr: context.DeadlineExceeded}
		if f := examinePostgres(t.Context(), d); f.Status != want || (f.Command == "kill -9 4711") != rested {
			t.Errorf("rested %v: %+v", rested, f)
		}
	}
	own := os.Getpid()
	before := engines.Scheduled(own)
	time.Sleep(time.Millisecond)
	if engines.Scheduled(own) <= before {
		t.Error("this process got no processor")
	}
}

// TestAnotherUserIsToldWhoseItIs: whoever may not look finds out nothing, and is told whom to ask.
func TestAnotherUserIsToldWhoseItIs(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewEmbedded(t)
	p.Made()
	programs, err := programtest.Binaries()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(programs, "bitacora"))
	if err != nil {
		t.Fatal(err)
	}
	programtest.Write(t, filepath.Join(p.Dir, "bitacora"), text, 0o755)
	before := filesOf(t, filepath.Join(p.Dir, "data"))
	c := exec.Command(filepath.Join(p.Dir, "bitacora"), "doctor", "--json")
	c.Env, c.Dir = p.Environ, "/"
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65533, Gid: 65533}}
	} else {
		c.Env = append(c.Env, "BITACORA_DATA_DIR=/")
	}
	out, err := c.Output()
	var r report
	if decodeErr := json.Unmarshal(out, &r); err != nil || decodeErr != nil {
		t.Fatalf("%v, %v: %s", err, decodeErr, out)
	}
	if d := r.of("directory"); d.Status != statusUnknown || !strings.Contains(d.Advice, "sudo -u root bitacora doctor") {
		t.Errorf("it says %+v", d)
	}
	for _, id := range []string{"postgres", "clickhouse", "keys", "disk", "backup", "bundle", "log"} {
		if f := r.of(id); f.Status != statusUnknown {
			t.Errorf("it says %+v", f)
		}
	}
	if strings.Contains(string(out), "unused.invalid") {
		t.Errorf("it says\n%s", out)
	}
	for path, sum := range filesOf(t, filepath.Join(p.Dir, "data")) {
		if before[path] != sum {
			t.Errorf("%s was changed", path)
		}
	}
}

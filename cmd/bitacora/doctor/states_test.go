package doctor

import (
	"bufio"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

// diagnosis is what the doctor says of the installation that the environment names.
func diagnosis(t *testing.T, change func(*doctor)) report {
	t.Helper()
	before := filesOf(t, os.Getenv("BITACORA_DATA_DIR"))
	d := findInstallation(t.Context())
	defer d.close()
	if change != nil {
		change(d)
	}
	var out bytes.Buffer
	err := d.examine(t.Context(), examinations(), &out, true)
	if after := filesOf(t, os.Getenv("BITACORA_DATA_DIR")); !maps.Equal(before, after) {
		t.Errorf("it changed files: %v before, %v after", before, after)
	}
	var r report
	if decodeErr := json.Unmarshal(out.Bytes(), &r); decodeErr != nil {
		t.Fatalf("%v: %s", decodeErr, out.Bytes())
	}
	if (r.Status == statusFailed) != errors.Is(err, command.ErrFound) || err != nil && !errors.Is(err, command.ErrFound) {
		t.Errorf("status %s with error %v", r.Status, err)
	}
	if len(r.Checks) != len(examinations()) {
		t.Errorf("%d of %d examinations are told", len(r.Checks), len(examinations()))
	}
	return r
}

func (r report) of(id string) check {
	i := slices.IndexFunc(r.Checks, func(c check) bool { return c.ID == id })
	if i < 0 {
		return check{ID: id}
	}
	return r.Checks[i]
}

// state is a state of an installation and what is to be said of it.
type state struct {
	name string
	// cause brings it about outside of the doctor, change within it.
	cause  func(t *testing.T) (undo func())
	change func(*doctor)
	id     string
	status status
	says   string
	todo   string
	// others are examinations that must not be touched by it.
	others []string
	// asIf says that it is not brought about, so that no command ends it.
	asIf bool
	// leaves is what is said once the command was followed, where something else is left to do then; changes is which
	// files the command may change.
	leaves, changes string
}

// text is everything that a cure says.
func (c cure) text() string { return c.Command + c.Setting + c.Advice }

// diagnose brings states about, one after the other, and takes down which examinations found something.
func diagnose(t *testing.T, states []state, found map[string]bool) {
	t.Helper()
	for _, s := range states {
		t.Run(s.id+", "+s.name, func(t *testing.T) {
			if s.cause != nil {
				if undo := s.cause(t); undo != nil {
					defer undo()
				}
			}
			r := diagnosis(t, s.change)
			c := r.of(s.id)
			for looks := 1; looks < 5 && c.Status == statusUnknown && s.status != statusUnknown; looks++ { // on a busy machine
				r = diagnosis(t, s.change)
				c = r.of(s.id)
			}
			if c.Status != s.status || !strings.Contains(c.Sentence, s.says) || !strings.Contains(c.text(), s.todo) || (c.text() == "") != (s.todo == "") || strings.Contains(c.Sentence, "\n") {
				t.Errorf("it says %+v", c)
			}
			for _, other := range s.others {
				if o := r.of(other); o.Status != statusOK {
					t.Errorf("it hides %+v", o)
				}
			}
			found[s.id] = found[s.id] || s.status != statusOK
			if !s.asIf && !t.Failed() && c.Command+c.Setting != "" {
				follow(t, s, c)
				found[c.Command+c.Setting] = true
			}
		})
	}
}

// withSetting sets a variable for one state.
func withSetting(name, value string) func(*testing.T) func() {
	return func(t *testing.T) func() { t.Setenv(name, value); return nil }
}

// mailServer answers a login with a line.
func mailServer(t *testing.T, login string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				fmt.Fprint(conn, "220 test\r\n")
				for in := bufio.NewScanner(conn); in.Scan(); {
					switch verb, _, _ := strings.Cut(in.Text(), " "); strings.ToUpper(verb) {
					case "EHLO":
						fmt.Fprint(conn, "250-test\r\n250 AUTH CRAM-MD5\r\n")
					case "AUTH":
						fmt.Fprint(conn, "334 PDFAdGVzdD4=\r\n")
						in.Scan()
						fmt.Fprint(conn, login+"\r\n")
					case "QUIT":
						fmt.Fprint(conn, "221 bye\r\n")
						return
					default:
						fmt.Fprint(conn, "250 ok\r\n")
					}
				}
			}()
		}
	}()
	return "smtp://ana:secreto@" + l.Addr().String()
}

// page answers everything with a text.
func page(t *testing.T, start func(http.Handler) *httptest.Server, text string) string {
	t.Helper()
	s := start(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }))
	t.Cleanup(s.Close)
	return s.URL
}

// trusted lets this process believe the certificates of httptest.
func trusted(t *testing.T, address string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	usual := http.DefaultTransport
	own := usual.(*http.Transport).Clone()
	own.TLSClientConfig.RootCAs = roots
	http.DefaultTransport = own
	t.Cleanup(func() { http.DefaultTransport = usual })
}

// unseen keeps the doctor from seeing whose process listens on an address.
func unseen(addr string) func(*doctor) {
	return func(d *doctor) {
		d.listening = func(asked string) (who engines.Listener, taken bool, err error) {
			who, taken, err = engines.Listening(asked)
			if asked == addr {
				who = engines.Listener{}
			}
			return who, taken, err
		}
	}
}

// both does something and gives what takes it back.
func both(t *testing.T, do, undo func() error) func() {
	t.Helper()
	if err := do(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := undo(); err != nil {
			t.Error(err)
		}
	}
}

// disk gives every disk other figures.
func disk(free, size uint64) func(*testing.T) func() {
	return func(*testing.T) func() {
		usual := app.DiskOf
		app.DiskOf = func(string) (engines.Disk, error) { return engines.Disk{Free: free, Size: size}, nil }
		return func() { app.DiskOf = usual }
	}
}

func mailTo(address string) func(*testing.T) func() {
	return func(t *testing.T) func() {
		t.Setenv("BITACORA_SMTP_URL", address)
		t.Setenv("BITACORA_MAIL_TO", "equipo@clinica.example")
		return nil
	}
}

// backupOf makes a backup of some age.
func backupOf(a *app.App, name string, age time.Duration) func(*testing.T) func() {
	return func(t *testing.T) func() {
		programtest.WriteBackup(t, a.Config.Backups(), name, "", time.Now().Add(-age))
		return func() { os.RemoveAll(a.Config.Backups()) }
	}
}

// noBackups removes the backups that a state and its cure leave.
func noBackups(a *app.App) func(*testing.T) func() {
	return func(*testing.T) func() { return func() { os.RemoveAll(a.Config.Backups()) } }
}

package mail

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/clinic"
	"bitacora/projections/feed"
)

func TestMain(m *testing.M) { enginestest.Main(m) }

// smtpServer is as small as one can be.
type smtpServer struct {
	net.Listener
	mu      sync.Mutex
	letters []string
	busy    int
}

func newSMTPServer(t *testing.T) *smtpServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &smtpServer{Listener: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go o.serve(conn)
		}
	}()
	return o
}

func (o *smtpServer) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 test")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(strings.Fields(line + " x")[0]); verb {
		case "EHLO", "HELO":
			say("250-test\r\n250 SMTPUTF8")
		case "MAIL":
			if o.isBusy() {
				say("451 come again")
				continue
			}
			say("250 ok")
		case "DATA":
			say("354 go on")
			var letter strings.Builder
			for line, err := in.ReadString('\n'); err == nil && line != ".\r\n"; line, err = in.ReadString('\n') {
				letter.WriteString(strings.TrimPrefix(line, "."))
			}
			o.mu.Lock()
			o.letters = append(o.letters, letter.String())
			o.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func (o *smtpServer) isBusy() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.busy--
	return o.busy >= 0
}

func (o *smtpServer) taken() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]string(nil), o.letters...)
}

func (o *smtpServer) waitFor(t *testing.T, n int) []string {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if letters := o.taken(); len(letters) >= n {
			return letters
		}
	}
	t.Fatalf("%d letters were taken, want %d", len(o.taken()), n)
	return nil
}

// clinicLog is a log, and the mailbox that writes to it.
func clinicLog(t *testing.T) (*postgres.DB, *clinic.Mailbox) {
	t.Helper()
	db := postgrestest.Open(t, postgrestest.Database(t), keyfiles.NewMasterKey())
	return db, &clinic.Mailbox{Log: db.Log(), Clinic: clinic.Default(), Now: time.Now, NoticeVersion: func(context.Context) string { return "1" }, IDOf: func(...string) string { return uuid.NewString() }}
}

// send runs a mailer to the server until the returned function stops it.
func send(t *testing.T, db *postgres.DB, o *smtpServer, now func() time.Time) (stop func()) {
	t.Helper()
	server, err := NewServer("smtp://"+o.Addr().String(), "citas@clinica.example", []string{"recepcion@clinica.example", "ana@clinica.example"})
	if err != nil {
		t.Fatal(err)
	}
	return carry(t, db, server, now)
}

func carry(t *testing.T, db *postgres.DB, outbox Outbox, now func() time.Time) (stop func()) {
	t.Helper()
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: time.Second}, watermill.NopLogger{})
	if err != nil {
		t.Fatal(err)
	}
	subscriber := postgres.NewSubscriber(db, feed.Config{})
	c := &Mailer{
		Subscriber: subscriber, Log: db.Log(), Outbox: outbox, Clinic: clinic.Default(), Site: "https://clinica.example/", Now: now,
		Logger: slog.New(slog.DiscardHandler), Pause: 10 * time.Millisecond,
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := c.AddTo(ctx, router); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- router.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		subscriber.Close()
	})
	t.Cleanup(stop)
	return stop
}

func TestContactMessagesReachTheStaff(t *testing.T) {
	db, box := clinicLog(t)
	o := newSMTPServer(t)
	o.busy = 3
	m := clinic.ContactMessage{Name: "José Ñ.\r\nBcc: x@y.example", Email: "jose@correo.example", Phone: "6123-4567", Message: "Hola,\n.\n¿atienden los sábados? 😀 " + strings.Repeat("larga ", 300)}
	if err := box.Receive(t.Context(), m, "web"); err != nil {
		t.Fatal(err)
	}
	stop := send(t, db, o, time.Now)
	letter, err := netmail.ReadMessage(strings.NewReader(o.waitFor(t, 1)[0]))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(letter.Header.Get("Subject"))
	if err != nil || subject != "Mensaje de contacto de José Ñ. Bcc: x@y.example" {
		t.Errorf("subject %q, %v", subject, err)
	}
	if letter.Header.Get("Bcc") != "" || !strings.Contains(letter.Header.Get("Reply-To"), "jose@correo.example") ||
		!strings.Contains(letter.Header.Get("To"), "ana@clinica.example") || letter.Header.Get("Message-Id") == "" {
		t.Errorf("header %v", letter.Header)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(letter.Body))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Teléfono: 6123-4567\n", "\nHola,\n.\n¿atienden los sábados? 😀 larga"} {
		if !strings.Contains(strings.ReplaceAll(string(text), "\r\n", "\n"), part) {
			t.Errorf("%q is missing in\n%s", part, text)
		}
	}
	// A letter is sent before that is remembered: stopped in between, it would come twice.
	waitThrough(t, db, 1)
	stop()
	// Whoever goes on does so after what was sent.
	if err := box.Receive(t.Context(), clinic.ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: "El segundo mensaje"}, "form"); err != nil {
		t.Fatal(err)
	}
	send(t, db, o, time.Now)
	if letters := o.waitFor(t, 2); !strings.Contains(letters[1], "El segundo mensaje") {
		t.Errorf("second letter:\n%s", letters[1])
	}
}

// waitThrough waits until the mailer remembers that it has dealt with a position.
func waitThrough(t *testing.T, db *postgres.DB, position int64) {
	t.Helper()
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		through, _, err := db.DataThrough(t.Context(), Topic)
		if err != nil {
			t.Fatal(err)
		}
		if through >= position {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("the mailer does not go on: it has dealt with %d of %d", through, position)
		}
	}
}

func TestOldMessagesAreNotSent(t *testing.T) {
	db, box := clinicLog(t)
	o := newSMTPServer(t)
	if err := box.Receive(t.Context(), clinic.ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: "Un mensaje de antes"}, "web"); err != nil {
		t.Fatal(err)
	}
	later := func() time.Time { return time.Now().Add(stale + time.Minute) }
	stop := send(t, db, o, later)
	waitThrough(t, db, 1)
	stop()
	if letters := o.taken(); len(letters) != 0 {
		t.Errorf("sent %q", letters)
	}
}

func TestAddressesOfMailServers(t *testing.T) {
	for address, good := range map[string]bool{
		"smtp://mail.clinica.example": true, "smtps://ana:secreto@mail.clinica.example": true, "smtp://127.0.0.1:2525": true,
		"mail.clinica.example": false, "https://mail.clinica.example": false, "smtp://": false, "": false,
	} {
		if _, err := NewServer(address, "citas@clinica.example", []string{"a@b.example"}); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := NewServer("smtp://mail.example", "citas@clinica.example", []string{"nadie"}); err == nil {
		t.Error("letters to nobody")
	}
}

// refusing is a log that cannot be followed yet.
type refusing struct{ message.Subscriber }

func (refusing) Subscribe(context.Context, string) (<-chan *message.Message, error) {
	return nil, feed.ErrForeignCheckpoint
}

// A mailer waits for a restored log to be taken over, round by round.
func TestAMailerThatCannotSubscribeLeavesNothingRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which fails where a goroutine is left
		router, err := message.NewRouter(message.RouterConfig{}, watermill.NopLogger{})
		if err != nil {
			t.Fatal(err)
		}
		if err = (&Mailer{Subscriber: refusing{}}).AddTo(t.Context(), router); err == nil {
			err = router.Run(t.Context())
		}
		if !errors.Is(err, feed.ErrForeignCheckpoint) {
			t.Errorf("it ended with %v", err)
		}
	})
}

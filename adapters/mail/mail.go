// Package mail sends the staff by e-mail what visitors write to the clinic. It follows the
// log, so that a message is sent when the mail server is back, whatever happened between.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"

	"bitacora/domain/fault"
)

// Letter is one e-mail: to the staff, or to whoever wants the newsletter.
type Letter struct {
	// To is the address that it is for; empty: those that the clinic named for letters.
	To string
	// ID names the letter; a repeated one has the same.
	ID      string
	Subject string
	// ReplyTo is the address that an answer goes to; empty: back to the clinic.
	ReplyTo string
	// Unsubscribe is where a mail program ends the subscription with one touch (RFC 8058); empty: there is none.
	Unsubscribe string
	Text        string
	// HTML says the same as Text; empty for a letter in plain text alone.
	HTML string
	At   time.Time
}

// addressed is who letters are from and to.
type addressed struct {
	from string
	to   []string
	// domain ends the letters' ids.
	domain string
}

// Server is an SMTP server that takes letters to the staff.
type Server struct {
	addressed
	client *mail.Client
}

// sendTimeout bounds every step of talking to the mail server.
const sendTimeout = 30 * time.Second

// NewServer reads the address of a mail server: smtp://user:password@host:587, where
// encryption is a must unless the server is this machine, or smtps://user:password@host.
func NewServer(address, from string, to []string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("not an address like smtp://user:password@host:587")
	}
	options := []mail.Option{mail.WithTimeout(sendTimeout), mail.WithoutNoop()}
	port := 587
	switch {
	case u.Scheme == "smtps":
		port = 465
		options = append(options, mail.WithSSL())
	case u.Scheme != "smtp":
		return nil, fmt.Errorf("%q is neither smtp nor smtps", u.Scheme)
	case isThisMachine(u.Hostname()):
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if p := u.Port(); p != "" {
		if port, err = strconv.Atoi(p); err != nil {
			return nil, fmt.Errorf("%q is not a port", p)
		}
	}
	if secret, ok := u.User.Password(); ok {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(secret))
	}
	client, err := mail.NewClient(u.Hostname(), append(options, mail.WithPort(port))...)
	if err != nil {
		return nil, fmt.Errorf("make mail client: %w", err)
	}
	if len(to) == 0 {
		return nil, errors.New("nobody to write to")
	}
	s := &Server{addressed{from, to, u.Hostname()}, client}
	if _, err := s.message(Letter{ID: "x", ReplyTo: from}); err != nil {
		return nil, err
	}
	return s, nil
}

func isThisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// ErrLogin: the mail server is there and refuses the login.
var ErrLogin = errors.New("the mail server refuses the login")

// Check signs in to the mail server and leaves again. The error wraps [ErrLogin] where it refuses
// that.
func (s *Server) Check(ctx context.Context) error {
	err := s.client.DialWithContext(ctx)
	if refused := new(textproto.Error); errors.As(err, &refused) && (refused.Code == 535 || refused.Code == 534) {
		return fmt.Errorf("%w: %w", ErrLogin, err)
	}
	if err != nil {
		return fmt.Errorf("reach mail server: %w", err)
	}
	return fault.Wrap(s.client.Close(), "leave mail server")
}

// Send implements [Outbox].
func (s *Server) Send(ctx context.Context, l Letter) error {
	m, err := s.message(l)
	if err != nil {
		return err
	}
	return fault.Wrap(s.client.DialAndSendWithContext(ctx, m), "send mail")
}

func (a addressed) message(l Letter) (*mail.Msg, error) {
	m, to := mail.NewMsg(mail.WithNoDefaultUserAgent()), a.to
	if l.To != "" {
		to = []string{l.To}
	}
	if err := errors.Join(m.From(a.from), m.To(to...)); err != nil {
		return nil, fmt.Errorf("address mail: %w", err)
	}
	if l.ReplyTo != "" {
		// What a visitor typed as an address may be none: the letter is worth more than its answer.
		_ = m.ReplyTo(l.ReplyTo)
	}
	if l.Unsubscribe != "" {
		m.SetGenHeader("List-Unsubscribe", "<"+l.Unsubscribe+">")
		m.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	// A name in it is shown as it was typed, and not as the encoded word that it may look like.
	m.Subject(strings.ReplaceAll(l.Subject, "=?", "= ?"))
	m.SetDateWithValue(l.At)
	m.SetMessageIDWithValue(l.ID + "@" + a.domain)
	m.SetBodyString(mail.TypeTextPlain, l.Text)
	if l.HTML != "" {
		m.AddAlternativeString(mail.TypeTextHTML, l.HTML)
	}
	return m, nil
}

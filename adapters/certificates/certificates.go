// Package certificates obtains the site's certificates by ACME, renews them and serves TLS with them.
// certmagic keeps the account, solves the challenges and stores what it gets; when to ask is decided
// here, by a clock that tests move, and each attempt's outcome is kept for whoever looks.
package certificates

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/mholt/acmez/v3"
	"github.com/mholt/acmez/v3/acme"
	"go.uber.org/zap"
)

// Config says whose certificates are kept, and where.
type Config struct {
	// Domains have a certificate each; the first is the site's own.
	Domains []string
	// Dir holds certificates, their keys and the account of the ACME server.
	Dir string
	// Directory is the address of the ACME server's directory; empty: Let's Encrypt.
	Directory string
	// HTTPPort and HTTPSPort are where the challenges arrive.
	HTTPPort, HTTPSPort int
	Logger              *slog.Logger
	Now                 func() time.Time
	// Pause waits until the next round, or until ctx ends.
	Pause func(ctx context.Context, d time.Duration) bool
	// Roots vouch for the ACME server itself; nil: those of the system.
	Roots *x509.CertPool
}

// State is what is known of a domain's certificate.
type State struct {
	Domain string
	// NotBefore and NotAfter are those of the certificate; zero: there is none.
	NotBefore, NotAfter time.Time
	// Problem is why the latest attempt failed; empty: it did not.
	Problem string
}

// Valid says whether browsers with that clock take the certificate.
func (s State) Valid(now time.Time) bool { return now.Before(s.NotAfter) && !now.Before(s.NotBefore) }

// Lifetime is how long the certificate is valid in all.
func (s State) Lifetime() time.Duration { return s.NotAfter.Sub(s.NotBefore) }

// due is when a third of the lifetime is left.
func (s State) due(now time.Time) bool { return s.NotAfter.Sub(now) < s.Lifetime()/3 }

// Late says that a renewal should have succeeded: a quarter of the lifetime is left.
func (s State) Late(now time.Time) bool {
	return s.NotAfter.Sub(now) < s.Lifetime()/4 || s.NotAfter.IsZero()
}

// Keeper keeps the certificates of the domains.
type Keeper struct {
	Config
	magic  *certmagic.Config
	issuer *certmagic.ACMEIssuer
	store  files
	mu     sync.RWMutex
	held   map[string]held
}

type held struct {
	State
	certificate *tls.Certificate
	// obtained is when this process got it, by the same clock that says when it is due.
	obtained time.Time
}

// files are certmagic's, without its locks: only the process that has the ports asks for certificates,
// and a lock that outlived a crash would hold its successor up.
type files struct{ *certmagic.FileStorage }

func (files) Lock(context.Context, string) error   { return nil }
func (files) Unlock(context.Context, string) error { return nil }

// New is a keeper that serves what is stored, and obtains nothing before [Keeper.Run].
func New(ctx context.Context, c Config) *Keeper {
	k := &Keeper{Config: c, store: files{&certmagic.FileStorage{Path: c.Dir}}, held: map[string]held{}}
	cache := certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert:   func(certmagic.Certificate) (*certmagic.Config, error) { return k.magic, nil },
		RenewCheckInterval: math.MaxInt64,
		OCSPCheckInterval:  math.MaxInt64,
		Logger:             zap.NewNop(),
	})
	context.AfterFunc(ctx, cache.Stop)
	k.magic = certmagic.New(cache, certmagic.Config{
		Storage: k.store, Logger: zap.NewNop(),
		OCSP: certmagic.OCSPConfig{DisableStapling: true},
		// By RFC 9773 a server may take an order that a crash broke off for the replacement, and refuse the next.
		DisableARI: true,
	})
	k.issuer = certmagic.NewACMEIssuer(k.magic, certmagic.ACMEIssuer{
		CA: cmp.Or(c.Directory, certmagic.LetsEncryptProductionCA), Agreed: true,
		// Without an address certmagic would ask for one at the terminal.
		Email:       " ",
		AltHTTPPort: c.HTTPPort, AltTLSALPNPort: c.HTTPSPort,
		TrustedRoots: c.Roots, Logger: zap.NewNop(),
	})
	k.magic.Issuers = []certmagic.Issuer{k.issuer}
	for _, domain := range c.Domains {
		problem, _ := k.store.Load(ctx, problemKey(domain))
		k.held[domain] = held{State: State{Domain: domain, Problem: string(problem)}}
		k.load(ctx, domain)
	}
	return k
}

// problemKey names the file that tells doctor, another process, why the latest attempt failed.
func problemKey(domain string) string { return path.Join("problems", domain) }

// States are those of all domains, in their order.
func (k *Keeper) States() (list []State) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, domain := range k.Domains {
		list = append(list, k.held[domain].State)
	}
	return list
}

// Missing says which domains browsers cannot open, and why; nil: none.
func (k *Keeper) Missing() error {
	var missing []error
	for _, s := range k.States() {
		if !s.Valid(k.Now()) {
			missing = append(missing, fmt.Errorf("%s has no valid certificate: %s", s.Domain, cmp.Or(s.Problem, "it is being obtained")))
		}
	}
	return errors.Join(missing...)
}

// renewPause is how often a certificate is looked at.
const renewPause = time.Hour

// Run obtains what is missing and renews what is due, until ctx ends. Let's Encrypt refuses a name after
// five failures in an hour: the pauses after failures leave room for a restart.
func (k *Keeper) Run(ctx context.Context) {
	for pause := time.Minute; ctx.Err() == nil; {
		failed := false
		for _, domain := range k.Domains {
			failed = !k.tend(ctx, domain) || failed
		}
		if !failed {
			k.Pause(ctx, renewPause)
			pause = time.Minute
			continue
		}
		k.Pause(ctx, pause)
		pause = min(3*pause, renewPause)
	}
}

// tend obtains or renews a domain's certificate where that is due, and says whether all is well.
func (k *Keeper) tend(ctx context.Context, domain string) bool {
	err := k.load(ctx, domain)
	now, had := k.Now(), k.get(domain)
	// A clock that is far ahead would have every new certificate replaced again.
	fresh := !had.obtained.IsZero() && now.Sub(had.obtained) < had.Lifetime()/3
	if err != nil || !fresh && (had.due(now) || k.recalled(ctx, had)) {
		if err = k.magic.RenewCertSync(ctx, domain, true); err == nil {
			err = k.load(ctx, domain)
		}
		if err == nil {
			k.update(domain, func(h *held) { h.obtained = now })
			k.Logger.Info("certificate obtained", "domain", domain, "until", k.get(domain).NotAfter)
		}
	}
	now = k.Now()
	if h := k.get(domain); err == nil && (h.due(now) || now.Before(h.NotBefore)) {
		err = fmt.Errorf("the clock of this machine is wrong: it says %s, and a new certificate is valid from %s to %s",
			now.Format(time.DateTime), h.NotBefore.Format(time.DateTime), h.NotAfter.Format(time.DateTime))
	}
	if ctx.Err() != nil {
		return true
	}
	k.note(ctx, domain, err)
	return err == nil
}

// recalled says whether the ACME server wants a certificate replaced before its time.
func (k *Keeper) recalled(ctx context.Context, h held) bool {
	if h.certificate == nil {
		return false
	}
	info, err := k.issuer.GetRenewalInfo(ctx, certmagic.Certificate{Certificate: *h.certificate})
	return err == nil && info.HasWindow() && !info.SelectedTime.After(k.Now())
}

// note keeps the outcome of an attempt.
func (k *Keeper) note(ctx context.Context, domain string, failure error) {
	var said string
	if failure != nil {
		said = strings.ReplaceAll(failure.Error(), "\n", " ")
		if problem := new(acme.Problem); errors.As(failure, problem) {
			said = strings.TrimPrefix(problem.Type, acme.ProblemTypeNamespace) + ": " + problem.Detail
			for _, sub := range problem.Subproblems {
				said += "; " + sub.Detail
			}
		}
		k.Logger.Error("a certificate could not be obtained, trying again", "domain", domain, "error", said)
	}
	k.update(domain, func(h *held) { h.Problem = said })
	err := k.store.Delete(ctx, problemKey(domain))
	if said != "" {
		err = k.store.Store(ctx, problemKey(domain), []byte(said))
	}
	if err != nil {
		k.Logger.Warn("the outcome of an attempt at a certificate is not stored for bitacora doctor", "error", err)
	}
}

// load takes a certificate from the directory.
func (k *Keeper) load(ctx context.Context, domain string) error {
	stored, err := k.magic.CacheManagedCertificate(ctx, domain)
	if err != nil {
		return fmt.Errorf("read the certificate of %s: %w", domain, err)
	}
	k.update(domain, func(h *held) {
		h.certificate, h.NotBefore, h.NotAfter = &stored.Certificate, stored.Leaf.NotBefore, stored.Leaf.NotAfter
	})
	return nil
}

func (k *Keeper) get(domain string) held {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.held[domain]
}

func (k *Keeper) update(domain string, change func(*held)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	h := k.held[domain]
	change(&h)
	k.held[domain] = h
}

// TLS is how the site is served: TLS 1.2 with forward secrecy and authenticated encryption alone, or 1.3.
func (k *Keeper) TLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		CipherSuites: []uint16{
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
		},
		NextProtos:     []string{"h2", "http/1.1", acmez.ACMETLS1Protocol},
		GetCertificate: k.certificate,
	}
}

// certificate chooses by name; who names none, say a scanner, gets none.
func (k *Keeper) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Contains(hello.SupportedProtos, acmez.ACMETLS1Protocol) {
		return k.magic.GetCertificate(hello)
	}
	if h := k.get(strings.ToLower(hello.ServerName)); h.certificate != nil {
		return h.certificate, nil
	}
	return nil, fmt.Errorf("no certificate for %q", hello.ServerName)
}

// Plain answers without TLS: the challenges, and everybody else with a redirect to origin. Before there is a
// certificate it says so: the site itself would take passwords and messages in the open.
func (k *Keeper) Plain(origin string) http.Handler {
	return k.issuer.HTTPChallengeHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if k.get(k.Domains[0]).certificate == nil {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "Este sitio aún no tiene su certificado de seguridad. Estará disponible en unos minutos.", http.StatusServiceUnavailable)
			return
		}
		http.Redirect(w, r, origin+r.URL.RequestURI(), http.StatusPermanentRedirect)
	}))
}

// Main serves the first domain, and redirects from the others to origin.
func (k *Keeper) Main(origin string, site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(strings.ToLower(r.Host), ":")
		if slices.Contains(k.Domains[1:], host) {
			http.Redirect(w, r, origin+r.URL.RequestURI(), http.StatusPermanentRedirect)
			return
		}
		site.ServeHTTP(w, r)
	})
}

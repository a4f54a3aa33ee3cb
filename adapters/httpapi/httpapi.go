// Package httpapi serves the clinic's site and the interface that schema/openapi.yaml
// describes. A handler decodes, makes one call and encodes; errors become answers in one
// place.
package httpapi

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/klauspost/compress/gzhttp"
	"github.com/prometheus/client_golang/prometheus"
)

// Config is what the interface stands on.
type Config struct {
	Chat         ChatService
	Bookings     Bookings
	MonthlyUsage *MonthlyUsage
	Staff        Staff
	// Live gives the tables that the dashboard reads.
	Live Live
	// Demo says whether the log began as a demo; nil: it did not.
	Demo func(context.Context) (bool, error)
	// Log holds the transcripts, and takes down who opened one.
	Log Log
	// Postgres and ClickHouse say whether the engine is ready for this program.
	Postgres, ClickHouse Probe
	// StoreTimeout is how long a request waits for Postgres; 0 for as long as it takes.
	StoreTimeout time.Duration
	// Content knows what the site tells.
	Content *ContentCache
	// Mailbox takes contact messages, and Contacts is where the staff keeps book of whom to
	// call back.
	Mailbox  Mailbox
	Contacts Contacts
	// Colleagues tells who wrote a note.
	Colleagues Colleagues
	// Site is the webapp's build, Pages renders its pages, and Origin is the address under
	// which the world knows it, "https://clinica.example".
	Site   fs.FS
	Pages  Pages
	Origin string
	// Zone is the business zone: what a date in a query means.
	Zone *time.Location
	Now  func() time.Time
	// TrustedProxies are the networks whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// NoteProxy remembers a peer that sends a proxy's header and is not in TrustedProxies; nil:
	// it is only logged.
	NoteProxy func(ctx context.Context, peer netip.Addr, header string) error
	// WebhookSecret is what the scheduling form signs with; empty: it reports nothing.
	WebhookSecret string
	// Throttle slows down bursts of chat messages.
	Throttle bool
	// Collectors are metrics beside those of the interface itself.
	Collectors []prometheus.Collector
	Logger     *slog.Logger
}

// requestTimeout bounds the work on a request, except on one that waits for the assistant.
const requestTimeout = 15 * time.Second

type api struct {
	Config
	metrics   *metrics
	site      *site
	sessions  *throttle
	addresses *throttle
	contacts  *throttle
	visits    *throttle
	liveState liveState
}

// Handler answers everything that the program serves.
type Handler struct {
	http.Handler
	// Metrics answers GET /metrics, on another listener than visitors reach.
	Metrics http.Handler
	site    *site
}

// KeepRendered prints every page of the site ahead of the first visitor who asks for it,
// after the start and whenever the content or the day has changed, until ctx ends.
func (h *Handler) KeepRendered(ctx context.Context) { h.site.keepRendered(ctx) }

// New is the handler of everything the program serves.
func New(c Config) (*Handler, error) {
	a := &api{Config: c, sessions: newThrottle(sessionRate), addresses: newThrottle(addressRate), contacts: newThrottle(contactRate), visits: newThrottle(visitRate)}
	var err error
	if a.metrics, err = newMetrics(c.Collectors); err != nil {
		return nil, fmt.Errorf("register metrics: %w", err)
	}
	a.site = newSite(a)
	return &Handler{Handler: a.routes(), Metrics: a.metrics.handler(), site: a.site}, nil
}

func (a *api) routes() *chi.Mux {
	r := chi.NewRouter()
	r.Use(identify, clientAddresses(a.TrustedProxies), a.observe, a.recoverer, a.inTime, a.noteProxies(), compress, a.secure(), middleware.GetHead)
	r.NotFound(a.notFound)
	r.MethodNotAllowed(a.methodNotAllowed)
	r.Get("/*", a.site.ServeHTTP)
	r.With(noStore, a.sameOrigin(), a.bodies(typeForm), within(requestTimeout)).Post("/contact", a.contactForm)

	r.With(within(requestTimeout)).Get("/r/{reference}", a.followLink)
	r.Get("/healthz", a.health)
	r.Get("/readyz", a.readiness)

	r.Route("/api", func(r chi.Router) {
		r.Use(noStore, a.sameOrigin())
		r.NotFound(a.notFound)
		r.MethodNotAllowed(a.methodNotAllowed)
		// Bounded by the desk: an accepted message is answered and stored to the end.
		r.With(a.bodies(typeJSON)).Post("/chatbot", a.chatMessage)
		r.With(a.bodies(typeJSON)).Post("/chatbot/stream", a.chatStream)
		r.With(a.bodies(typeJSON), within(requestTimeout)).Post("/contact", a.contact)
		r.Group(func(r chi.Router) {
			r.Use(a.bodies(typeJSON), within(requestTimeout))
			r.Get("/clinic", a.content)
			r.Get("/services", a.content)
			r.Get("/services/featured", a.content)
			r.Get("/services/slug/{slug}", a.content)
			r.Get("/testimonials", a.content)
			r.Get("/blog", a.content)
			r.Get("/blog/slug/{slug}", a.content)
			r.Post("/visits", a.visit)
			r.Get("/chatbot/status", a.chatStatus)
			r.Post("/chatbot/conversation", a.chatConversation)
			r.Post("/chatbot/rating", a.rateReply)
			r.Post("/webhooks/bookings", a.bookingWebhook)
			r.Post("/auth/login", a.login)
			r.Post("/auth/logout", a.logout)
			r.Group(func(r chi.Router) {
				r.Use(a.signedIn)
				r.Get("/auth/user", a.currentUser)
				r.Route("/dashboard", a.dashboard)
			})
		})
		// These go on as long as somebody reads, and bound every write instead.
		r.With(a.signedIn).Get("/dashboard/export", a.export)
		r.With(a.signedIn).Get("/dashboard/contacts/export", a.exportContacts)
		r.With(a.signedIn).Get("/dashboard/live", a.watch)
	})
	return r
}

// compress packs what is worth it. The jitter keeps the size of an answer from telling
// what it holds.
var compress = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.RandomJitter(32, 0, false))
	if err != nil {
		panic(err)
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}()

func (a *api) notFound(w http.ResponseWriter, r *http.Request) { a.fail(w, r, errNotFound) }

func (a *api) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	routes := chi.RouteContext(r.Context()).Routes
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
			allowed = append(allowed, method)
		}
	}
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	a.fail(w, r, errMethod)
}

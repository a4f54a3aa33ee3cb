// Package httpapi serves the clinic's site and the interface that schema/openapi.yaml
// describes. It is made of one package for each kind of caller, which do not know each other:
// site (pages and content), visitor (chat, visits, contact form), booking (the scheduling form)
// and staff (dashboard). This one puts them together under their routes. A handler decodes,
// makes one call and encodes; package web turns errors into answers.
package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/klauspost/compress/gzhttp"
	"github.com/prometheus/client_golang/prometheus"

	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/site"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/adapters/httpapi/web"
)

// Config names what the interface needs: its parts by who calls them, and what all share.
type Config struct {
	Site    site.Config
	Visitor visitor.Config
	Booking booking.Config
	Staff   staff.Config
	// Responder answers errors; its logger is everybody's.
	web.Responder
	// Bound limits how long a request waits for the log; nil: it waits as long as it takes.
	Bound func(context.Context) context.Context
	// Postgres and ClickHouse say whether the engine is ready for this program.
	Postgres, ClickHouse Probe
	// Certificates says which of the site's names has no certificate; nil: they are a proxy's.
	Certificates func() error
	// TrustedProxies are the networks whose X-Forwarded-For and X-Forwarded-Proto are believed.
	TrustedProxies []netip.Prefix
	// StrictSubdomains asks browsers to come over HTTPS to all subdomains of the site, too.
	StrictSubdomains bool
	// NoteProxy remembers a peer that sends a proxy's header and is not in TrustedProxies; nil:
	// it is only logged.
	NoteProxy func(ctx context.Context, peer netip.Addr, header string) error
	// Stopping is closed when the process is to be sent nothing more, while it still serves; nil: it
	// says nothing before it stops.
	Stopping <-chan struct{}
	// Version is what runs; nil: nobody is told.
	Version *contract.Version
	// OffsiteAsOf is a moment whose changes are all in the copy elsewhere; zero where none is known. It may be nil.
	OffsiteAsOf func() time.Time
	// Collectors are metrics beside those of the interface itself.
	Collectors []prometheus.Collector
	Now        func() time.Time
}

// requestTimeout bounds the work on a request, except on one that waits for the assistant.
const requestTimeout = 15 * time.Second

type api struct {
	Config
	metrics *metrics
	site    *site.Site
	visitor *visitor.Handler
	webhook *booking.Webhook
	staff   staff.Handlers
}

// Handler answers everything that the program serves.
type Handler struct {
	http.Handler
	// Metrics answers GET /metrics, on another listener than visitors reach.
	Metrics http.Handler
	site    *site.Site
}

// New is the handler of everything the program serves.
func New(c Config) (*Handler, error) {
	metrics, err := newMetrics(c.Collectors)
	if err != nil {
		return nil, fmt.Errorf("register metrics: %w", err)
	}
	pages := site.New(c.Site, c.Now, c.Responder)
	a := &api{
		Config:  c,
		metrics: metrics,
		site:    pages,
		visitor: visitor.New(c.Visitor, pages, c.Now, c.Responder),
		webhook: booking.New(c.Booking, c.Now, c.Responder),
		staff:   staff.New(c.Staff, c.Now, c.Responder),
	}
	return &Handler{Handler: a.routes(), Metrics: metrics.handler(), site: pages}, nil
}

func (a *api) routes() *chi.Mux {
	json, form, brief := a.bodies(typeJSON), a.bodies(typeForm), within(requestTimeout)
	allow := a.staff.SignIn.Allow
	r := chi.NewRouter()
	r.Use(web.Identify, clientAddresses(a.TrustedProxies), a.observe, a.hangUp, a.recoverer, a.bound, a.noteProxies(), compress, a.secure(), middleware.GetHead)
	r.NotFound(a.notFound)
	r.MethodNotAllowed(a.methodNotAllowed)
	r.Get("/*", a.site.ServeHTTP)
	r.With(noStore, a.sameOrigin(), form, brief).Post("/contact", a.visitor.ContactForm)

	r.With(noStore, a.sameOrigin(), form, brief).Post("/privacidad", a.visitor.EraseForm)
	r.With(noStore, a.sameOrigin(), a.bodies(typeForm, "multipart/form-data"), brief).Post("/blog", a.visitor.NewsletterForm)

	r.With(brief).Get("/r/{reference}", a.visitor.FollowLink)
	r.With(brief).Get("/r/{reference}/cita.ics", a.visitor.CalendarFile)
	r.Get("/healthz", a.health)
	r.Get("/readyz", a.readiness)

	r.Route("/api", func(r chi.Router) {
		r.Use(noStore, a.sameOrigin())
		r.NotFound(a.notFound)
		r.MethodNotAllowed(a.methodNotAllowed)
		// Bounded by the chat service: an accepted message is answered and stored to the end.
		r.With(json).Post("/chatbot", a.visitor.ChatMessage)
		r.With(json).Post("/chatbot/stream", a.visitor.ChatStream)
		r.Group(func(r chi.Router) {
			r.Use(json, brief)
			r.Get("/clinic", a.site.ServeContent)
			r.Get("/services", a.site.ServeContent)
			r.Get("/services/featured", a.site.ServeContent)
			r.Get("/services/slug/{slug}", a.site.ServeContent)
			r.Get("/agenda/{slug}", web.JSON(a.Responder, a.site.NextFree))
			r.Get("/pages/{page}", a.site.ServeContent)
			r.Get("/doctors", a.site.ServeContent)
			r.Get("/doctors/slug/{slug}", a.site.ServeContent)
			r.Get("/testimonials", a.site.ServeContent)
			r.Get("/privacy", a.site.ServeContent)
			r.Get("/blog", a.site.ServeContent)
			r.Get("/blog/slug/{slug}", a.site.ServeContent)

			r.Post("/contact", web.NoContentOf(a.Responder, a.visitor.Contact))
			r.Post("/newsletter", web.NoContentOf(a.Responder, a.visitor.Subscribe))
			r.Post("/visits", web.NoContentOf(a.Responder, a.visitor.Visit))
			r.Get("/chatbot/status", web.JSON(a.Responder, a.visitor.ChatStatus))
			r.Post("/chatbot/conversation", web.JSONOf(a.Responder, a.visitor.ChatConversation))
			r.Post("/chatbot/conversation/erase", web.JSONOf(a.Responder, a.visitor.EraseConversation))
			r.Post("/chatbot/forget", a.visitor.Forget)
			r.Post("/chatbot/rating", web.NoContentOf(a.Responder, a.visitor.RateReply))
			r.Post("/webhooks/bookings", a.webhook.ServeHTTP)

			r.Post("/auth/login", a.staff.SignIn.Login)
			r.Post("/auth/logout", a.staff.SignIn.Logout)
			r.Group(func(r chi.Router) {
				r.Use(a.ownPages)
				a.staff.SignIn.Routes(r)
				a.staff.Accounts.Routes(r, allow)
				r.Route("/dashboard", func(r chi.Router) {
					a.staff.Dashboard.Routes(r, allow)
					a.staff.Contacts.Routes(r, allow)
					a.staff.Waiting.Routes(r, allow)
					a.staff.Answers.Routes(r, allow)
				})
			})
		})
		// These go on as long as somebody reads, and bound every write instead.
		r.With(a.ownPages, allow("exportConversations")).Get("/dashboard/export", a.staff.Dashboard.Export)
		r.With(a.ownPages, allow("exportContacts")).Get("/dashboard/contacts/export", a.staff.Contacts.Export)
		r.With(a.ownPages, allow("watchDashboard")).Get("/dashboard/live", a.staff.Dashboard.Watch)
		r.With(a.ownPages, json, allow("previewAnswer")).Post("/dashboard/answers/preview", a.staff.Answers.Preview)
	})
	return r
}

// compress packs what is worth it. The jitter keeps the size of an answer from showing
// what it holds.
var compress = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.RandomJitter(32, 0, false))
	if err != nil {
		panic(err)
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}()

// Answers to what no route is made for.
var (
	errMethod      = &web.Problem{Status: http.StatusMethodNotAllowed, Message: "Este recurso no admite ese método."}
	errCrossOrigin = &web.Problem{Status: http.StatusForbidden, Message: "La petición viene de otro sitio y no se acepta."}
	errNotJSON     = &web.Problem{Status: http.StatusUnsupportedMediaType, Message: "El cuerpo de la petición debe ser JSON (Content-Type: application/json)."}
	errPanicked    = &web.Problem{Status: http.StatusInternalServerError, Message: web.Unexpected}
)

func (a *api) notFound(w http.ResponseWriter, r *http.Request) { a.Fail(w, r, web.ErrNotFound) }

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
	a.Fail(w, r, errMethod)
}

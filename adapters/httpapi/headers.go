package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
)

// contentSecurityPolicy allows what the site itself brings, and nothing inline. Small
// pictures inlined by the build are data URLs.
var contentSecurityPolicy = []string{
	"default-src 'self'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"font-src 'self'",
	"connect-src 'self'",
	"object-src 'none'",
	"base-uri 'none'",
	"form-action 'self'",
	"frame-ancestors 'none'",
}

// frames is the policy on what may be shown in a frame: the clinic's map and nothing else.
func frames(mapAddress string) string {
	if u, err := url.Parse(mapAddress); err == nil && u.Scheme == "https" && u.Host != "" {
		return "frame-src https://" + u.Host
	}
	return "frame-src 'none'"
}

var securityHeaders = map[string]string{
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy":              "strict-origin-when-cross-origin",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// strictTransport keeps a browser that came over HTTPS from coming without it, for a year.
const strictTransport = "max-age=31536000"

func (a *api) secure() func(http.Handler) http.Handler {
	policy := strings.Join(append(slices.Clip(contentSecurityPolicy), frames(a.Site.Content.Clinic.MapFrame())), "; ")
	strict := strictTransport
	if a.StrictSubdomains {
		strict += "; includeSubDomains"
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			for name, value := range securityHeaders {
				w.Header().Set(name, value)
			}
			if a.overHTTPS(r) {
				w.Header().Set("Strict-Transport-Security", strict)
			}
			next.ServeHTTP(w, r)
		})
	}
}

// noStore keeps answers about people out of every cache.
var noStore = middleware.SetHeader("Cache-Control", "no-store")

// within bounds the time that a request's work may take.
func within(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// bound limits what a request waits for the log, whatever route it takes.
func (a *api) bound(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.Bound != nil {
			r = r.WithContext(a.Bound(r.Context()))
		}
		next.ServeHTTP(w, r)
	})
}

// sameOrigin refuses a browser's write that another site started.
func (a *api) sameOrigin() func(http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.Fail(w, r, errCrossOrigin)
	}))
	return protection.Handler
}

// ownPages refuses a browser's read that another site started. A link there would bring the
// session along and, in the staff's name, have it recorded who read what. What does not say where
// it comes from is no browser of today, and passes.
func (a *api) ownPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Sec-Fetch-Site") {
		case "", "none", "same-origin":
			next.ServeHTTP(w, r)
		default:
			a.Fail(w, r, errCrossOrigin)
		}
	})
}

// Package web is what the calls of all callers share: how a request is read and how an answer,
// or an error, is written.
package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/netip"
	"regexp"

	"github.com/go-chi/chi/v5/middleware"
)

type requestIDKey struct{}

// RequestID names the request; empty outside of one.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// Identify draws the request's name. None is taken from outside: it ends up in the log.
func Identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rand.Text()
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

// ClientKey is by what clients are distinguished: the address, or the network of an IPv6
// address, since one subscriber has all of its addresses.
func ClientKey(ctx context.Context) string {
	addr := middleware.GetClientIPAddr(ctx)
	if addr.Is6() {
		if network, err := addr.WithZone("").Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

// LogAddress is as much of an address as a log may keep: its network, /24 or of IPv6 /48, in
// which hundreds of people are. It is empty where the address is not known.
func LogAddress(addr netip.Addr) string {
	if !addr.IsValid() {
		return ""
	}
	addr = addr.Unmap().WithZone("")
	bits := 24
	if addr.Is6() {
		bits = 48
	}
	return netip.PrefixFrom(addr, bits).Masked().String()
}

type closingKey struct{}

// WithClosing is the context of a server's requests: done is closed when it is about to stop.
func WithClosing(ctx context.Context, done <-chan struct{}) context.Context {
	return context.WithValue(ctx, closingKey{}, done)
}

// Closing is closed when the server is about to stop: it would wait for answers without an end. It is nil where no such server serves the request.
func Closing(ctx context.Context) <-chan struct{} {
	done, _ := ctx.Value(closingKey{}).(<-chan struct{})
	return done
}

var idForm = regexp.MustCompile(`^[0-9A-Za-z_-]{1,128}$`)

// ValidID says whether a text can name a conversation or a contact.
func ValidID(text string) bool { return idForm.MatchString(text) }

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

// TestARenewalFailsUntilTheLastDay: what there is goes on being served, and somebody is told in time.
func TestARenewalFailsUntilTheLastDay(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.round()
	first := s.leaf(siteName)
	s.acme.Front(func(w http.ResponseWriter, r *http.Request) bool {
		http.Error(w, "away", http.StatusBadGateway)
		return true
	})
	for _, at := range []struct {
		days time.Duration
		late bool
	}{{61, false}, {67, false}, {68, true}, {80, true}, {89, true}} {
		s.is(at.days * day)
		if rest := s.next(); rest > time.Hour || s.problem() == "" || s.Missing() != nil {
			t.Errorf("day %d: rests for %v, problem %q, missing %v", at.days, rest, s.problem(), s.Missing())
		}
		if late := s.States()[0].Late(s.Now()); late != at.late || s.leaf(siteName).SerialNumber.Cmp(first.SerialNumber) != 0 {
			t.Errorf("day %d: late %v", at.days, late)
		}
	}
	s.is(90*day + time.Hour)
	if s.next(); s.Missing() == nil {
		t.Error("nothing is missing although the certificate ended")
	}
	s.is(89*day + 12*time.Hour)
	s.acme.Front(nil)
	if s.next(); s.leaf(siteName).SerialNumber.Cmp(first.SerialNumber) == 0 {
		t.Errorf("not renewed: %q", s.problem())
	}
}

func TestTheACMEServerIsAway(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.stop()
	s.acme.Front(func(w http.ResponseWriter, r *http.Request) bool { panic(http.ErrAbortHandler) })
	s.restart()
	for i, want := range []time.Duration{time.Minute, 3 * time.Minute, 9 * time.Minute, 27 * time.Minute, time.Hour, time.Hour} {
		rest := s.round
		if i > 0 {
			rest = s.next
		}
		if got := rest(); got != want {
			t.Errorf("after %d failures it rests for %v", i+1, got)
		}
	}
	if answer := s.get("/"); answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || answer.Header.Get("Set-Cookie") != "" {
		t.Errorf("%s, %v", answer.Status, answer.Header)
	}
	if _, err := s.dial(siteName, nil); err == nil || s.Missing() == nil || s.problem() == "" {
		t.Errorf("%v, missing %v", err, s.Missing())
	}
	s.acme.Front(nil)
	if rest := s.next(); rest != toRefresh || s.Missing() != nil || s.problem() != "" {
		t.Errorf("rests for %v, problem %q", rest, s.problem())
	}
	s.leaf(siteName)
}

// TestAWrongDomain keeps no other one out.
func TestAWrongDomain(t *testing.T) {
	s := newTLSSite(t, siteName, programtest.Elsewhere)
	if rest := s.round(); rest != time.Minute {
		t.Errorf("rests for %v", rest)
	}
	s.leaf(siteName)
	wrong := s.States()[1]
	if s.problem() != "" || !strings.Contains(wrong.Problem, "127.0.0.9") || !strings.Contains(fmt.Sprint(s.Missing()), programtest.Elsewhere) {
		t.Errorf("%+v, missing: %v", s.States(), s.Missing())
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, "problems", programtest.Elsewhere))
	if err != nil || string(text) != wrong.Problem {
		t.Errorf("doctor reads %q, %v", text, err)
	}
}

// TestTheACMEServerLimitsTheRate: one order a round is asked for, and the limit told.
func TestTheACMEServerLimitsTheRate(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.stop()
	if err := os.RemoveAll(s.Dir); err != nil {
		t.Fatal(err)
	}
	before := s.acme.Asked(newOrder)
	s.acme.Front(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != newOrder {
			return false
		}
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"type": "urn:ietf:params:acme:error:rateLimited", "detail": "too many failed authorizations (5) for \"clinica.test\"", "status": 429}`)
		return true
	})
	s.restart()
	s.round()
	s.next()
	if n := s.acme.Asked(newOrder) - before; n != 2 || s.problem() != `rateLimited: too many failed authorizations (5) for "clinica.test"` {
		t.Errorf("%d orders in 2 rounds, problem %q", n, s.problem())
	}
	s.acme.Front(nil)
	s.next()
	s.leaf(siteName)
}

// TestARestartInTheMiddle: an order that was broken off neither holds its successor up nor costs another account.
func TestARestartInTheMiddle(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.stop()
	if err := os.RemoveAll(s.Dir); err != nil {
		t.Fatal(err)
	}
	reached, release := make(chan struct{}, 8), make(chan struct{})
	s.acme.Front(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/finalize-order/") {
			reached <- struct{}{}
			<-release
			return true
		}
		return false
	})
	accounts := s.acme.Asked("/sign-me-up")
	// What a kill leaves behind, by a clock that was set back since.
	programtest.Write(t, filepath.Join(s.Dir, "locks", "issue_cert_"+siteName+".lock"), []byte(`{"created": "2100-01-01T00:00:00Z", "updated": "2100-01-01T00:00:00Z"}`), 0o600)
	s.restart()
	<-reached
	s.acme.Front(nil)
	s.restart()
	close(release)
	s.round()
	s.leaf(siteName)
	if n := s.acme.Asked("/sign-me-up") - accounts; n != 1 {
		t.Errorf("%d accounts", n)
	}
	orders := s.acme.Asked(newOrder)
	s.restart()
	if s.round(); s.acme.Asked(newOrder) != orders {
		t.Error("a restart asks for another certificate")
	}
	first := s.leaf(siteName)
	again := make(chan struct{})
	s.acme.Front(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/finalize-order/") {
			reached <- struct{}{}
			<-again
			return true
		}
		return false
	})
	s.is(61 * day)
	s.on <- struct{}{}
	<-reached
	s.acme.Front(nil)
	s.restart()
	close(again)
	if s.round(); s.leaf(siteName).SerialNumber.Cmp(first.SerialNumber) == 0 {
		t.Errorf("a renewal that was broken off bars the next: %q", s.problem())
	}
}

// TestAMovedClock: a clock that is far ahead has one certificate renewed and no more, one behind none.
func TestAMovedClock(t *testing.T) {
	s := newTLSSite(t, siteName)
	s.round()
	orders := s.acme.Asked(newOrder)
	s.is(80 * day)
	for range 4 {
		s.next()
	}
	if n := s.acme.Asked(newOrder) - orders; n != 1 || !strings.Contains(s.problem(), "clock") {
		t.Errorf("%d orders, problem %q", n, s.problem())
	}
	s.is(-2 * day)
	if s.next(); s.acme.Asked(newOrder) != orders+1 || !strings.Contains(s.problem(), "clock") || s.Missing() == nil {
		t.Errorf("problem %q, missing %v", s.problem(), s.Missing())
	}
	s.is(0)
	if rest := s.next(); rest != toRefresh || s.problem() != "" || s.Missing() != nil || s.acme.Asked(newOrder) != orders+1 {
		t.Errorf("rests for %v, problem %q", rest, s.problem())
	}
}

package httpapi

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

func TestContentCalls(t *testing.T) {
	b := newTestServer(t).browser()
	own := clinic.DefaultContent()

	var services, featured []contract.Service
	b.get("/api/services").into(http.StatusOK, &services)
	b.get("/api/services/featured").into(http.StatusOK, &featured)
	if len(services) != len(own.Services) || services[0].Slug != own.Services[0].Slug || len(featured) != len(own.Featured()) {
		t.Errorf("%d services, %d featured", len(services), len(featured))
	}
	for _, want := range services {
		var got contract.Service
		b.get("/api/services/slug/"+want.Slug).into(http.StatusOK, &got)
		// A list leaves out what only the page of a service tells.
		got.Minutes, got.Price, got.Team, got.Questions = nil, nil, nil, nil
		if !reflect.DeepEqual(got, want) || got.ID == "" || !strings.HasPrefix(got.Content, "<p>") || got.Icon == "" {
			t.Errorf("service %s: %+v", want.Slug, got)
		}
	}

	var testimonials []contract.Testimonial
	b.get("/api/testimonials").into(http.StatusOK, &testimonials)
	if len(testimonials) != len(own.Testimonials) || testimonials[0].Name != own.Testimonials[0].Name || testimonials[0].Rating != 5 {
		t.Errorf("testimonials: %+v", testimonials)
	}

	var posts []contract.Post
	b.get("/api/blog").into(http.StatusOK, &posts)
	published := own.Published(noon)
	if len(posts) != len(published) || posts[0].Slug != published[0].Slug || !posts[0].PublishedAt.Equal(published[0].PublishedAt) {
		t.Errorf("%d posts", len(posts))
	}
	var post contract.Post
	b.get("/api/blog/slug/"+posts[1].Slug).into(http.StatusOK, &post)
	if post.Slug != posts[1].Slug || !strings.Contains(post.Content, "<h2>") {
		t.Errorf("post: %+v", post)
	}

	var facts contract.Clinic
	b.get("/api/clinic").into(http.StatusOK, &facts)
	if facts.Phones[0] != (contract.Phone{Label: "+507 200-0101", Href: "tel:+5072000101"}) || facts.Hours[0].Spans[0].Opens != "08:00" ||
		facts.Hours[5].Spans[0].Closes != "15:00" || len(facts.Hours[6].Spans) != 0 || facts.NoticeVersion == "" {
		t.Errorf("facts: %+v", facts)
	}
}

func TestTheNextFreeTimeIsThatOfTheChat(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	var got contract.NextFree
	b.get("/api/agenda/endodoncia").into(http.StatusOK, &got)
	want, err := h.chat.NextFree(t.Context(), "endodoncia")
	if err != nil || got.At == nil || !got.At.Equal(want) || !got.At.After(noon) {
		t.Errorf("%+v, want %v %v", got, want, err)
	}
	b.get("/api/agenda/astrologia").refused(http.StatusNotFound)
	withForm := newTestServer(t, func(h *testServer) { h.config.Site.Content.Clinic.Links.Booking = "https://citas.istmo.test/" })
	got = contract.NextFree{}
	withForm.browser().get("/api/agenda/endodoncia").into(http.StatusOK, &got)
	if got.At != nil {
		t.Errorf("another form books, and the page names %v", got.At)
	}
}

func TestContentThatIsNotThere(t *testing.T) {
	b := newTestServer(t).browser()
	for _, path := range []string{
		"/api/services/slug/astrologia", "/api/blog/slug/nada", "/api/blog/slug/x%2Fy", "/api/services/slug/Endodoncia", "/api/services/endodoncia",
	} {
		if a := b.get(path); a.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, a.Header())
		} else {
			a.refused(http.StatusNotFound)
		}
	}
	if a := b.post("/api/blog", nil); a.Code != http.StatusMethodNotAllowed || a.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", a.Code, a.Header())
	}
}

func TestContentIsRevalidated(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	first := b.get("/api/blog")
	tag := first.Header().Get("ETag")
	if first.Header().Get("Cache-Control") != "public, max-age=60, must-revalidate" || tag == "" {
		t.Errorf("headers: %v", first.Header())
	}
	again := func() answer {
		return b.send(http.MethodGet, "/api/blog", nil, map[string]string{"If-None-Match": tag})
	}
	if a := again(); a.Code != http.StatusNotModified || a.Body.Len() != 0 {
		t.Errorf("unchanged: %d", a.Code)
	}
	if a := b.send(http.MethodHead, "/api/blog", nil, nil); a.Code != http.StatusOK || a.Body.Len() != 0 || a.Header().Get("ETag") != tag {
		t.Errorf("HEAD: %d %v", a.Code, a.Header())
	}
	c := clinic.DefaultContent()
	c.Posts[0].Title = "Otro título de {{clinicName}}"
	if _, err := h.db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if a := again(); a.Code != http.StatusNotModified {
		t.Errorf("within a second: %d", a.Code)
	}
	h.clock.advance(time.Second)
	var posts []contract.Post
	again().into(http.StatusOK, &posts)
	if posts[0].Title != "Otro título de Clínica Dental Regency" {
		t.Errorf("after a change: %q", posts[0].Title)
	}
}

func TestAPostAppearsWhenItsTimeComes(t *testing.T) {
	h := newTestServer(t)
	c := clinic.DefaultContent()
	c.Posts[0].PublishedAt = noon.Add(time.Hour)
	if _, err := h.db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	b, slug := h.browser(), c.Posts[0].Slug
	listed := func() bool {
		var posts []contract.Post
		b.get("/api/blog").into(http.StatusOK, &posts)
		return slices.ContainsFunc(posts, func(p contract.Post) bool { return p.Slug == slug })
	}
	if listed() || b.get("/api/blog/slug/"+slug).Code != http.StatusNotFound {
		t.Error("a post was there before its time")
	}
	h.clock.advance(time.Hour)
	if !listed() || b.get("/api/blog/slug/"+slug).Code != http.StatusOK {
		t.Error("a post was not there at its time")
	}
}

func TestContentIsRememberedWhileTheDatabaseIsAway(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	first := b.get("/api/services")
	h.db.Close()
	h.clock.advance(time.Minute)
	if a := b.get("/api/services"); a.Code != http.StatusOK || a.Body.String() != first.Body.String() {
		t.Errorf("remembered: %d", a.Code)
	}
	cold := newTestServer(t)
	cold.db.Close()
	for _, path := range []string{"/api/services", "/", "/about"} {
		if a := cold.browser().get(path); a.Code < 500 {
			t.Errorf("%s, nothing to remember: %d", path, a.Code)
		}
	}
}

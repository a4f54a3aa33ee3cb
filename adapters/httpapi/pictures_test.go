package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

// ofTheClinic are pictures whose files say their names.
func ofTheClinic(t *testing.T, h *testServer) []clinic.Picture {
	t.Helper()
	focus := clinic.Focus{X: 0.5, Y: 0.25}
	pictures := []clinic.Picture{
		{Name: "logo", Type: "svg", SHA: strings.Repeat("a", 64), Key: strings.Repeat("b", 32), Width: 160, Height: 40, Focus: focus, Shown: focus},
		{Name: "services/endodoncia", Alt: "Una sala de {{clinicName}}", Type: "jpg", SHA: strings.Repeat("c", 64), Key: strings.Repeat("d", 32), Width: 1280, Height: 720, Widths: []int{640, 1280}, Focus: focus, Shown: focus},
	}
	for _, p := range pictures {
		names := []string{p.Original()}
		for _, f := range p.Files() {
			names = append(names, f.Name)
		}
		for _, name := range names {
			if err := h.db.Content().AddPictureFile(t.Context(), name, []byte(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	c := clinic.DefaultContent()
	c.Pictures = pictures
	if _, err := h.db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	h.clock.advance(time.Second)
	return pictures
}

func TestTheSiteIsToldOfPictures(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	var facts contract.Clinic
	b.get("/api/clinic").into(http.StatusOK, &facts)
	if facts.Images == nil || len(facts.Images) != 0 {
		t.Errorf("without any: %+v", facts.Images)
	}
	ofTheClinic(t, h)
	b.get("/api/clinic").into(http.StatusOK, &facts)
	d := "/images/" + strings.Repeat("d", 32)
	service := facts.Images["services/endodoncia"]
	if service.Src != d+"-640.webp" || service.Stem != d || service.Width != 640 || service.Height != 360 || service.Alt != "Una sala de Clínica Dental Regency" ||
		service.Share == nil || *service.Share != d+"-1200.jpg" || len(service.Widths) != 2 || service.Focus[1] != 25 {
		t.Errorf("service: %+v", service)
	}
	if logo := facts.Images["logo"]; logo.Src != "/images/"+strings.Repeat("b", 32)+"-160.svg" || logo.Width != 160 || logo.Height != 40 || logo.Share != nil || len(logo.Widths) != 0 {
		t.Errorf("logo: %+v", logo)
	}
}

// TestEveryFileOfAPictureIsServedAsWhatItIs asks for each of them by every process's way: out of
// the database, then as it is remembered.
func TestEveryFileOfAPictureIsServedAsWhatItIs(t *testing.T) {
	h := newTestServer(t)
	pictures := ofTheClinic(t, h)
	b := h.browser()
	types := map[string]string{"avif": "image/avif", "webp": "image/webp", "jpg": "image/jpeg", "svg": "image/svg+xml"}
	for round := range 2 {
		for _, p := range pictures {
			for _, f := range p.Files() {
				a := b.get("/images/" + f.Name)
				head := a.Header()
				if a.Code != http.StatusOK || a.Body.String() != f.Name || head.Get("Content-Type") != types[f.Type] ||
					head.Get("Cache-Control") != "public, max-age=31536000, immutable" || head.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("round %d, %s: %d %q %v", round, f.Name, a.Code, a.Body, head)
				}
				if sandboxed := strings.Contains(head.Get("Content-Security-Policy"), "sandbox"); sandboxed != (f.Type == "svg") {
					t.Errorf("%s: %s", f.Name, head.Get("Content-Security-Policy"))
				}
				if again := b.send(http.MethodGet, "/images/"+f.Name, nil, map[string]string{"If-None-Match": head.Get("ETag")}); again.Code != http.StatusNotModified {
					t.Errorf("%s asked for again: %d", f.Name, again.Code)
				}
			}
		}
		h.db.Close() // what was asked for before is served on
	}
}

func TestNoOtherFileIsServedAsAPicture(t *testing.T) {
	h := newTestServer(t)
	pictures := ofTheClinic(t, h)
	b := h.browser()
	for _, name := range []string{
		pictures[1].Original(), pictures[1].Key + "-641.webp", pictures[1].Key + "-640.gif", strings.Repeat("e", 32) + "-640.webp", "hero/1.jpg", "x/../" + pictures[1].Original(),
	} {
		a := b.get("/images/" + name)
		if a.Code != http.StatusNotFound || a.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %d %v", name, a.Code, a.Header())
		}
	}
}

func TestAPictureThatWasTakenAwayIsForgotten(t *testing.T) {
	h := newTestServer(t)
	pictures := ofTheClinic(t, h)
	if _, err := h.db.Content().Replace(t.Context(), clinic.DefaultContent()); err != nil {
		t.Fatal(err)
	}
	if a := h.browser().get("/images/" + pictures[0].Files()[0].Name); a.Code != http.StatusNotFound {
		t.Errorf("%d", a.Code)
	}
}

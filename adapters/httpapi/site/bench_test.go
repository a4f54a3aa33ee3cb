package site

import (
	"testing"
	"time"

	"bitacora/adapters/render"
	"bitacora/domain/clinic"
	"bitacora/webapp"
)

// BenchmarkPages measures what the first visitor of a page waits for: its head alone, which is the
// control, all of it, and its compression.
func BenchmarkPages(b *testing.B) {
	bundle, err := webapp.Pages()
	if err != nil {
		b.Fatalf("npm run build comes first: %v", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		b.Fatal(err)
	}
	v, err := newContentVersion("", shown(b), clinic.Default(), "", false, time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC))
	if err != nil {
		b.Fatal(err)
	}
	control := 0.0
	each := func(b *testing.B, work func(path string) error) {
		for b.Loop() {
			for _, a := range v.pages {
				if err := work(a.path); err != nil {
					b.Fatal(a.path, err)
				}
			}
		}
		took := b.Elapsed().Seconds() * 1000 / float64(b.N*len(v.pages))
		if control == 0 {
			control = took
		}
		b.ReportMetric(took, "ms/page")
		b.ReportMetric(took/control, "times-control")
	}
	b.Run("head", func(b *testing.B) {
		each(b, func(path string) error {
			_, err := pages.Head(b.Context(), path, v.dataOf(path, "https://clinica.example"))
			return err
		})
	})
	b.Run("page", func(b *testing.B) {
		each(b, func(path string) error {
			_, err := pages.Render(b.Context(), path, v.dataOf(path, "https://clinica.example"))
			return err
		})
	})
	b.Run("pack", func(b *testing.B) {
		page, err := pages.Render(b.Context(), v.pages[0].path, v.dataOf(v.pages[0].path, "https://clinica.example"))
		if err != nil {
			b.Fatal(err)
		}
		each(b, func(string) error { pack([]byte(page.HTML)); return nil })
	})
}

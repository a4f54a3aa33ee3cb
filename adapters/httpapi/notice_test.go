package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

// The notice is that of the content, with the clinic's facts, and its version is the one that
// consents name.
func TestNoticeIsShown(t *testing.T) {
	h := newTestServer(t, func(h *testServer) { h.config.Site.Content.Operator = "Anthropic" })
	b := h.browser()
	var notice contract.Notice
	b.get("/api/privacy").into(http.StatusOK, &notice)
	own := clinic.DefaultContent().Notice
	if notice.Version != own.Version || notice.Title != clinic.Default().Fill(own.Title) || contract.Deref(notice.ModelOperator) != "Anthropic" ||
		!strings.Contains(notice.Content, clinic.Default().Email) || !strings.Contains(notice.Content, "10 días hábiles") || strings.Contains(notice.Content, "{{") ||
		!strings.Contains(notice.Content, `href="mailto:`+clinic.Default().Email) || strings.Contains(notice.Content, "%7B") {
		t.Errorf("notice: %+v", notice)
	}
	content := clinic.DefaultContent()
	content.Notice.Version = "2027-01-01"
	if _, err := h.db.Content().Replace(t.Context(), content); err != nil {
		t.Fatal(err)
	}
	h.clock.advance(2 * time.Second)
	var facts contract.Clinic
	if b.get("/api/clinic").into(http.StatusOK, &facts); facts.NoticeVersion != "2027-01-01" || facts.RequestDays != clinic.RequestDays {
		t.Errorf("facts: %+v", facts)
	}
	if got := h.config.Site.Content.NoticeVersion(t.Context()); got != "2027-01-01" {
		t.Errorf("version %q", got)
	}
}

package privacy_test

import (
	"slices"
	"testing"

	"bitacora/domain/event"
	"bitacora/domain/privacy"
	"bitacora/domain/privacy/privacytest"
)

// TestTheCorpusIsFoundAgain: what stands in a message as a contact is the identifier that somebody
// types who was told it alone.
func TestTheCorpusIsFoundAgain(t *testing.T) {
	asked, found := 0, 0
	for _, s := range privacytest.Corpus(t) {
		in := privacy.Identify([]event.Field{{Name: "text", Value: &s.Text}})
		for _, m := range s.Personal {
			if !slices.Contains([]string{"phone", "email", "document"}, m.Kind) {
				continue
			}
			alone := s.Text[m.From:m.To]
			if m.Kind == "document" {
				alone = "documento " + alone
			}
			asked++
			one, err := privacy.ParseIdentifier(alone)
			if err == nil && slices.Contains(in, one) {
				found++
			} else {
				t.Logf("%q holds %v, %q is %v, %v", s.Text, in, alone, one, err)
			}
		}
	}
	if share := float64(found) / float64(asked); share < 0.97 {
		t.Errorf("%d of %d are found again, %.3f", found, asked, share)
	}
}

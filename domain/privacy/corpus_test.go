package privacy

import (
	"testing"

	"bitacora/domain/privacy/privacytest"
)

func TestCorpus(t *testing.T) {
	samples := privacytest.Corpus(t)
	masked := make([]string, len(samples))
	for i, s := range samples {
		masked[i] = Mask(s.Text, Known{})
	}
	privacytest.MustMask(t, samples, masked)
}

package assistant

import (
	"regexp"
	"testing"
)

func TestAnAnswerSaysYesOrNoOnlyToWhatItAnswers(t *testing.T) {
	a := newTestAssistant(t)
	begins := regexp.MustCompile(`^(?:Por lo general )?(?:Sí|No|sí|no)[,:]`)
	for text, want := range map[string]bool{
		"¿atienden niños?":     true,
		"¿sacan muelas?":       true,
		"¿atienden urgencias?": true,
		"¿la ortodoncia es solo para niños o adultos también?": false,
		"¿la anestesia puede causar un infarto?":               false,
		"¿no atienden niños, verdad?":                          false,
		"¿atienden niños con autismo y epilepsia?":             false,
		"¿cuándo atienden niños?":                              false,
	} {
		if got := begins.MatchString(ask(t, a, text, saturday).Text); got != want {
			t.Errorf("%q: %s", text, ask(t, a, text, saturday).Text)
		}
	}
}

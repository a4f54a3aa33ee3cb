package assistant

import "testing"

// A day without a name in the clinic's file is named by no message, nor by one without words.
func TestWhatHasNoNameIsNeverNamed(t *testing.T) {
	for _, text := range []string{"", " ", "hola"} {
		if anyOf([]string{""}).MatchString(text) {
			t.Errorf("%q names nothing", text)
		}
	}
}

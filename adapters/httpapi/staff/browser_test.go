package staff

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBrowsersAreKnownByFamilyAndSystem(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36":                         "Chrome · Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0":           "Edge · Windows",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                                                                  "Firefox · Linux",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1": "Safari · iOS",
		"Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36":                         "Chrome · Android",
		"": "",
	} {
		if got := browserOf(&http.Request{Header: http.Header{"User-Agent": {agent}}}); got != want {
			t.Errorf("%s\nis %q, want %q", agent, got, want)
		}
	}
	for _, hostile := range []string{"\xff\xfe/1.0", strings.Repeat("ñ", 1000) + "/1.0 (x)"} {
		got := browserOf(&http.Request{Header: http.Header{"User-Agent": {hostile}}})
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxBrowser {
			t.Errorf("%q", got)
		}
	}
}

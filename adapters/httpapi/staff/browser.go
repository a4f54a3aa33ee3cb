package staff

import (
	"net/http"
	"strings"

	"github.com/mileusna/useragent"
)

// maxBrowser bounds what a client may call itself, in characters.
const maxBrowser = 60

// browserOf is how people know a browser: its family and its system, without versions. Clients
// call themselves what they like, so it decides nothing.
func browserOf(r *http.Request) string {
	agent := useragent.Parse(strings.ToValidUTF8(r.UserAgent(), ""))
	parts := []string{}
	for _, part := range []string{agent.Name, agent.OS} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	name := []rune(strings.Join(parts, " · "))
	return string(name[:min(len(name), maxBrowser)])
}

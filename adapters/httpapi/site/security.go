package site

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// securityPath is where RFC 9116 has people look for whom to tell of a fault.
const securityPath = "/.well-known/security.txt"

// securityText is the file of RFC 9116. It expires some time after the start of the program: one
// that nobody has started anew for so long has not been kept up to date either.
func securityText(email, origin string, started time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Contact: mailto:%s\n", url.PathEscape(email))
	fmt.Fprintf(&b, "Expires: %s\n", started.AddDate(0, 11, 0).UTC().Format(time.RFC3339))
	b.WriteString("Preferred-Languages: es, en\n")
	// An address without encryption would not be a valid one.
	if strings.HasPrefix(origin, "https://") {
		fmt.Fprintf(&b, "Canonical: %s\n", origin+securityPath)
	}
	return b.String()
}

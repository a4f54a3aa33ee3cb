package event

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// DerivedID is a UUID (version 8, RFC 9562) that depends on nothing but its parts:
// asking twice for the event of the same fact gives the same id, which is what makes
// a retry or a repeated import harmless.
func DerivedID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	h := hex.EncodeToString(id)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"path"
	"strings"

	"github.com/andybalholm/brotli"
)

// packed is a text and, where that was worth the time, the same text compressed with
// Brotli.
type packed struct {
	plain, brotli []byte
	// tag tells this text from others; empty: it is made of the text with each answer.
	tag string
}

// tagOf is a tag that no other text has.
func tagOf(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// packLevel gives a page that is a tenth larger than the best level's, in a tenth of the
// time: somebody may wait for it.
const packLevel = 9

// pack compresses what will be sent many times.
func pack(plain []byte) packed {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, packLevel)
	// A buffer takes everything.
	_, _ = w.Write(plain)
	_ = w.Close()
	return packed{plain, b.Bytes(), tagOf(plain)}
}

// packFile compresses a drawing or a stylesheet; other pictures are compressed already.
func packFile(name string, content []byte) packed {
	if path.Ext(name) == ".png" {
		return packed{plain: content}
	}
	return pack(content)
}

// acceptsBrotli says whether a client can read Brotli. Browsers say so over TLS and to
// their own machine.
func acceptsBrotli(r *http.Request) bool {
	for offer := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(offer, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "br") {
			return strings.Trim(weight, " 0.") != "q="
		}
	}
	return false
}

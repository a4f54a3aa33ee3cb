package web

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"time"
)

// tokenBytes is the size of the secrets in cookies.
const tokenBytes = 32

func NewToken() string {
	var secret [tokenBytes]byte
	rand.Read(secret[:])
	return Token(secret)
}

// Token is a secret as a cookie carries it.
func Token(secret [tokenBytes]byte) string { return base64.RawURLEncoding.EncodeToString(secret[:]) }

// CookieToken is the secret in a cookie; empty when there is none or it is not one of ours.
func CookieToken(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	if secret, err := base64.RawURLEncoding.Strict().DecodeString(c.Value); err != nil || len(secret) != tokenBytes {
		return ""
	}
	return c.Value
}

// SetCookie keeps a secret in the browser for so long, or until it is closed where that is
// 0, out of reach of scripts and of other sites' writes. The name's prefix binds it to this
// host.
func SetCookie(w http.ResponseWriter, name, value string, keep time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(keep.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// DropCookie makes the browser forget a secret.
func DropCookie(w http.ResponseWriter, name string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Path: "/", MaxAge: -1,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

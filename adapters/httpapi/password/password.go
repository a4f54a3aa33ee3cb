// Package password turns passwords into Argon2id hashes and compares them.
package password

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// Bounds of a new password, in characters.
const (
	MinLength = 12
	MaxLength = 128
)

// Refusal says in a sentence, to be shown to who chose it, why a password is not taken.
type Refusal string

// Error implements [error].
func (r Refusal) Error() string { return string(r) }

// ErrLength: a password is shorter or longer than a new one may be.
var ErrLength = Refusal(fmt.Sprintf("La contraseña debe tener entre %d y %d caracteres.", MinLength, MaxLength))

// The cost of one hash: 46 MiB for about 50 ms.
const (
	memoryKiB = 47104
	passes    = 1
	threads   = 1
	saltBytes = 16
	hashBytes = 32
)

// Hash gives the text under which a password is kept, however easily it is guessed:
// "$argon2id$v=19$m=47104,t=1,p=1$salt$hash". The error is [ErrLength].
func Hash(password string) (string, error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	return encode(salt, argon2.IDKey([]byte(password), salt, passes, memoryKiB, threads, hashBytes)), nil
}

func checkLength(password string) error {
	if n := utf8.RuneCountInString(password); n < MinLength || n > MaxLength {
		return ErrLength
	}
	return nil
}

func encode(salt, hash []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, memoryKiB, passes, threads, b64.EncodeToString(salt), b64.EncodeToString(hash))
}

// Decoy is what the password of an unknown account is compared with, so that it takes as
// long as that of a known one. No password fits.
var Decoy = encode(make([]byte, saltBytes), make([]byte, hashBytes))

// Matches says whether a password is the one that was hashed. The error means that the
// hash is not one of [Hash].
func Matches(hashed, password string) (bool, error) {
	h, err := parse(hashed)
	if err != nil {
		return false, err
	}
	got := argon2.IDKey([]byte(password), h.salt, h.passes, h.memoryKiB, h.threads, uint32(len(h.hash)))
	return subtle.ConstantTimeCompare(got, h.hash) == 1, nil
}

type parsed struct {
	memoryKiB, passes uint32
	threads           uint8
	salt, hash        []byte
}

var errUnreadable = errors.New("password hash is not readable")

func parse(hashed string) (parsed, error) {
	var p parsed
	var version int
	parts := strings.Split(hashed, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return p, errUnreadable
	}
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return p, errUnreadable
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memoryKiB, &p.passes, &p.threads); err != nil || p.passes == 0 || p.threads == 0 {
		return p, errUnreadable
	}
	var saltErr, hashErr error
	p.salt, saltErr = base64.RawStdEncoding.DecodeString(parts[4])
	p.hash, hashErr = base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || hashErr != nil || len(p.hash) == 0 {
		return p, errUnreadable
	}
	return p, nil
}

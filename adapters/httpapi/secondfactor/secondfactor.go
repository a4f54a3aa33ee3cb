// Package secondfactor makes and reads what people show beside their password: the codes of an app
// (TOTP, RFC 6238) and recovery codes.
package secondfactor

import (
	"crypto/rand"
	"fmt"
	"image/color"
	"math/big"
	"strings"
	"time"
	"unicode"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"
)

const (
	// period is how long an app shows a code.
	period = 30 * time.Second
	// drift is how many periods the clock of a telephone may be off.
	drift = 1
	// secretBytes is as long as the hash that codes are made with.
	secretBytes = 20
	codeDigits  = 6
)

// What recovery codes look like. There are so many that trying some does not help.
const (
	recoveryCodes  = 10
	recoveryDigits = 12
)

// Key is what an app is set up with.
type Key struct {
	// Secret is in base32, as people type it where they cannot scan the URI.
	Secret string
	URI    string
}

// NewKey draws a secret for an account.
func NewKey(issuer, account string) (Key, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: account, SecretSize: secretBytes})
	if err != nil {
		return Key{}, fmt.Errorf("draw second factor: %w", err)
	}
	return Key{key.Secret(), key.URL()}, nil
}

// Code is what somebody typed or pasted, without what people put between digits.
type Code string

// ParseCode reads a code, whatever stands between its digits.
func ParseCode(typed string) Code {
	return Code(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Cf) {
			return -1
		}
		return r
	}, typed))
}

// Recovers says whether it can only be a recovery code.
func (c Code) Recovers() bool { return len(c) == recoveryDigits }

// Step is the period, counted from 1970, whose code it is; ok is false where it is that of none
// around now.
func (c Code) Step(secret string, now time.Time) (step int64, ok bool) {
	current := now.Unix() / int64(period/time.Second)
	for step = current - drift; step <= current+drift; step++ {
		fits, err := hotp.ValidateCustom(string(c), uint64(step), secret, hotp.ValidateOpts{Digits: codeDigits, Algorithm: otp.AlgorithmSHA1})
		if err == nil && fits {
			return step, true
		}
	}
	return 0, false
}

// NewRecoveryCodes draws as many as an account gets: "4821-9033-1754". [ParseCode] reads them.
func NewRecoveryCodes() []string {
	codes := make([]string, recoveryCodes)
	most := new(big.Int).Exp(big.NewInt(10), big.NewInt(recoveryDigits), nil)
	for i := range codes {
		n, err := rand.Int(rand.Reader, most)
		if err != nil {
			panic(err) // rand.Reader gives none
		}
		digits := fmt.Sprintf("%0*d", recoveryDigits, n)
		codes[i] = digits[:4] + "-" + digits[4:8] + "-" + digits[8:]
	}
	return codes
}

// Drawing is a QR code as the path of an SVG.
type Drawing struct {
	// Size is how wide and high it is, in modules, with the quiet zone around it.
	Size int
	// Path outlines the dark modules.
	Path string
}

// quietZone is how many light modules a QR code has on each side.
const quietZone = 4

// Draw draws a URI as a QR code.
func Draw(uri string) (Drawing, error) {
	code, err := qr.Encode(uri, qr.M, qr.Auto)
	if err != nil {
		return Drawing{}, fmt.Errorf("draw QR code: %w", err)
	}
	side := code.Bounds().Dx()
	var path strings.Builder
	for y := range side {
		for x := 0; x < side; x++ {
			begin := x
			for x < side && code.At(x, y) == color.Black {
				x++
			}
			if n := x - begin; n > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", begin+quietZone, y+quietZone, n, n)
			}
		}
	}
	return Drawing{side + 2*quietZone, path.String()}, nil
}

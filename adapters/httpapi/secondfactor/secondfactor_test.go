package secondfactor

import (
	"bytes"
	"encoding/base32"
	"fmt"
	"image"
	"image/color"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCodesOfTheStandard holds codes against the test vectors of RFC 6238, appendix B, of which an
// app shows the last six digits.
func TestCodesOfTheStandard(t *testing.T) {
	secret := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString([]byte("12345678901234567890"))
	for second, code := range map[int64]string{
		1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		for drifted, fits := range map[int64]bool{-60: false, -30: true, 0: true, 30: true, 60: false} {
			step, ok := ParseCode(code).Step(secret, time.Unix(second+drifted, 0))
			if ok != fits || ok && step != second/30 {
				t.Errorf("%s at %d%+d: step %d, %v", code, second, drifted, step, ok)
			}
		}
	}
	for _, wrong := range []Code{"", "81804", "0818040", "08180a", "000000"} {
		if _, ok := wrong.Step(secret, time.Unix(1111111109, 0)); ok {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func TestCodesArePastedAsTheyCome(t *testing.T) {
	for typed, want := range map[string]Code{
		"287 082": "287082", " 287082\n": "287082", "287\u00a0082": "287082", "287\u202f082\u200b": "287082", "4821-9033-1754": "482190331754", "4821–9033 1754": "482190331754", "28a": "28a", "\u200b": "",
	} {
		if got := ParseCode(typed); got != want {
			t.Errorf("%q is read as %q", typed, got)
		}
	}
}

func TestRecoveryCodesAreReadAsTheyAreTold(t *testing.T) {
	codes := NewRecoveryCodes()
	form := regexp.MustCompile(`^[0-9]{4}-[0-9]{4}-[0-9]{4}$`)
	for _, code := range codes {
		if !form.MatchString(code) || !ParseCode(code).Recovers() {
			t.Errorf("%q", code)
		}
	}
	slices.Sort(codes)
	if len(slices.Compact(codes)) != 10 {
		t.Errorf("%q", codes)
	}
	if ParseCode("287082").Recovers() {
		t.Error("an app's code recovers")
	}
}

func TestKeysAreWhatAppsRead(t *testing.T) {
	key, err := NewKey("Clínica Dental", "ana+1@clinica.example")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(key.URI)
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/Clínica Dental:ana+1@clinica.example" {
		t.Errorf("%s: %v", key.URI, err)
	}
	for name, want := range map[string]string{"secret": key.Secret, "issuer": "Clínica Dental", "digits": "6", "period": "30", "algorithm": "SHA1"} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(key.Secret)
	if err != nil || len(raw) != 20 || bytes.Equal(raw, make([]byte, 20)) {
		t.Errorf("secret %q: %v", key.Secret, err)
	}
}

// TestDrawingHasItsFinders fills the path's modules in and looks for the three corners that every
// QR code has, and for the light zone around it.
func TestDrawingHasItsFinders(t *testing.T) {
	d, err := Draw("otpauth://totp/Cl%C3%ADnica:ana@clinica.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Cl%C3%ADnica")
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewGray(image.Rect(0, 0, d.Size, d.Size))
	for run := range strings.SplitSeq(strings.TrimSuffix(d.Path, "z"), "z") {
		var x, y, n, back int
		if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%d", &x, &y, &n, &back); err != nil || n != back {
			t.Fatalf("%q: %v", run, err)
		}
		for i := range n {
			img.SetGray(x+i, y, color.Gray{255})
		}
	}
	dark := func(x, y int) bool { return img.GrayAt(x, y).Y > 0 }
	far := d.Size - quietZone - 7
	for _, corner := range [][2]int{{quietZone, quietZone}, {far, quietZone}, {quietZone, far}} {
		for y := range 7 {
			for x := range 7 {
				ring := max(abs(x-3), abs(y-3))
				if want := ring != 2; dark(corner[0]+x, corner[1]+y) != want {
					t.Fatalf("finder at %v, module %d %d: %v", corner, x, y, !want)
				}
			}
		}
	}
	for i := range d.Size {
		for q := range quietZone {
			if dark(i, q) || dark(q, i) || dark(i, d.Size-1-q) || dark(d.Size-1-q, i) {
				t.Fatalf("the quiet zone is dark at %d", i)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

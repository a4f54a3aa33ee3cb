package privacy

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var update = flag.Bool("update", false, "write data/compatible.txt anew")

// TestFoldingIsThatOfUnicode holds the table against the library, which the domain does not import.
func TestFoldingIsThatOfUnicode(t *testing.T) {
	others := map[string][]rune{}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Pd, unicode.Nd, unicode.Cs) || unicode.IsSpace(r) || r == '−' {
			continue
		}
		plain := strings.ToLower(strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFKD.String(string(r))))
		if plain != "" && len(plain) <= 3 && !strings.ContainsFunc(plain, func(r rune) bool { return r <= ' ' || r > '~' }) {
			others[plain] = append(others[plain], r)
		}
	}
	var want strings.Builder
	for _, plain := range slices.Sorted(maps.Keys(others)) {
		want.WriteString(plain + " " + string(others[plain]) + "\n")
	}
	if *update {
		if err := os.WriteFile("data/compatible.txt", []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want.String() != mustRead("compatible") {
		t.Error("data/compatible.txt differs from Unicode's tables; go test -run TestFoldingIsThatOfUnicode -update")
	}
}

func TestFoldKeepsWhereEachByteStands(t *testing.T) {
	for text, want := range map[string]string{
		"ÁNGEL ６1": "angel 61", "An\u0303o": "ano", "6\u200b1": "61", "6️⃣": "6", "a\u00a0b–c": "a b-c", "٦٧": "67", "6o1": "601",
		"x [teléfono] y": "x \x01 y", "ﬁn": "fin", "\u200ba": "a",
	} {
		f := fold(text)
		if string(f.text) != want {
			t.Errorf("%q is folded to %q, want %q", text, f.text, want)
		}
		for i := range f.text {
			if f.from[i] >= f.to[i] || i > 0 && f.from[i] < f.from[i-1] {
				t.Errorf("%q: byte %d stands for %d to %d", text, i, f.from[i], f.to[i])
			}
		}
	}
}

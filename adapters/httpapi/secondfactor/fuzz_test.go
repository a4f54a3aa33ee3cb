package secondfactor

import (
	"testing"
	"time"
)

// FuzzCode reads whatever is typed as a code: what it is read as is read alike again, and nothing
// but six digits fits a secret.
func FuzzCode(f *testing.F) {
	for _, typed := range []string{"081 804", "4821-9033-1754", "", "\u200b", "０８１８０４", "-1", "08180\xff"} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		code := ParseCode(typed)
		if again := ParseCode(string(code)); again != code {
			t.Errorf("%q is read as %q, and that as %q", typed, code, again)
		}
		if _, ok := code.Step("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", time.Unix(1111111109, 0)); ok && len(code) != codeDigits {
			t.Errorf("%q fits", code)
		}
	})
}

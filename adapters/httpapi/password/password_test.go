package password

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestHashFitsItsPasswordOnly(t *testing.T) {
	const secret = "una contraseña larga"
	hashed, err := Hash(secret)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hashed, "$argon2id$v=19$m=47104,t=1,p=1$") {
		t.Errorf("hash %q is not in the usual form", hashed)
	}
	for candidate, want := range map[string]bool{secret: true, secret + " ": false, "": false} {
		if got, err := Matches(hashed, candidate); err != nil || got != want {
			t.Errorf("%q matches: got %v, %v", candidate, got, err)
		}
	}
	if again, _ := Hash(secret); again == hashed {
		t.Error("the same password gave the same hash twice")
	}
	if got, err := Matches(Decoy, secret); err != nil || got {
		t.Errorf("the decoy: got %v, %v", got, err)
	}
}

// So that the time of an answer does not tell whether there is such an account.
func TestDecoyCostsAsMuchAsAPassword(t *testing.T) {
	hashed, err := Hash("una contraseña larga")
	if err != nil {
		t.Fatal(err)
	}
	real, err := parse(hashed)
	if err != nil {
		t.Fatal(err)
	}
	decoy, err := parse(Decoy)
	if err != nil {
		t.Fatal(err)
	}
	real.salt, real.hash, decoy.salt, decoy.hash = nil, nil, nil, nil
	if !reflect.DeepEqual(real, decoy) {
		t.Errorf("a password costs %+v, the decoy %+v", real, decoy)
	}
}

func TestNewPasswordsHaveALength(t *testing.T) {
	for password, want := range map[string]error{
		strings.Repeat("ñ", MinLength-1): ErrLength,
		strings.Repeat("ñ", MinLength):   nil,
		strings.Repeat("ñ", MaxLength):   nil,
		strings.Repeat("ñ", MaxLength+1): ErrLength,
	} {
		if _, err := Hash(password); !errors.Is(err, want) {
			t.Errorf("%d bytes: got %v, want %v", len(password), err, want)
		}
	}
}

func TestUnreadableHashes(t *testing.T) {
	for _, hashed := range []string{
		"", "x", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=16$m=8,t=1,p=1$AAAA$AAAA",
		"$argon2id$v=19$m=8,t=0,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$=$AAAA", "$argon2id$v=19$m=8,t=1,p=1$AAAA$",
	} {
		if ok, err := Matches(hashed, "x"); err == nil || ok {
			t.Errorf("%q: got %v, %v", hashed, ok, err)
		}
	}
}

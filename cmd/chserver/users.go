package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// The users that exist: app reads and writes, analyst asks single read-only
// questions.
const (
	userApp     = "app"
	userAnalyst = "analyst"
)

// users maps a name to the hash of its password.
type users map[string][sha256.Size]byte

// readUsers reads a JSON object from names to passwords that only its owner
// may read.
func readUsers(path string) (users, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("read users: %s is readable by others (mode %04o, must be 0600)", path, info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	var passwords map[string]string
	if err := json.Unmarshal(text, &passwords); err != nil {
		return nil, fmt.Errorf("read users: %s is not a JSON object of names and passwords", path)
	}
	known := users{}
	for name, password := range passwords {
		if name != userApp && name != userAnalyst {
			return nil, fmt.Errorf("read users: %s names %q, but only %q and %q exist", path, name, userApp, userAnalyst)
		}
		if password == "" {
			return nil, fmt.Errorf("read users: %s gives %q an empty password", path, name)
		}
		known[name] = sha256.Sum256([]byte(password))
	}
	if _, ok := known[userApp]; !ok {
		return nil, fmt.Errorf("read users: %s does not name %q", path, userApp)
	}
	return known, nil
}

// authenticate names the user of a request. Credentials come in the ways of the
// ClickHouse server: basic authentication, headers, or the query string.
func (u users) authenticate(r *http.Request) (string, error) {
	name, password, given := r.BasicAuth()
	if header := r.Header.Get("X-ClickHouse-User"); header != "" {
		name, password, given = header, r.Header.Get("X-ClickHouse-Key"), true
	}
	if query := r.URL.Query(); !given && query.Has("user") {
		name, password, given = query.Get("user"), query.Get("password"), true
	}
	if !given {
		return "", exceptionf(codeRequiredPassword, "default: Authentication failed: a user and a password are required")
	}
	// An unknown name is compared too, so that it takes the same time.
	want, known := u[name]
	hash := sha256.Sum256([]byte(password))
	if subtle.ConstantTimeCompare(want[:], hash[:]) != 1 || !known {
		return "", exceptionf(codeAuthenticationError, "%s: Authentication failed: password is incorrect, or there is no user with such name", name)
	}
	return name, nil
}

package engines

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"bitacora/adapters/durable"
)

// secrets are the passwords of the engines' users.
type secrets struct {
	// Postgres is the superuser's, Owner, Worker and Replicator those of the roles of these names.
	Postgres   string `json:"postgres"`
	Owner      string `json:"owner"`
	Worker     string `json:"worker"`
	Replicator string `json:"replicator"`
	App        string `json:"app"`
	Analyst    string `json:"analyst"`
}

// loadSecrets reads the passwords of this home, and draws those that are missing, once.
func loadSecrets(h home) (secrets, error) {
	var s secrets
	path := h.path("secrets.json")
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := json.Unmarshal(text, &s); err != nil {
			return s, fmt.Errorf("read engine passwords from %s: %w", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return s, fileError(path, err)
	}
	missing := false
	for _, password := range []*string{&s.Postgres, &s.Owner, &s.Worker, &s.Replicator, &s.App, &s.Analyst} {
		if *password == "" {
			*password, missing = rand.Text(), true
		}
	}
	if !missing {
		return s, nil
	}
	if text, err = json.Marshal(s); err != nil {
		return s, fmt.Errorf("encode engine passwords: %w", err)
	}
	return s, writeSecret(path, text)
}

// writeSecret writes a file of mode 0600, whole or not at all.
func writeSecret(path string, text []byte) error {
	if err := durable.Replace(path, bytes.NewReader(text), nil); err != nil {
		return fileError(path, err)
	}
	return nil
}

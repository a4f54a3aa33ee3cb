package keyfiles

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"bitacora/adapters/postgres"
)

// MasterKey wraps the files of [Store]. By itself it is a [postgres.KeyStore] with one key that stays,
// as logs had which are older than key epochs.
type MasterKey [32]byte

// ParseMasterKey reads a key written as 64 hexadecimal digits or as base64 of 32 bytes.
func ParseMasterKey(text string) (MasterKey, error) {
	raw, err := hex.DecodeString(text)
	if err != nil {
		raw, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil || len(raw) != len(MasterKey{}) {
		return MasterKey{}, errors.New("read master key: want 32 bytes as 64 hexadecimal digits or as base64")
	}
	return MasterKey(raw), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler] as [ParseMasterKey].
func (k *MasterKey) UnmarshalText(text []byte) (err error) {
	*k, err = ParseMasterKey(string(text))
	return err
}

// NewMasterKey draws a key.
func NewMasterKey() MasterKey {
	var key MasterKey
	rand.Read(key[:])
	return key
}

// Text is the form that [ParseMasterKey] reads.
func (k MasterKey) Text() string { return hex.EncodeToString(k[:]) }

// String keeps the key out of logs.
func (k MasterKey) String() string { return "[master key]" }

// errStays: a key from outside is not this program's to change.
var errStays = fmt.Errorf("%w: a log that has but its master key is not rotated", errors.ErrUnsupported)

// Keys implements [postgres.KeyStore].
func (k MasterKey) Keys(context.Context) (map[int]postgres.EpochKey, error) {
	return map[int]postgres.EpochKey{0: postgres.EpochKey(k)}, nil
}

// Add implements [postgres.KeyStore].
func (MasterKey) Add(context.Context, int, postgres.EpochKey) error { return errStays }

// DestroyBefore implements [postgres.KeyStore].
func (MasterKey) DestroyBefore(context.Context, int) error { return errStays }

package postgres

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/fault"
)

// MasterKey wraps the keys of all subjects. It lives outside the database: whoever has
// only one of the two reads nothing personal.
type MasterKey [32]byte

// Errors of sealed data.
var (
	// ErrMasterKey: the master key is not the one this log was sealed with.
	ErrMasterKey = errors.New("master key does not fit this log")
	// ErrErased: the stream's key was destroyed; nothing personal may be added to it.
	ErrErased = fault.New(fault.Erased, "the stream's subject was erased")
)

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

// NewMasterKey draws a key.
func NewMasterKey() MasterKey {
	var key MasterKey
	rand.Read(key[:])
	return key
}

// Text is the form that [ParseMasterKey] reads, for writing a new key to its file.
func (k MasterKey) Text() string { return hex.EncodeToString(k[:]) }

// String keeps the key out of logs.
func (k MasterKey) String() string { return "[master key]" }

// digest distinguishes master keys without revealing them.
func (k MasterKey) digest() []byte { return k.derived("bitacora master key") }

// derived is a key for one purpose, which reveals nothing of the master key.
func (k MasterKey) derived(purpose string) []byte {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// bindMasterKey remembers a new log's master key by its digest, and refuses another one.
func bindMasterKey(ctx context.Context, pool *pgxpool.Pool, key MasterKey) error {
	var digest []byte
	if err := pool.QueryRow(ctx, query("bind_master_key"), key.digest()).Scan(&digest); err != nil {
		return fmt.Errorf("check master key: %w", err)
	}
	if !hmac.Equal(digest, key.digest()) {
		return ErrMasterKey
	}
	return nil
}

// subjectKey seals the personal data of one stream.
type subjectKey struct {
	wrapped []byte
	aead    cipher.AEAD
}

func (k MasterKey) newSubjectKey(subject string) (*subjectKey, error) {
	raw := make([]byte, 32)
	rand.Read(raw)
	wrapping, err := newAEAD(k[:])
	if err != nil {
		return nil, err
	}
	aead, err := newAEAD(raw)
	if err != nil {
		return nil, err
	}
	return &subjectKey{seal(wrapping, raw, subject), aead}, nil
}

func (k MasterKey) unwrap(subject string, wrapped []byte) (*subjectKey, error) {
	wrapping, err := newAEAD(k[:])
	if err != nil {
		return nil, err
	}
	raw, err := unseal(wrapping, wrapped, subject)
	if err != nil {
		return nil, fmt.Errorf("unwrap key of %s: %w", subject, ErrMasterKey)
	}
	aead, err := newAEAD(raw)
	if err != nil {
		return nil, err
	}
	return &subjectKey{wrapped, aead}, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return aead, nil
}

// seal gives nonce and ciphertext; bound is authenticated with it and not stored.
func seal(aead cipher.AEAD, plain []byte, bound string) []byte {
	return aead.Seal(nil, nil, plain, []byte(bound))
}

func unseal(aead cipher.AEAD, sealed []byte, bound string) ([]byte, error) {
	return aead.Open(nil, nil, sealed, []byte(bound))
}

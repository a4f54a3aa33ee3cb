package postgres

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"

	"bitacora/domain/fault"
)

// ErrErased: the stream's key was destroyed; nothing personal may be added to it.
var ErrErased = fault.New(fault.Erased, "the stream's subject was erased")

// subjectKey seals the personal data of one stream.
type subjectKey struct {
	wrapped []byte
	// epoch is the key epoch it is wrapped under.
	epoch int
	aead  cipher.AEAD
}

func (k *epochKey) newSubjectKey(subject string) (*subjectKey, error) {
	raw := make([]byte, 32)
	rand.Read(raw)
	aead, err := newAEAD(raw)
	if err != nil {
		return nil, err
	}
	return &subjectKey{seal(k.aead, raw, subject), k.epoch, aead}, nil
}

func (k *epochKey) unwrap(subject string, wrapped []byte) (*subjectKey, error) {
	raw, err := k.unwrapRaw(subject, wrapped)
	if err != nil {
		return nil, err
	}
	aead, err := newAEAD(raw)
	if err != nil {
		return nil, err
	}
	return &subjectKey{wrapped, k.epoch, aead}, nil
}

func (k *epochKey) unwrapRaw(subject string, wrapped []byte) ([]byte, error) {
	raw, err := unseal(k.aead, wrapped, subject)
	if err != nil {
		return nil, fmt.Errorf("unwrap key of %s: %w", subject, ErrWrongKeys)
	}
	return raw, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return aead, fault.Wrap(err, "make cipher")
}

// seal gives nonce and ciphertext; bound is authenticated with it and not stored.
func seal(aead cipher.AEAD, plain []byte, bound string) []byte {
	return aead.Seal(nil, nil, plain, []byte(bound))
}

func unseal(aead cipher.AEAD, sealed []byte, bound string) ([]byte, error) {
	return aead.Open(nil, nil, sealed, []byte(bound))
}

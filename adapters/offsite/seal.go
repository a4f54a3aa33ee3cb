package offsite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"
)

// Recipients reads who can open what is shipped: public keys of age, "age1…", separated by commas.
func Recipients(text string) (list []age.Recipient, err error) {
	for one := range strings.SplitSeq(text, ",") {
		r, err := age.ParseX25519Recipient(strings.TrimSpace(one))
		if err != nil {
			return nil, fmt.Errorf("%q is no recipient like age1…: %w", one, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// sealed is a target whose objects are compressed, and sealed on this machine, which cannot open them again.
type sealed struct {
	Target
	recipients []age.Recipient
}

// put stores what write writes, and gives the checksum of what lies there then.
func (s sealed) put(ctx context.Context, name string, write func(io.Writer) error) (checksum, error) {
	r, w := io.Pipe()
	go func() { w.CloseWithError(s.seal(w, write)) }()
	sum := sha256.New()
	err := s.Put(ctx, name, io.TeeReader(r, sum))
	return checksum(hex.EncodeToString(sum.Sum(nil))), errors.Join(err, r.CloseWithError(errors.Join(err, io.ErrClosedPipe)))
}

func (s sealed) sealText(text []byte) ([]byte, error) {
	var sealedText bytes.Buffer
	err := s.seal(&sealedText, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	return sealedText.Bytes(), err
}

func (s sealed) putText(ctx context.Context, name string, text []byte) error {
	sealedText, err := s.sealText(text)
	if err != nil {
		return err
	}
	return putAll(ctx, s.Target, name, sealedText)
}

func (s sealed) seal(to io.Writer, write func(io.Writer) error) error {
	shut, err := age.Encrypt(to, s.recipients...)
	if err != nil {
		return fmt.Errorf("seal: %w", err)
	}
	small, err := zstd.NewWriter(shut, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if err := write(small); err != nil {
		return err
	}
	return errors.Join(small.Close(), shut.Close())
}

// open reads a sealed object with one of the identities.
func open(ctx context.Context, from Target, name string, identities []age.Identity, read func(io.Reader) error) error {
	body, err := from.Get(ctx, name)
	if err != nil {
		return fmt.Errorf("get %s: %w", name, err)
	}
	defer body.Close()
	clear, err := age.Decrypt(body, identities...)
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	large, err := zstd.NewReader(clear, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	defer large.Close()
	if err := read(large); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

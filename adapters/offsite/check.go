package offsite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// Check reads the objects of one share of an epoch's copy, and says which are not as they were written. It needs no
// identity.
func Check(ctx context.Context, t Target, epoch string, share, shares int) (findings []string, err error) {
	sums := map[string]checksum{}
	names, err := t.List(ctx, epoch)
	if err != nil {
		return nil, fmt.Errorf("list the copy: %w", err)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, epoch+"/wal/") {
			continue
		}
		p, err := pieceOf(name)
		if err != nil {
			return nil, err
		}
		sums[name] = p.sealed
	}
	list, err := bases(ctx, t, epoch)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		sums[b.name+".tar"+sealEnding] = b.Sealed
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		want := sums[name]
		if want == "" || shareOf(name, shares) != share {
			continue
		}
		switch is, err := checksumOf(ctx, t, name); {
		case errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, epoch+"/wal/"): // it became too old meanwhile
		case errors.Is(err, fs.ErrNotExist):
			findings = append(findings, name+" is missing")
		case err != nil:
			return nil, err
		case is != want:
			findings = append(findings, name+" is not as it was written: its checksum is another")
		}
	}
	return findings, nil
}

func shareOf(name string, shares int) int {
	sum := fnv.New32a()
	_, _ = io.WriteString(sum, name)
	return int(sum.Sum32() % uint32(shares))
}

func checksumOf(ctx context.Context, t Target, name string) (checksum, error) {
	body, err := t.Get(ctx, name)
	if err != nil {
		return "", err
	}
	defer body.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, body); err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return checksum(hex.EncodeToString(sum.Sum(nil))), nil
}

const drillFile = "drill.json"

// Drill is a trial by which a copy was opened and brought back.
type Drill struct {
	At time.Time `json:"at"`
}

// NoteDrill keeps the latest drill beside the copy.
func NoteDrill(ctx context.Context, t Target, d Drill) error {
	text, err := json.Marshal(d)
	if err == nil {
		err = putAll(ctx, t, drillFile, text)
	}
	if err != nil {
		return fmt.Errorf("note the drill: %w", err)
	}
	return nil
}

// DrilledAt is when the copy was opened last, or, where it never was, since when it is written.
func DrilledAt(ctx context.Context, t Target) (at time.Time, err error) {
	var d Drill
	text, err := getAll(ctx, t, drillFile)
	if errors.Is(err, fs.ErrNotExist) {
		var w writer
		if text, err = getAll(ctx, t, writerFile); err == nil {
			err = json.Unmarshal(text, &w)
		}
		d.At = w.Since
	} else if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return at, fmt.Errorf("see when the copy was opened: %w", err)
	}
	return d.At, nil
}

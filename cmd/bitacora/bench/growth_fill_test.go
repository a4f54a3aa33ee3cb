package bench

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/demo"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/setup"
	"bitacora/domain/event"
)

const (
	// eventsOfScale is how many events 14 months of the demo's traffic are about.
	eventsOfScale = 230_000
	// mostDrawn is of how many events a history is drawn; a larger log holds each of its streams
	// several times, under other names, since a copy costs a fraction of a drawing.
	mostDrawn = 1_000_000
	// copyBatch is how many events are stored in one transaction.
	copyBatch = 50_000
)

// copyHistory puts about so many events of the demo's traffic into an empty log by COPY, sealed and
// hashed as append_events stores them, and gives how many there are. It ends at until.
func copyHistory(b *testing.B, a *app.App, events int, until time.Time) (stored int64) {
	b.Helper()
	keys, err := a.Config.Keys().Keys(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	epoch := slices.Max(slices.Collect(maps.Keys(keys)))
	c := &historyCopy{zone: a.Clinic.Zone, epoch: epoch, wrap: aesGCM(b, keys[epoch]), versions: map[string]int{}}
	drawn := min(events, mostDrawn)
	items, err := demo.Generate(demo.Config{
		Seed: setup.DemoSeed, Scale: float64(drawn) / eventsOfScale, Until: until, Clinic: a.Clinic,
	})
	if err != nil {
		b.Fatal(err)
	}
	conn, err := pgx.Connect(b.Context(), a.At.MigrationURL)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.Background())
	for item := range items {
		if item.Repeated {
			continue
		}
		request, err := item.Append(c.zone)
		if err != nil {
			b.Fatal(err)
		}
		for copy := range events / drawn {
			c.add(b, request, copy)
		}
		if len(c.rows) >= copyBatch {
			c.store(b, conn)
		}
	}
	c.store(b, conn)
	return c.position
}

// historyCopy makes rows of the log.
type historyCopy struct {
	zone     *time.Location
	epoch    int
	wrap     cipher.AEAD
	versions map[string]int
	position int64
	rows     [][]any
	keys     [][]any
	streams  map[string]cipher.AEAD
}

// add makes the rows of a request; a copy has a stream and ids of its own.
func (c *historyCopy) add(b *testing.B, request event.Append, copy int) {
	stream, rename := request.Stream, strings.NewReplacer()
	if copy > 0 {
		stream = fmt.Sprintf("%s-%d", stream, copy)
		_, id, _ := strings.Cut(request.Stream, "/")
		_, renamed, _ := strings.Cut(stream, "/")
		rename = strings.NewReplacer(`"`+id+`"`, `"`+renamed+`"`)
	}
	for _, draft := range request.Drafts {
		id := uuid.MustParse(draft.ID)
		if copy > 0 {
			id = uuid.New()
		}
		data, schemaVersion, err := event.Encode(draft.Payload)
		if err != nil {
			b.Fatal(err)
		}
		c.versions[stream]++
		metadata, err := json.Marshal(draft.Metadata)
		if err != nil {
			b.Fatal(err)
		}
		at := draft.OccurredAt.UTC().Truncate(time.Millisecond)
		kind, text, sealed := draft.Payload.EventType(), rename.Replace(string(data)), c.seal(b, draft.Payload, id.String(), stream)
		hashed := []string{id.String(), stream, fmt.Sprint(c.versions[stream]), kind, fmt.Sprint(schemaVersion), fmt.Sprint(at.UnixMilli()), text}
		if sealed != nil {
			hashed = append(hashed, *sealed)
		}
		hash := sha256.Sum256([]byte(strings.Join(hashed, "\n")))
		c.rows = append(c.rows, []any{int64(0), [16]byte(id), stream, int32(c.versions[stream]), kind, int16(schemaVersion), at, time.Now(), text, sealed, string(metadata), hash[:]})
	}
}

// seal gives the sealed column; nil where nothing is personal.
func (c *historyCopy) seal(b *testing.B, p event.Payload, id, stream string) *string {
	personal, ok := p.(event.Personal)
	if !ok {
		return nil
	}
	fields := map[string][]byte{}
	for _, f := range personal.PersonalFields() {
		if *f.Value != "" {
			fields[f.Name] = c.key(b, stream).Seal(nil, nil, []byte(*f.Value), []byte(id+"\n"+f.Name+"\n"+stream))
		}
	}
	if len(fields) == 0 {
		return nil
	}
	text, err := json.Marshal(fields)
	if err != nil {
		b.Fatal(err)
	}
	return new(string(text))
}

// key is that of a stream, which is stored with its first sealed event.
func (c *historyCopy) key(b *testing.B, stream string) cipher.AEAD {
	if key, ok := c.streams[stream]; ok {
		return key
	}
	if c.streams == nil {
		c.streams = map[string]cipher.AEAD{}
	}
	var raw postgres.EpochKey
	rand.Read(raw[:])
	c.keys = append(c.keys, []any{stream, c.wrap.Seal(nil, nil, raw[:], []byte(stream)), int32(c.epoch)})
	c.streams[stream] = aesGCM(b, raw)
	return c.streams[stream]
}

func aesGCM(b *testing.B, key postgres.EpochKey) cipher.AEAD {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		b.Fatal(err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		b.Fatal(err)
	}
	return aead
}

// store puts the rows that were made at the end of the log, to which the program appends as well.
func (c *historyCopy) store(b *testing.B, conn *pgx.Conn) {
	err := pgx.BeginFunc(b.Context(), conn, func(tx pgx.Tx) error {
		const appendLock = 7310575211900612
		if _, err := tx.Exec(b.Context(), "SELECT pg_advisory_xact_lock($1)", appendLock); err != nil {
			return err
		}
		if err := tx.QueryRow(b.Context(), "SELECT coalesce(max(position), 0) FROM events").Scan(&c.position); err != nil {
			return err
		}
		for _, row := range c.rows {
			c.position++
			row[0] = c.position
		}
		_, err := tx.CopyFrom(b.Context(), pgx.Identifier{"subject_keys"}, []string{"subject", "wrapped_key", "key_epoch"}, pgx.CopyFromRows(c.keys))
		if err != nil {
			return err
		}
		_, err = tx.CopyFrom(b.Context(), pgx.Identifier{"events"}, []string{
			"position", "event_id", "stream", "version", "type", "schema_version", "occurred_at", "recorded_at", "data", "sealed", "metadata", "payload_hash",
		}, pgx.CopyFromRows(c.rows))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	c.rows, c.keys = c.rows[:0], c.keys[:0]
}

package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"bitacora/domain/analytics"
	"bitacora/projections"
)

// Reader reads one build, see [projections.BuildReader]. It compares conversations and messages.
type Reader struct {
	*Tables
	build string
}

// Reader is the one of a build.
func (t *Tables) Reader(build string) Reader { return Reader{t, build} }

// rows are the joined rows of a build without some conversations.
func (r Reader) rows(ctx context.Context, excluded []string) (projections.Tables, error) {
	var rows projections.Tables
	err := r.with(ctx, "read rows of", r.build, func(b *tables) error {
		rows = projections.Join(b.parts...)
		return nil
	})
	if err != nil {
		return projections.Tables{}, err
	}
	for _, subject := range excluded {
		rows = without(rows, subject)
	}
	return rows, nil
}

// The tables that are compared.
const (
	conversationTable = "conversations"
	messageTable      = "messages"
)

// hashed gives the rows of a table: the hash of each by its key.
func hashed(rows projections.Tables, table string) map[string]uint64 {
	found := map[string]uint64{}
	keep := func(key string, row any) {
		h := fnv.New64a()
		if err := json.NewEncoder(h).Encode(row); err != nil {
			panic(err) // a row that is none
		}
		found[key] = h.Sum64()
	}
	if table == conversationTable {
		for _, row := range rows.Conversations {
			keep(row.ConversationID, row)
		}
		return found
	}
	for _, row := range rows.Messages {
		keep(fmt.Sprint(row.ConversationID, " message ", row.Ordinal), row)
	}
	return found
}

// Fingerprint implements [projections.BuildReader].
func (r Reader) Fingerprint(ctx context.Context, excluded []string) ([]projections.Fingerprint, error) {
	rows, err := r.rows(ctx, excluded)
	if err != nil {
		return nil, err
	}
	var lines []projections.Fingerprint
	for _, table := range []string{conversationTable, messageTable} {
		f := projections.Fingerprint{Table: table}
		for _, hash := range hashed(rows, table) {
			f.Rows++
			f.Hash += hash
		}
		lines = append(lines, f)
	}
	return lines, nil
}

// RowsOf implements [projections.BuildReader].
func (r Reader) RowsOf(ctx context.Context, f projections.Fingerprint, excluded []string) (map[string]uint64, error) {
	rows, err := r.rows(ctx, excluded)
	return hashed(rows, f.Table), err
}

// RowText implements [projections.BuildReader].
func (r Reader) RowText(ctx context.Context, f projections.Fingerprint, key string) (columns, values []string, err error) {
	rows, err := r.rows(ctx, nil)
	return []string{"hash"}, []string{fmt.Sprint(hashed(rows, f.Table)[key])}, err
}

// Days counts conversations and messages by the day on which a conversation began, in UTC.
func (r Reader) Days(ctx context.Context, excluded []string) ([]analytics.Day, error) {
	rows, err := r.rows(ctx, excluded)
	var days []analytics.Day
	for _, row := range rows.Conversations {
		date := row.StartedAt.UTC().Format(time.DateOnly)
		i := slices.IndexFunc(days, func(d analytics.Day) bool { return d.Date == date })
		if i < 0 {
			i = len(days)
			days = append(days, analytics.Day{Date: date})
		}
		days[i].Conversations++
		days[i].Messages += int(row.MessageCount)
		days[i].VisitorMessages += len(row.VisitorOrdinals)
		days[i].ActiveMillis += int64(row.ActiveMillis)
	}
	return days, err
}

// Replicas implements [builds.VerifiedTables]: there are none.
func (r Reader) Replicas(context.Context) ([]projections.Replica, error) { return nil, nil }

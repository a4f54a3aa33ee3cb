package postgres

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// ScanBytes is for the tests outside of the package.
const ScanBytes = scanBytes

func TestAGroupIsBoundedInEventsAndBytes(t *testing.T) {
	of := func(events, bytes int) *pending {
		r := &request{bytes: bytes}
		for range events {
			r.events = append(r.events, encoded{id: pgtype.UUID{Bytes: uuid.New(), Valid: true}})
		}
		return &pending{request: r}
	}
	for _, test := range []struct {
		first, second *pending
		together      bool
	}{
		{of(1, 1), of(1, groupBytes-1), true},
		{of(1, 1), of(1, groupBytes), false},
		{of(1, 1), of(groupEvents-1, 1), true},
		{of(1, 1), of(groupEvents, 1), false},
		{of(1, 10*groupBytes), of(1, 1), false},
	} {
		var g group
		if !g.add(test.first) {
			t.Error("a group does not take its first request")
		}
		if got := g.add(test.second); got != test.together {
			t.Errorf("%d events of %d bytes after %d of %d: %v", len(test.second.request.events), test.second.request.bytes, g.events, g.bytes, got)
		}
	}
}

package postgres

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// Bounds of one call of append_events: large enough that the commit no longer counts,
// small enough that nobody waits long for strangers. A single larger request goes alone.
const (
	groupEvents = 1000
	groupBytes  = 1 << 20
)

// group is a run of queued requests that are appended in one call.
type group struct {
	requests []*pending
	events   int
	bytes    int
	ids      map[pgtype.UUID]bool
}

// add takes a request in, unless the group is full or already has one of its events: the
// second of two equal requests must find the first one stored.
func (g *group) add(p *pending) bool {
	r := p.request
	if len(g.requests) > 0 && (g.events+len(r.events) > groupEvents || g.bytes+r.bytes > groupBytes) {
		return false
	}
	for _, e := range r.events {
		if g.ids[e.id] {
			return false
		}
	}
	if g.ids == nil {
		g.ids = map[pgtype.UUID]bool{}
	}
	for _, e := range r.events {
		g.ids[e.id] = true
	}
	g.requests = append(g.requests, p)
	g.events += len(r.events)
	g.bytes += r.bytes
	return true
}

// arguments are the parameters of append_events, in their order.
func arguments(requests []*pending) []any {
	n := len(requests)
	var (
		streams, months     = newIndex(), newIndex()
		stream, expected    = make([]int32, n), make([]int32, n)
		count               = make([]int32, n)
		sealed              = make([]bool, n)
		key                 = make([][]byte, n)
		monthlyLimit, limit = make([]*int32, n), make([]*int32, n)
		claim, release      = make([]*string, n), make([]*string, n)
		owner, nth          []int32
		id                  []pgtype.UUID
		eventType           []string
		schemaVersion       []int16
		occurredAt          []time.Time
		data                []string
		sealedData          []*string
		metadata            []string
		epoch, keyEpoch     = make([]int32, n), make([]int32, n)
		termOwner           = []int32{}
		hashes, sealedTerms = [][]byte{}, [][]byte{}
	)
	for i, p := range requests {
		r := p.request
		stream[i], expected[i], count[i] = streams.of(r.stream), int32(r.expected), int32(len(r.events))
		sealed[i], key[i] = r.sealed, r.key
		epoch[i], keyEpoch[i] = int32(r.epoch), int32(r.keyEpoch)
		claim[i], release[i] = r.claim, r.release
		if r.monthlyLimit != nil {
			month := months.of(r.monthlyLimit.Month)
			monthlyLimit[i] = &month
			if r.monthlyLimit.Limit != nil {
				allowed := int32(*r.monthlyLimit.Limit)
				limit[i] = &allowed
			}
		}
		for j, e := range r.events {
			owner, nth = append(owner, int32(i+1)), append(nth, int32(j))
			id, eventType = append(id, e.id), append(eventType, e.eventType)
			schemaVersion, occurredAt = append(schemaVersion, e.schemaVersion), append(occurredAt, e.occurredAt)
			data, sealedData, metadata = append(data, e.data), append(sealedData, e.sealed), append(metadata, e.metadata)
		}
		for _, t := range r.terms {
			termOwner, hashes, sealedTerms = append(termOwner, int32(i+1)), append(hashes, t.hash), append(sealedTerms, t.sealed)
		}
	}
	return []any{
		streams.names, months.names, stream, expected, count, sealed, key, monthlyLimit, limit, claim, release,
		owner, nth, id, eventType, schemaVersion, occurredAt, data, sealedData, metadata,
		epoch, keyEpoch, termOwner, hashes, sealedTerms,
	}
}

// index numbers distinct names from 1, as Postgres does.
type index struct {
	names   []string
	numbers map[string]int32
}

func newIndex() *index { return &index{names: []string{}, numbers: map[string]int32{}} }

func (x *index) of(name string) int32 {
	at, ok := x.numbers[name]
	if !ok {
		x.names = append(x.names, name)
		at = int32(len(x.names))
		x.numbers[name] = at
	}
	return at
}

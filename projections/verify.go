package projections

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Fingerprint is one line of what a build holds: of one table, day and kind of row. Days
// are those on which the conversations started, in the business zone.
type Fingerprint struct {
	Table, Day, Kind string
	Rows, Amount     uint64
	// Hash depends on every value of every row and not on their order.
	Hash uint64
}

func (f Fingerprint) group() [3]string { return [3]string{f.Table, f.Day, f.Kind} }

// BuildReader is a build as a verification reads it; without names conversations to leave out.
type BuildReader interface {
	Fingerprint(ctx context.Context, without []string) ([]Fingerprint, error)
	// RowsOf gives the rows behind a line: the hash of each by a key that names it.
	RowsOf(ctx context.Context, f Fingerprint, without []string) (map[string]uint64, error)
	// RowText gives one of these rows in full.
	RowText(ctx context.Context, f Fingerprint, key string) (columns, values []string, err error)
}

// Replica is a copy of rows of a build on one node of a cluster, and the first copy of them.
type Replica struct {
	// Node and OfNode name the nodes.
	Node, OfNode string
	Rows, Of     BuildReader
}

// Difference is what two builds do not agree on: a group of rows, and the first rows of it.
type Difference struct {
	// Node is the one of a cluster whose rows differ from another replica's; empty where it is the
	// build as it is read.
	Node     string `json:"node,omitempty"`
	Table    string `json:"table"`
	Day      string `json:"day"`
	Kind     string `json:"kind"`
	Rows     uint64 `json:"rows"`
	WantRows uint64 `json:"wantRows"`
	// First are the first rows that differ, in words.
	First []string `json:"first"`
}

func (d Difference) String() string {
	where := ""
	if d.Node != "" {
		where = "node " + d.Node + ": "
	}
	return fmt.Sprintf("%s%s of %s (%s): %d rows, want %d\n  %s", where, d.Table, d.Day, d.Kind, d.Rows, d.WantRows, strings.Join(d.First, "\n  "))
}

// Comparison is the result of holding one build against another.
type Comparison struct {
	// Groups is how many lines of the fingerprints were compared, Rows how many rows they tell of.
	Groups int    `json:"groups"`
	Rows   uint64 `json:"rows"`
	// Differences are the first groups that differ, Differing is how many there are.
	Differences []Difference `json:"differences"`
	Differing   int          `json:"differing"`
}

// CompareReplicas adds what copies of rows on the nodes of a cluster do not agree on: whatever a
// node is asked, it gives its own copy.
func (c *Comparison) CompareReplicas(ctx context.Context, replicas []Replica, without []string) error {
	for _, r := range replicas {
		found, err := Compare(ctx, r.Rows, r.Of, without)
		if err != nil {
			return err
		}
		for _, d := range found.Differences {
			if len(c.Differences) < maxDifferences {
				d.Node = r.Node + " (beside " + r.OfNode + ")"
				c.Differences = append(c.Differences, d)
			}
		}
		c.Differing += found.Differing
	}
	return nil
}

const (
	maxDifferences = 10
	maxRows        = 5
)

// Compare holds one build against another that is known to be right. Both must be at rest
// at the same position.
func Compare(ctx context.Context, got, want BuildReader, without []string) (Comparison, error) {
	lines, err := got.Fingerprint(ctx, without)
	if err != nil {
		return Comparison{}, err
	}
	wanted, err := want.Fingerprint(ctx, without)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Differences: []Difference{}}
	pairs := map[[3]string][2]Fingerprint{}
	for i, side := range [][]Fingerprint{lines, wanted} {
		for _, f := range side {
			pair := pairs[f.group()]
			pair[i] = f
			pairs[f.group()] = pair
		}
	}
	for _, group := range slices.SortedFunc(maps.Keys(pairs), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		pair := pairs[group]
		c.Groups++
		c.Rows += pair[1].Rows
		if pair[0] == pair[1] {
			continue
		}
		if c.Differing++; len(c.Differences) < maxDifferences {
			f := Fingerprint{Table: group[0], Day: group[1], Kind: group[2]}
			d := Difference{Table: f.Table, Day: f.Day, Kind: f.Kind, Rows: pair[0].Rows, WantRows: pair[1].Rows}
			if d.First, err = firstRows(ctx, got, want, f, without); err != nil {
				return c, err
			}
			c.Differences = append(c.Differences, d)
		}
	}
	return c, nil
}

func firstRows(ctx context.Context, got, want BuildReader, f Fingerprint, without []string) ([]string, error) {
	rows, err := got.RowsOf(ctx, f, without)
	if err != nil {
		return nil, err
	}
	wanted, err := want.RowsOf(ctx, f, without)
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for key, hash := range rows {
		if other, ok := wanted[key]; !ok || other != hash {
			keys[key] = true
		}
	}
	for key := range wanted {
		if _, ok := rows[key]; !ok {
			keys[key] = true
		}
	}
	var first []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if len(first) == maxRows {
			return append(first, fmt.Sprintf("and %d more", len(keys)-maxRows)), nil
		}
		_, is := rows[key]
		_, should := wanted[key]
		switch {
		case !is:
			first = append(first, "missing: "+key)
		case !should:
			first = append(first, "extra: "+key)
		default:
			how, err := altered(ctx, got, want, f, key)
			if err != nil {
				return nil, err
			}
			first = append(first, "altered: "+key+": "+how)
		}
	}
	return first, nil
}

func altered(ctx context.Context, got, want BuildReader, f Fingerprint, key string) (string, error) {
	columns, is, err := got.RowText(ctx, f, key)
	if err != nil {
		return "", err
	}
	_, should, err := want.RowText(ctx, f, key)
	if err != nil {
		return "", err
	}
	var how []string
	for i, column := range columns {
		if is[i] != should[i] {
			how = append(how, fmt.Sprintf("%s is %q, want %q", column, is[i], should[i]))
		}
	}
	return strings.Join(how, ", "), nil
}

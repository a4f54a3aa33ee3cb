package builds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Gap is a build of which a node of the cluster lacks its rows.
type Gap struct {
	Build, Node string
	// From is another replica of the node's shard, which has them; empty where none has.
	From string
}

// RefilledTables are those of a cluster.
type RefilledTables interface {
	// Gaps lists what nodes lack, of one of them or of all where node is empty. Whatever a node that
	// is named has counts as lacking, too.
	Gaps(ctx context.Context, node string) ([]Gap, error)
	// Refill removes a build from a node, for a [Filler] to make it anew.
	Refill(ctx context.Context, g Gap) error
}

// Refiller finds what nodes of a cluster lost, and removes what is not to be kept.
type Refiller struct {
	Builds StatusLister
	Tables RefilledTables
	// Texts keeps nodes from being filled meanwhile, and texts from being removed.
	Texts ErasedTexts
}

// ErrNoReplica: no other node has the rows that one lacks.
var ErrNoReplica = errors.New("no replica has the rows")

// Gaps lists what nodes lack of builds that were not dropped, see [RefilledTables].
func (r Refiller) Gaps(ctx context.Context, node string) ([]Gap, error) {
	list, err := r.Builds.BuildStatuses(ctx)
	if err != nil {
		return nil, err
	}
	all, err := r.Tables.Gaps(ctx, node)
	var gaps []Gap
	for _, g := range all {
		if slices.ContainsFunc(list, func(s Status) bool { return s.Name == g.Build }) {
			gaps = append(gaps, g)
		}
	}
	return gaps, err
}

// Run removes the builds of a node, for it to be filled, and tells removed of each. One that no other replica has is
// left, with [ErrNoReplica] in the end.
func (r Refiller) Run(ctx context.Context, node string, removed func(Gap)) error {
	return r.Texts.alone(ctx, func(ctx context.Context) error {
		gaps, err := r.Gaps(ctx, node)
		if err != nil {
			return err
		}
		var lost []string
		for _, g := range gaps {
			if g.From == "" {
				lost = append(lost, g.Build+" of "+g.Node)
				continue
			}
			if err := r.Tables.Refill(ctx, g); err != nil {
				return err
			}
			removed(g)
		}
		if len(lost) > 0 {
			return fmt.Errorf("%w: %s: bitacora rebuild", ErrNoReplica, strings.Join(lost, ", "))
		}
		return nil
	})
}

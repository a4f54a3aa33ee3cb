package builds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bitacora/projections"
)

// Gap is a build of which a node of the cluster lacks its rows.
type Gap struct {
	Build, Node string
	// From is another replica of the node's shard, which has them; empty where none has.
	From string
	// Views says that the analysts' views are of this build.
	Views bool
}

// RefilledTables are those of a cluster.
type RefilledTables interface {
	// Gaps lists what nodes lack, of one of them or of all where node is empty. Whatever a node that
	// is named has counts as lacking, too.
	Gaps(ctx context.Context, node string) ([]Gap, error)
	// Refill copies a build to a node, in place of what it has of it. Until it is done nobody reads
	// its rows there, and nothing is applied to the build.
	Refill(ctx context.Context, g Gap, show func(done, total int64)) error
}

// Refiller fills nodes of a cluster that lost their rows from other replicas.
type Refiller struct {
	Builds StatusLister
	Tables RefilledTables
	// Texts keeps anybody's texts from being removed from builds meanwhile.
	Texts ErasedTexts
	// Published, if set, is called after a node got the analysts' views.
	Published func(context.Context)
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
		if i := slices.IndexFunc(list, func(s Status) bool { return s.Name == g.Build }); i >= 0 {
			g.Views = list[i].State == Live && list[i].Version == projections.Version
			gaps = append(gaps, g)
		}
	}
	return gaps, err
}

// Run fills one node, or all where node is empty. Begin is told of each build that is copied to one.
// A build that no replica has is left, with [ErrNoReplica] in the end.
func (r Refiller) Run(ctx context.Context, node string, begin func(Gap) Progress) error {
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
			progress := begin(g)
			err := r.Tables.Refill(ctx, g, progress.Show)
			progress.Done()
			if err != nil {
				return err
			}
			if g.Views && r.Published != nil {
				r.Published(ctx)
			}
		}
		if len(lost) > 0 {
			return fmt.Errorf("%w: %s: bitacora rebuild", ErrNoReplica, strings.Join(lost, ", "))
		}
		return nil
	})
}

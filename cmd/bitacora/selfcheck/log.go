package selfcheck

import (
	"context"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/projections"
	"bitacora/projections/builds"
)

const (
	// block is how many positions lie in one share before those of the next.
	block = 1000
	// atOnce is how many events are checked before others get a turn.
	atOnce = 5000
)

// logCheck checks the log.
type logCheck struct{ *night }

// check checks the chain against the anchors, and the events since the last night and of the night's shares.
func (n logCheck) check(ctx context.Context) error {
	epoch, err := n.DB.Log().Epoch(ctx)
	if err != nil {
		return err
	}
	head, err := n.DB.Log().Head(ctx)
	if err != nil {
		return err
	}
	if from, was, due := n.since(app.CheckedLog, epoch); due {
		findings, err := n.anchors(ctx)
		if err == nil && was {
			var more []string
			more, err = n.ranges(ctx, []projections.Range{{First: from + 1, Last: head}})
			findings = append(findings, more...)
		}
		if err != nil {
			return err
		}
		if !was || len(findings) == 0 { // the shares are all due before the first night
			from = head
		}
		if err := n.note(ctx, app.CheckedLog, latest, epoch, from, findings); err != nil {
			return err
		}
	}
	for _, share := range n.due(app.CheckedLog, epoch, builds.Shares) {
		findings, err := n.ranges(ctx, blocks(share, head))
		if err != nil {
			return err
		}
		if err := n.note(ctx, app.CheckedLog, share, epoch, 0, findings); err != nil {
			return err
		}
	}
	if c := n.seen[part{app.CheckedLog, whole}]; c.Of == epoch && len(c.Findings) > 0 && c.At.Before(n.began) {
		_, err = n.whole(ctx, epoch)
	}
	return err
}

// blocks are the positions of a share.
func blocks(share int, head int64) (list []projections.Range) {
	for first := int64(share)*block + 1; first <= head; first += builds.Shares * block {
		list = append(list, projections.Range{First: first, Last: min(first+block-1, head)})
	}
	return list
}

func (n logCheck) anchors(ctx context.Context) ([]string, error) {
	anchors, err := eventlog.AnchorsHere(ctx, n.App)
	if err != nil {
		return nil, err
	}
	report, err := postgres.Parts{Log: n.DB.Log()}.CheckAnchors(ctx, anchors)
	return findingsOf(report), err
}

// ranges checks events, and rests as long as it worked.
func (n logCheck) ranges(ctx context.Context, ranges []projections.Range) (findings []string, err error) {
	for _, r := range ranges {
		for ; r.First <= r.Last; r.First += atOnce {
			began := time.Now()
			report, err := postgres.Parts{Log: n.DB.Log()}.CheckRange(ctx, r.First-1, min(r.First+atOnce-1, r.Last))
			if err != nil {
				return nil, err
			}
			findings = append(findings, findingsOf(report)...)
			if !command.Pause(ctx, time.Since(began)) {
				return nil, ctx.Err()
			}
		}
	}
	return findings, nil
}

// whole checks all of it at once, and says whether it is as it was written.
func (n logCheck) whole(ctx context.Context, epoch string) (right bool, err error) {
	anchors, err := eventlog.AnchorsHere(ctx, n.App)
	if err != nil {
		return false, err
	}
	report, err := n.DB.Log().Check(ctx, nil, anchors...)
	if err != nil {
		return false, err
	}
	return len(report.Findings) == 0, n.note(ctx, app.CheckedLog, whole, epoch, 0, findingsOf(report))
}

func findingsOf(r postgres.Report) (list []string) {
	for _, f := range r.Findings {
		list = append(list, f.String())
	}
	return list
}

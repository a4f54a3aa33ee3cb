package builds

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

// awayTables are those of a cluster of which a node was away.
type awayTables struct {
	projections.ParkingStore
	status Status
	log    []event.Recorded
	lack   Lack
	did    []string
}

func (a *awayTables) does(format string, args ...any) {
	a.did = append(a.did, fmt.Sprintf(format, args...))
}

func (a *awayTables) BuildStatus(context.Context, string) (Status, error) { return a.status, nil }

func (a *awayTables) Scan(_ context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	return a.log[after:min(through, after+int64(limit))], nil
}

func (a *awayTables) Exclusions(context.Context) (x projections.Exclusions, err error) { return x, nil }

func (a *awayTables) Park(context.Context, []projections.Parked) error { return nil }

func (a *awayTables) Erased(context.Context) ([]string, error) {
	return []string{"conversation/c1"}, nil
}

func (a *awayTables) Restricted(context.Context) ([]string, error) { return nil, nil }

func (a *awayTables) Behind(_ context.Context, _ string, position, retried int64) (list []Lack, err error) {
	if a.lack.Node != "" {
		list = append(list, a.lack)
	}
	return list, nil
}

func (a *awayTables) Prepare(_ context.Context, _, node string, live bool) error {
	a.does("prepare %s %t", node, live)
	return nil
}

func (a *awayTables) Blank(_ context.Context, _, node string, conversations []string) error {
	a.does("blank %s %v", node, conversations)
	return nil
}

func (a *awayTables) Writer(_, node string) RetryWriter {
	a.does("write %s", node)
	return a
}

func (a *awayTables) Write(context.Context, projections.Tables) error { return nil }

func (a *awayTables) Applied(_ context.Context, r projections.Range, _ string) (int64, error) {
	a.does("%d-%d", r.First, r.Last)
	return r.Last, nil
}

func (a *awayTables) Retried(_ context.Context, retry int64) error {
	a.does("retried %d", retry)
	return nil
}

func TestANodeGetsWhatItLacks(t *testing.T) {
	log := projectionstest.Log().Example(1)
	for i := range log {
		log[i].Position = int64(i + 1)
	}
	end := int64(len(log))
	for name, test := range map[string]struct {
		status Status
		lack   Lack
		did    string
	}{
		"nothing":                         {Status{Position: end}, Lack{}, ""},
		"erased texts go before it holds": {Status{Position: end}, Lack{Node: "h2", After: 1}, fmt.Sprintf("blank h2 [c1], write h2, 2-%d", end)},
		"and retries come last":           {Status{Position: end, Retried: 7}, Lack{Node: "h2"}, fmt.Sprintf("blank h2 [c1], write h2, 1-%d, retried 7", end)},
		"tables without views":            {Status{Position: end, Build: Build{State: Kept}}, Lack{Node: "h2", Lost: true}, "prepare h2 false"},
		"views, and who reads them":       {Status{Position: end, Build: Build{State: Live}}, Lack{Node: "h2", Lost: true}, "prepare h2 true, analysts"},
	} {
		tables := &awayTables{status: test.status, log: log, lack: test.lack}
		err := Filler{
			Builds: tables, Tables: tables, Log: tables, Erased: ErasedTexts{Log: tables},
			Store:     func(string) projections.ParkingStore { return tables },
			Published: func(context.Context) { tables.does("analysts") },
			Logger:    slog.New(slog.DiscardHandler),
		}.once(t.Context(), "b1")
		if did := strings.Join(tables.did, ", "); err != nil || did != test.did {
			t.Errorf("%s: %s, %v, want %s", name, did, err, test.did)
		}
	}
}

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"bitacora/domain/event"
)

// unknown is a kind of event that this program does not understand.
type unknown struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Events  int    `json:"events"`
	// First is the position of the first such event, Reason why that one cannot be read.
	First  int64  `json:"first"`
	Reason string `json:"reason"`
}

// dryRun decodes and upcasts the whole log and reports what is not understood.
func (h *house) dryRun(ctx context.Context, asJSON bool) error {
	head, err := h.db.Log().Head(ctx)
	if err != nil {
		return err
	}
	p := newProgress("events decoded")
	began := time.Now()
	found := map[[2]any]*unknown{}
	for at := int64(0); at < head; {
		events, err := h.db.Log().Scan(ctx, at, head, readBatch)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return fmt.Errorf("log has a hole after position %d", at)
		}
		for _, e := range events {
			u, unreadable := e.Payload.(*event.Unreadable)
			if !unreadable {
				continue
			}
			key := [2]any{u.Type, u.Version}
			if found[key] == nil {
				found[key] = &unknown{Type: u.Type, Version: u.Version, First: e.Position, Reason: u.Reason.Error()}
			}
			found[key].Events++
		}
		at = events[len(events)-1].Position
		p.show(at, head)
	}
	p.done()
	list := []unknown{}
	for _, u := range found {
		list = append(list, *u)
	}
	slices.SortFunc(list, func(a, b unknown) int { return cmp.Or(cmp.Compare(a.Type, b.Type), a.Version-b.Version) })
	took := time.Since(began).Seconds()
	if asJSON {
		err = json.NewEncoder(os.Stdout).Encode(map[string]any{"events": head, "seconds": took, "unknown": list})
	} else {
		for _, u := range list {
			fmt.Printf("%s version %d: %d events, the first at position %d: %s\n", u.Type, u.Version, u.Events, u.First, u.Reason)
		}
		fmt.Printf("%d events decoded in %.1f s, %.0f events/s\n", head, took, float64(head)/max(took, 1e-9))
	}
	if err == nil && len(list) > 0 {
		return errFound
	}
	return err
}

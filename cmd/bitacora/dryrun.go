package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"bitacora/domain/event"
)

// dryRun decodes and upcasts the whole log and reports what is not understood.
func (a *app) dryRun(ctx context.Context, asJSON bool) error {
	head, err := a.db.Log().Head(ctx)
	if err != nil {
		return err
	}
	p := newProgress("events decoded")
	began := time.Now()
	var census event.Census
	for at := int64(0); at < head; {
		events, err := a.db.Log().Scan(ctx, at, head, readBatch)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			return fmt.Errorf("log has a hole after position %d", at)
		}
		for _, e := range events {
			census.Add(e)
		}
		at = events[len(events)-1].Position
		p.show(at, head)
	}
	p.done()
	list := census.Kinds()
	took := time.Since(began).Seconds()
	if asJSON {
		err = json.NewEncoder(os.Stdout).Encode(map[string]any{"events": head, "seconds": took, "unknown": list})
	} else {
		for _, u := range list {
			fmt.Println(u)
		}
		fmt.Printf("%d events decoded in %.1f s, %.0f events/s\n", head, took, float64(head)/max(took, 1e-9))
	}
	if err == nil && len(list) > 0 {
		return errFound
	}
	return err
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"

	"bitacora/adapters/engines/enginestest"
)

// TestAKilledRotationIsFinished kills the command that rotates the keys at any moment, while people
// are erased: whatever it was at, the next one brings it to its end, nobody's key is lost, and
// those of the erased open to nobody.
func TestAKilledRotationIsFinished(t *testing.T) {
	enginestest.Long(t)
	const rounds, conversations = 20, 2000
	p := newEmbedded(t)
	p.start()
	a := p.app()
	ctx := context.Background()
	log := a.db.Log()
	fill(t, a, conversations, 1)
	began := time.Now()
	p.mustRun("keys", "rotate")
	usual := time.Since(began)
	cut := 0
	for round := range rounds {
		if err := log.DestroyKey(ctx, chat.Stream(fmt.Sprint("filled-", round))); err != nil {
			t.Fatal(err)
		}
		command := p.begin("keys", "rotate")
		time.Sleep(usual/2 + rand.N(usual/2))
		command.Process.Kill()
		command.Wait()
		state, err := log.KeyState(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if state.Rotating {
			cut++
		}
	}
	t.Logf("%d of %d rotations were cut off; one takes %v", cut, rounds, usual.Round(time.Millisecond))
	p.mustRun("keys", "rotate")
	if state, err := log.KeyState(ctx); err != nil || state.Rotating || state.Erased > 0 {
		t.Errorf("the keys stand at %+v, %v", state, err)
	}
	if keys, err := filepath.Glob(filepath.Join(p.dir, "data", "keys", "epoch-*")); err != nil || len(keys) != 1 {
		t.Errorf("there are the keys %v, %v", keys, err)
	}
	for i := range conversations {
		events, err := log.ReadStream(ctx, chat.Stream(fmt.Sprint("filled-", i)))
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for _, e := range events {
			if message, ok := e.Payload.(*event.VisitorMessageSent); ok && message.Text.Text != "" {
				said++
			}
		}
		if erased := i < rounds; erased != (said == 0) {
			t.Fatalf("of %d, %d texts can be read", i, said)
		}
	}
}

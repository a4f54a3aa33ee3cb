package httpapi

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

// A reader who moves on ends the count; that says nothing about the projections.
func TestACountThatNobodyWaitsForIsNoFailure(t *testing.T) {
	var logged bytes.Buffer
	limit := 10
	allowance := &Allowance{
		Limit:  &limit,
		Live:   func(ctx context.Context) (Tables, Through, error) { return nil, Through{}, ctx.Err() },
		Zone:   time.UTC,
		Now:    time.Now,
		Logger: slog.New(slog.NewTextHandler(&logged, nil)),
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := allowance.Current(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, not the reader's departure", err)
	}
	if logged.Len() > 0 {
		t.Errorf("logged %s", &logged)
	}
}

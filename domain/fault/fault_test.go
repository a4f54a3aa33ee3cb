package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"bitacora/domain/fault"
)

func TestKindOf(t *testing.T) {
	busy, taken := fault.New(fault.Busy, "busy"), fault.New(fault.Conflict, "taken")
	for _, c := range []struct {
		err  error
		want fault.Kind
	}{
		{nil, ""},
		{io.EOF, ""},
		{taken, fault.Conflict},
		{fmt.Errorf("store: %w", taken), fault.Conflict},
		{fmt.Errorf("%w: %w", busy, taken), fault.Busy},
		{fault.As(fault.Unavailable, taken), fault.Unavailable},
	} {
		if got := fault.KindOf(c.err); got != c.want {
			t.Errorf("%v is %q, want %q", c.err, got, c.want)
		}
	}
	marked := fault.As(fault.Unavailable, io.EOF)
	if !errors.Is(marked, io.EOF) || marked.Error() != io.EOF.Error() {
		t.Errorf("marked: %v", marked)
	}
}

func TestWrap(t *testing.T) {
	if err := fault.Wrap(nil, "read"); err != nil {
		t.Errorf("of no error it makes %v", err)
	}
	taken := fault.New(fault.Conflict, "taken")
	if err := fault.Wrap(taken, "read"); err.Error() != "read: taken" || !errors.Is(err, taken) || fault.KindOf(err) != fault.Conflict {
		t.Errorf("wrapped: %v", err)
	}
}

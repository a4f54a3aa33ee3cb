// Package fault names the few kinds of errors that a caller tells apart. Whoever finds an
// error gives it a kind once; whoever answers for it asks for the kind alone.
package fault

import (
	"errors"
	"fmt"
)

// Kind is what an error means to whoever asked; empty means a fault of the program.
type Kind string

// The kinds.
const (
	// Invalid: what was asked cannot be understood or accepted.
	Invalid Kind = "invalid"
	// Forbidden: it is not for this caller.
	Forbidden Kind = "forbidden"
	// NotFound: there is no such thing.
	NotFound Kind = "not found"
	// Conflict: something else stands in the way.
	Conflict Kind = "conflict"
	// Erased: there was such a thing, and it will not come back.
	Erased Kind = "erased"
	// LimitReached: the month's conversations are used up.
	LimitReached Kind = "limit reached"
	// Upstream: a service that was asked for help gave none.
	Upstream Kind = "upstream"
	// Busy: too much at once; repeating it soon is safe.
	Busy Kind = "busy"
	// Unavailable: a database cannot be reached or takes no work at the moment.
	Unavailable Kind = "unavailable"
	// Outdated: tables lack what this version of the program asks of them.
	Outdated Kind = "outdated"
)

type fault struct {
	error
	kind Kind
}

func (f *fault) Unwrap() error { return f.error }

// New is an error of a kind.
func New(kind Kind, text string) error { return &fault{errors.New(text), kind} }

// As gives an error a kind, and leaves its text as it is.
func As(kind Kind, err error) error { return &fault{err, kind} }

// Wrap says before an error what failed; of none it makes none.
func Wrap(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// KindOf is the kind that an error was given last; empty where it was given none.
func KindOf(err error) Kind {
	if f, ok := errors.AsType[*fault](err); ok {
		return f.kind
	}
	return ""
}

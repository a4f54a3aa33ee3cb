package command

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// ErrInterrupted says by itself what somebody who left has left behind.
var ErrInterrupted = errors.New("interrupted")

// LeavesKey is the annotation that says what is kept of a command that is interrupted, and how to go on.
const LeavesKey = "leaves"

// LeavesNothing is so of every command that says nothing else: it works in one step.
const LeavesNothing = "nothing is half done: the same command again does it"

const (
	LeavesAll  = "nothing was changed: the same command again begins anew"
	LeavesPart = "what was done is kept: the same command again goes on with the rest"
)

// WhenLeft sets the text about the state after an interruption of a command.
func WhenLeft(c *cobra.Command, text string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[LeavesKey] = text
}

// Left is what to say of a command that was interrupted.
func Left(c *cobra.Command) string {
	if text := c.Annotations[LeavesKey]; text != "" {
		return text
	}
	return LeavesNothing
}

// Stdin is standard input, which whoever leaves does not wait for.
func Stdin(ctx context.Context) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, os.Stdin)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { writer.CloseWithError(context.Cause(ctx)) })
	return reader
}

// Pause waits, unless ctx ends first.
func Pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// errInterrupted says by itself what somebody who left has left behind.
var errInterrupted = errors.New("interrupted")

// leavesKey is the annotation that says what is kept of a command that is interrupted, and how to go on.
const leavesKey = "leaves"

// leavesNothing is so of every command that says nothing else: it works in one step.
const leavesNothing = "nothing is half done: the same command again does it"

const (
	leavesAll  = "nothing was changed: the same command again begins anew"
	leavesPart = "what was done is kept: the same command again goes on with the rest"
)

func whenLeft(c *cobra.Command, text string) {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[leavesKey] = text
}

// left is what to say of a command that was interrupted.
func left(c *cobra.Command) string {
	if text := c.Annotations[leavesKey]; text != "" {
		return text
	}
	return leavesNothing
}

// stdin is standard input, which whoever leaves does not wait for.
func stdin(ctx context.Context) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, os.Stdin)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { writer.CloseWithError(context.Cause(ctx)) })
	return reader
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Prompt asks a person at a terminal, or reads the answers of a script, a line each.
type Prompt struct {
	in       *bufio.Reader
	out      io.Writer
	Terminal bool
}

// NewPrompt asks on out and reads the answers from in.
func NewPrompt(in io.Reader, out io.Writer) *Prompt {
	f, ok := in.(*os.File)
	return &Prompt{bufio.NewReader(in), out, ok && term.IsTerminal(int(f.Fd()))}
}

// errNoAnswer: the input ended before the questions did.
var errNoAnswer = Misuse(errors.New("the input ended before the questions did"))

// Line asks for a line of text.
func (p *Prompt) Line(ctx context.Context, question string) (string, error) {
	fmt.Fprint(p.out, question)
	text, err := interruptible(ctx, func() (string, error) { return p.in.ReadString('\n') })
	if question != "" && (!p.Terminal || err != nil) {
		fmt.Fprintln(p.out) // where nobody sees the line break of the answer
	}
	if errors.Is(err, io.EOF) && text == "" {
		err = errNoAnswer
	} else if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimRight(text, "\r\n"), err
}

// Secret asks for a line that the terminal does not show.
func (p *Prompt) Secret(ctx context.Context, question string) (string, error) {
	if !p.Terminal {
		return p.Line(ctx, question)
	}
	fd := int(os.Stdin.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("ask the terminal: %w", err)
	}
	fmt.Fprint(p.out, question)
	typed, err := interruptible(ctx, func() (string, error) {
		typed, err := term.ReadPassword(fd)
		return string(typed), err
	})
	fmt.Fprintln(p.out)
	if err != nil {
		// Whoever leaves meanwhile leaves a reader behind that hides what is typed.
		return "", errors.Join(err, term.Restore(fd, before))
	}
	return typed, nil
}

// interruptible waits for what is read no longer than for ctx.
func interruptible(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		text, err := read()
		done <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", ErrInterrupted
	case a := <-done:
		return a.text, a.err
	}
}

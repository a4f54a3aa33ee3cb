package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

type logLevel struct{ slog.Level }

type logFormat string

func (f *logFormat) UnmarshalText(text []byte) error {
	switch format := logFormat(strings.ToLower(string(text))); format {
	case "text", "json":
		*f = format
		return nil
	}
	return fmt.Errorf("%q is neither text nor json", text)
}

// newLogger writes to w in the configured form.
func newLogger(w io.Writer, c config) *slog.Logger {
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: c.LogLevel.Level}))
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: c.LogLevel.Level, TimeFormat: time.TimeOnly, NoColor: !isTerminal(w)}))
}

// isTerminal says whether a person is looking.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

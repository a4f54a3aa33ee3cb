package settings

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/lmittmann/tint"

	"bitacora/cmd/bitacora/command"
)

// JournalStream is the variable in which systemd names the stream that the journal reads.
const JournalStream = "JOURNAL_STREAM"

// NewLogger writes to w in the configured form.
func NewLogger(w io.Writer, c Config) *slog.Logger {
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: c.LogLevel}))
	}
	options := &tint.Options{Level: c.LogLevel, TimeFormat: time.RFC3339, NoColor: !command.IsTerminal(w)}
	if IsJournal(w, os.Getenv(JournalStream)) {
		options.ReplaceAttr = forJournal
	}
	return slog.New(tint.NewTextHandler(w, options))
}

// forJournal leaves the time out, which the journal knows, and begins a line with the priority that it
// reads there: sd-daemon(3).
func forJournal(groups []string, a slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return a
	}
	switch level, isLevel := a.Value.Any().(slog.Level); {
	case a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime:
		return slog.Attr{}
	case a.Key == slog.LevelKey && isLevel:
		return slog.String(a.Key, "<"+priority(level)+">"+level.String())
	}
	return a
}

// priority is that of syslog.
func priority(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "3"
	case level >= slog.LevelWarn:
		return "4"
	case level >= slog.LevelInfo:
		return "6"
	}
	return "7"
}

// IsJournal says whether w is the journal's stream, which systemd names by device and inode.
func IsJournal(w io.Writer, stream string) bool {
	f, ok := w.(*os.File)
	if !ok || stream == "" {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && stream == fmt.Sprintf("%d:%d", s.Dev, s.Ino)
}

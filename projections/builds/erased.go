package builds

import (
	"context"
	"log/slog"
	"strings"

	"bitacora/domain/chat"
)

// ErasedTexts removes from builds what they still say of erased people: texts that a replay had
// read before the erasure, or that lie in a build from before.
type ErasedTexts struct {
	Log    ErasedLister
	Tables TextRemover
	Logger *slog.Logger
}

// ErasedLister lists the streams whose personal data were erased.
type ErasedLister interface {
	Erased(ctx context.Context) ([]string, error)
}

// TextRemover removes the texts of conversations from a build, and counts those that had any.
type TextRemover interface {
	Blank(ctx context.Context, build string, conversations []string) (had int, err error)
}

// Remove removes the texts from paused builds. All of them are compared with one list, so that
// they agree however many erasures come meanwhile.
func (e ErasedTexts) Remove(ctx context.Context, builds ...string) error {
	streams, err := e.Log.Erased(ctx)
	if err != nil {
		return err
	}
	var conversations []string
	for _, stream := range streams {
		if id, ok := strings.CutPrefix(stream, chat.Stream("")); ok {
			conversations = append(conversations, id)
		}
	}
	for _, build := range builds {
		had, err := e.Tables.Blank(ctx, build, conversations)
		if err != nil {
			return err
		}
		if had > 0 {
			e.Logger.Info("texts of erased conversations were removed", "build", build, "conversations", had)
		}
	}
	return nil
}

package assistant

import (
	"bitacora/adapters/assistant/words"
	"bitacora/domain/danger"
)

// Classify implements [danger.Classifier].
func (a *Assistant) Classify(text string, found danger.Danger) danger.Danger {
	reader := a.embedded.reader
	kind, likely, unlikely := reader.Danger(text)
	switch {
	case found.Found() && !unlikely:
		return found
	case found.Found() || !likely:
		return danger.Danger{}
	case words.LanguageOf(reader.Language.Words(text)) == words.English:
		return danger.Danger{Kinds: []danger.Kind{kind}, Language: "en"}
	}
	return danger.Danger{Kinds: []danger.Kind{kind}, Language: "es"}
}

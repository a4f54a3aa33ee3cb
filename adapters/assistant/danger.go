package assistant

import (
	"bitacora/adapters/assistant/words"
	"bitacora/domain/danger"
)

// Classify implements [danger.Classifier].
func (a *Assistant) Classify(text string) danger.Danger {
	reader := a.embedded.reader
	kind, likely := reader.Danger(text)
	switch {
	case !likely:
		return danger.Danger{}
	case words.LanguageOf(reader.Language.Words(text)) == words.English:
		return danger.Danger{Kinds: []danger.Kind{kind}, Language: "en"}
	}
	return danger.Danger{Kinds: []danger.Kind{kind}, Language: "es"}
}

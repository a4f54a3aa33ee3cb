package assistant

import (
	"testing"

	"github.com/tmc/langchaingo/llms"

	"bitacora/domain/chat"
	"bitacora/domain/privacy/privacytest"
)

// TestTheCorpusBeforeAProvider: what a provider is sent of a question, and of what was said before
// by either side, is masked alike.
func TestTheCorpusBeforeAProvider(t *testing.T) {
	a := with(t, &scripted{}, "openai")
	samples := privacytest.Corpus(t)
	asked, history := make([]string, len(samples)), make([]string, len(samples))
	for i, s := range samples {
		// Nothing of the line was known to be personal when it was stored.
		sent := a.provider.messages("prompt", a.embedded, chat.Question{Text: s.Text, History: []chat.Line{{FromVisitor: i%2 == 0, Text: s.Text, Masked: s.Text}}})
		if len(sent) != 3 {
			t.Fatalf("%d messages are sent", len(sent))
		}
		history[i], asked[i] = sent[1].Parts[0].(llms.TextContent).Text, sent[2].Parts[0].(llms.TextContent).Text
	}
	t.Run("question", func(t *testing.T) { privacytest.MustMask(t, samples, asked) })
	t.Run("history", func(t *testing.T) { privacytest.MustMask(t, samples, history) })
}

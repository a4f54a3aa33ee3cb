// Package assistant answers visitors: it understands what they write, where it can with the help of
// a langchaingo model, and answers with the clinic's own texts.
package assistant

import (
	"context"
	"fmt"
	"log/slog"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Assistant implements [chat.Assistant] and [chat.Understander]. It understands and answers by
// itself; a provider, where one is configured, understands what it does not, see [Assistant.Further].
type Assistant struct {
	embedded *Embedded
	provider *provider
	log      *slog.Logger
	meanings *knownMeanings
}

// New makes the assistant that a specification names.
func New(s Spec, c clinic.Clinic) (*Assistant, error) {
	embedded, err := s.embedded(c)
	if err != nil {
		return nil, fmt.Errorf("make assistant: %w", err)
	}
	a := &Assistant{embedded: embedded, log: slog.Default(), meanings: &knownMeanings{}}
	provide, ok := providers[s.Provider]
	switch {
	case !ok:
		return nil, unknown(s.Provider)
	case provide == nil:
		return a, nil
	}
	model, err := provide(s)
	if err != nil {
		return nil, fmt.Errorf("make assistant %s: %w", s, err)
	}
	a.provider, err = newProvider(model, s)
	return a, err
}

// Understand implements [chat.Understander], always without a provider.
func (a *Assistant) Understand(ctx context.Context, q chat.Question) (chat.Understanding, error) {
	return a.embedded.Understand(ctx, q)
}

// Read understands a question as the chat service does, whatever the dialogue makes of it, and gives
// what the message was taken for.
func (a *Assistant) Read(ctx context.Context, q chat.Question) (u chat.Understanding, m meaning.Meaning, err error) {
	if u, err = a.Understand(ctx, q); err != nil {
		return u, m, err
	}
	if f := a.Further(); f != nil {
		q.Understood = u
		if u, err = f.Understand(ctx, q); err != nil {
			return u, m, err
		}
	}
	switch read := u.Reading.(type) {
	case interpreted:
		m = read.Meaning
		m.Intent, m.Likeliest, m.Confidence = read.reading.Intent, read.reading.Intent, 1
	case meaning.Meaning:
		m = read
	}
	return u, m, nil
}

// own are the intents that are answered by the program itself, whatever provider there
// is: what is urgent, what has limits, what the staff hears of, and what is about people's data.
var own = map[string]bool{
	meaning.Urgent: true, "medicamento": true, "privacidad": true, meaning.Abuse: true,
	"manipulacion": true, "persona": true, "queja": true, "identidad": true, "telefono": true, "correo": true,
	"cancelar": true, "reprogramar": true, "mi-cita": true,
}

// sureOffTopic is the confidence from which on what the clinic has nothing to say about
// is not asked of a provider.
const sureOffTopic = 0.6

// interpreted is what a provider made of a message, beside what the program did.
type interpreted struct {
	meaning.Meaning
	reading reading
}

// Further understands with the provider what the program may have not; nil without a provider.
func (a *Assistant) Further() chat.Understander {
	if a.provider == nil {
		return nil
	}
	return further{a}
}

type further struct{ *Assistant }

// Understand implements [chat.Understander] on a question whose Understood is the program's own
// understanding, which it gives back where the provider fails, is slow, has used up its budget, or
// makes no sense.
func (a further) Understand(ctx context.Context, q chat.Question) (chat.Understanding, error) {
	m, understood := q.Understood.Reading.(meaning.Meaning)
	offTopic := m.Likeliest == meaning.Unknown && m.Confidence >= sureOffTopic && !q.Understood.English
	if !understood || own[m.Intent] || offTopic {
		return q.Understood, nil
	}
	read, used, err := a.provider.read(ctx, a.embedded, q)
	a.provider.record.count(err)
	u := q.Understood
	if err != nil {
		a.log.Warn("provider's reading not used", "provider", a.provider.name, "reason", a.provider.redact(err))
	} else {
		u = read.understood(a.embedded, q)
		u.Reading = interpreted{m, read}
	}
	u.TokensIn, u.TokensOut = used.TokensIn, used.TokensOut
	return u, nil
}

// Reply implements [chat.Assistant]: the clinic's own texts answer, chosen by the provider where it
// read the message, and else by the program.
func (a *Assistant) Reply(_ context.Context, q chat.Question) (chat.Reply, error) {
	read, spoken := languages(a.embedded.reader.Language, q)
	e := a.embedded.in[read]
	if by, ok := q.Understood.Reading.(interpreted); ok {
		said, err := e.selected(q, by.reading)
		if err != nil {
			return chat.Reply{}, fmt.Errorf("answer: %w", err)
		}
		return said.reply(a.provider.name, a.provider.modelName), nil
	}
	m, understood := q.Understood.Reading.(meaning.Meaning)
	if !understood {
		m, q.Understood.English = e.read(e.rephrased(q.Text, e.spokenOf(q.History))), spoken == words.English
	}
	said, err := e.answer(q, m)
	if err != nil {
		return chat.Reply{}, fmt.Errorf("answer: %w", err)
	}
	return said.reply("embedded", embeddedModel), nil
}

// reply is an answer as it is recorded.
func (a answer) reply(provider, model string) chat.Reply {
	return chat.Reply{Text: a.text, Provider: provider, Model: model, Topic: a.Topic, Answered: a.Answered, Open: a.Open, Sources: a.Sources, Chosen: a.given()}
}

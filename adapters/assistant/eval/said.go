package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/fault"
)

// Stage gives a chat service in which nothing was said yet, and whose clock stands at a moment.
type Stage func(at time.Time) *chat.Service

// Sentences are what is said and what the replies have to say.
type Sentences struct {
	notation
	groups []sentenceGroup
}

type sentenceGroup struct {
	// kind is what is asked for: "answer", "unknown" …; topic is what about.
	kind, topic string
	demand
	said []sentence
}

// sentence is what one person says.
type sentence struct {
	// voice is how the person speaks, "formal"; empty where the set does not say.
	voice string
	// turns are those of one conversation; the last reply is judged.
	turns []string
}

func readSentence(line string) sentence {
	var s sentence
	if voice, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(voice, "@") {
		s.voice, line = voice[1:], rest
	}
	s.turns = strings.Split(line, " // ")
	return s
}

// ReadSentences reads a file of sentences; its days are those of a zone.
func ReadSentences(r io.Reader, zone *time.Location) (*Sentences, error) {
	s := &Sentences{}
	err := s.read(r, zone, func(line string) error {
		if head, ok := strings.CutPrefix(line, "## "); ok {
			kind, topic, _ := strings.Cut(head, " ")
			s.groups = append(s.groups, sentenceGroup{kind: kind, topic: topic})
			return nil
		}
		if len(s.groups) == 0 {
			return errors.New("a sentence belongs to no group")
		}
		group := &s.groups[len(s.groups)-1]
		if ok, err := group.take(&s.notation, line); ok || err != nil {
			return err
		}
		group.said = append(group.said, readSentence(line))
		return nil
	})
	return s, err
}

// Measure says every sentence in a conversation of its own and judges what is replied.
func (s *Sentences) Measure(ctx context.Context, on Stage) (Figures, error) {
	unknown, err := s.pattern("{unknown}")
	if err != nil {
		return Figures{}, err
	}
	var f Figures
	for _, g := range s.groups {
		for _, said := range g.said {
			var reply string
			c := conversation{service: on(s.At)}
			for _, turn := range said.turns {
				if reply, err = c.say(ctx, turn); err != nil {
					return Figures{}, err
				}
			}
			breach := g.breach(reply)
			verdict := verdictOf(breach, reply, unknown)
			f.count(g.kind, g.topic, verdict, Miss{strings.Join(said.turns, " // "), breach, reply})
			if said.voice != "" {
				f.at("voice", "").add(verdict)
				f.at("voice", said.voice).add(verdict)
			}
		}
	}
	return f, nil
}

func verdictOf(breach, reply string, unknown *regexp.Regexp) Verdict {
	switch {
	case breach == "":
		return Right
	case unknown.MatchString(folded(reply)):
		return Honest
	}
	return Wrong
}

// conversation is one that a service carries on.
type conversation struct {
	service *chat.Service
}

// session is that of the only conversation of a service.
const session = "evaluation"

func (c conversation) say(ctx context.Context, text string) (string, error) {
	answer, err := c.service.Receive(ctx, chat.Message{SessionID: session, Text: text})
	if err != nil {
		return "", fmt.Errorf("say %q: %w", text, err)
	}
	return answer.Text, nil
}

// state is what the conversation adds up to.
func (c conversation) state(ctx context.Context) (*chat.Conversation, error) {
	id := chat.ConversationID("web", session)
	events, err := c.service.Log.ReadStream(ctx, chat.Stream(id))
	return chat.Fold(id, events), fault.Wrap(err, "read the conversation")
}

package teaching

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// Bounds of a preview: how far back it looks, at how many conversations and different questions, and
// how many examples of each kind it shows.
const (
	Lookback         = 90 * 24 * time.Hour
	maxConversations = 50_000
	maxQuestions     = 20_000
	maxExamples      = 50
	// readAtOnce is how many conversations are read at once.
	readAtOnce = 50
)

// Questions is the part of the event log that previews need.
type Questions interface {
	// ConversationsSince names the streams of conversations that began since, newest first.
	ConversationsSince(ctx context.Context, since time.Time, limit int) ([]string, error)
	// ReadStreams gives the events of some streams, each in order.
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Replier answers messages of the past.
type Replier interface {
	Replay(ctx context.Context, a chat.Asked) (r chat.Replayed, replied bool, err error)
}

// Preview is what an answer would change.
type Preview struct {
	// Conversations were read of all that began in the time.
	Conversations, Of int
	// Questions are how many different ones were replayed, each with the conversation in which it was
	// asked last; Capped says that there are more of them or of the conversations.
	Questions int
	Capped    bool
	// Answered are questions that had no answer and would now have this one. Changed are those whose
	// answer would be another one.
	Answered, Changed Effects
}

// Effects are questions on which an answer has an effect.
type Effects struct {
	// Questions are different ones, Times how often they were asked.
	Questions, Times int
	// Examples are the most frequent.
	Examples []Example
}

// Example is a question with what is answered now, and what would be.
type Example struct {
	// Question and both texts are masked; a text is empty where the dialogue goes on with a booking instead.
	Question  string
	Now, Then string
	Times     int
	// Context says that something was said before it.
	Context bool
}

// replayed is a question while its repetitions are counted.
type replayed struct {
	Example
	kind *Effects
}

// Preview replays what visitors asked with an answer and without it, or gives [InvalidAnswer].
// That somebody reads it is recorded first. It ends with ctx, and tells how far it has come.
func (r *Register) Preview(ctx context.Context, by staff.Actor, a clinic.Answer, progress func(Preview)) (p Preview, err error) {
	if a, err = r.checked(ctx, a); err != nil {
		return p, err
	}
	now, then, err := r.Rehearse(ctx, a)
	if err != nil {
		return p, fmt.Errorf("rehearse answer: %w", err)
	}
	until := r.now()
	since := until.Add(-Lookback)
	if err := r.recordReading(ctx, by, since, until); err != nil {
		return p, err
	}
	streams, err := r.Log.ConversationsSince(ctx, since, maxConversations+1)
	if err != nil {
		return p, fmt.Errorf("find conversations: %w", err)
	}
	if p.Capped = len(streams) > maxConversations; p.Capped {
		streams = streams[:maxConversations]
	}
	p.Of = len(streams)
	run := replay{now: now, then: then, slug: a.Slug, seen: map[string]*replayed{}, Preview: p}
	for some := range slices.Chunk(streams, readAtOnce) {
		events, err := r.Log.ReadStreams(ctx, some)
		if err != nil {
			return p, fmt.Errorf("read conversations: %w", err)
		}
		of := map[string][]event.Recorded{}
		for _, e := range events {
			of[e.Stream] = append(of[e.Stream], e)
		}
		for _, stream := range some {
			if err := run.conversation(ctx, strings.TrimPrefix(stream, chat.Stream("")), of[stream]); err != nil {
				return p, err
			}
		}
		run.Conversations += len(some)
		if run.Questions >= maxQuestions {
			run.Capped = true
			break
		}
		progress(run.Preview)
	}
	return run.finished(), nil
}

func (r *Register) recordReading(ctx context.Context, by staff.Actor, from, to time.Time) error {
	draft := event.Draft{ID: r.NewID(), OccurredAt: to, Payload: &event.QuestionsReplayed{StaffID: by.ID, From: from, To: to}}
	if by.RequestID != "" {
		draft.Metadata = map[string]string{"requestId": by.RequestID}
	}
	_, err := r.Log.Append(ctx, event.Append{Stream: staff.Stream(by.ID), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft}})
	return fault.Wrap(err, "record reading")
}

type replay struct {
	Preview
	now, then Replier
	slug      string
	// seen are the questions by their plain words and what the dialogue had asked for.
	seen map[string]*replayed
}

// conversation replays the questions of a conversation that were not asked in a later one.
func (r *replay) conversation(ctx context.Context, id string, events []event.Recorded) (err error) {
	n := 0
	chat.AskedIn(id, events, func(q chat.Asked) bool {
		n++
		if err = ctx.Err(); err != nil {
			return false
		}
		key := string(q.Step) + " " + clinic.PlainWords(q.Text)
		if before, seen := r.seen[key]; seen {
			before.count()
			return true
		}
		if r.Questions >= maxQuestions {
			return false
		}
		r.seen[key], err = r.compare(ctx, q, n > 1)
		return err == nil
	})
	return err
}

// count counts a question once more, if the answer has an effect on it.
func (q *replayed) count() {
	q.Times++
	if q.kind != nil {
		q.kind.Times++
	}
}

// compare replays one question with the answer and without it, both at once.
func (r *replay) compare(ctx context.Context, asked chat.Asked, context bool) (*replayed, error) {
	var both sync.WaitGroup
	var now, then chat.Replayed
	var repliedNow, repliedThen bool
	var errNow, errThen error
	both.Go(func() { now, repliedNow, errNow = r.now.Replay(ctx, asked) })
	both.Go(func() { then, repliedThen, errThen = r.then.Replay(ctx, asked) })
	both.Wait()
	if err := errors.Join(errNow, errThen); err != nil {
		return nil, err
	}
	q := &replayed{Example: Example{Question: asked.Masked, Now: now.Text, Then: then.Text, Times: 1, Context: context}}
	if !repliedNow && !repliedThen {
		return q, nil
	}
	r.Questions++
	switch {
	case now.Text == then.Text:
		return q, nil
	case repliedNow && !now.Answered && then.Answered && slices.Contains(then.Sources, "answer/"+r.slug):
		q.kind = &r.Answered
	default:
		q.kind = &r.Changed
	}
	q.kind.Questions++
	q.kind.Times++
	return q, nil
}

// finished is the preview with its examples.
func (r *replay) finished() Preview {
	for _, q := range r.seen {
		if q.kind != nil {
			q.kind.Examples = append(q.kind.Examples, q.Example)
		}
	}
	for _, kind := range []*Effects{&r.Answered, &r.Changed} {
		slices.SortFunc(kind.Examples, func(a, b Example) int {
			if a.Times != b.Times {
				return b.Times - a.Times
			}
			return strings.Compare(a.Question, b.Question)
		})
		kind.Examples = kind.Examples[:min(len(kind.Examples), maxExamples)]
	}
	return r.Preview
}

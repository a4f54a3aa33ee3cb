// Package teaching is how the staff changes what the assistant answers: an answer is tried against
// what visitors asked, published as a version, and taken back.
package teaching

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
	"bitacora/domain/staff"
)

var (
	// ErrExists: there is an answer of that slug, which the author has not seen.
	ErrExists = fault.New(fault.Conflict, "answer exists already")
	// ErrChanged: the answer is another one than its author, or who takes it back, has seen.
	ErrChanged = fault.New(fault.Conflict, "answer was changed meanwhile")
	// ErrNoAnswer: there is no answer of that slug.
	ErrNoAnswer = fault.New(fault.NotFound, "answer does not exist")
)

// MaxReason bounds why an answer is taught or taken back, in runes.
const MaxReason = 300

// Kinds of flaws beside those of a clinic's answer.
const (
	// FlawPersonal: the text holds something personal.
	FlawPersonal clinic.FlawKind = -1
	// FlawKnown: the text tells of a person whom the clinic knows.
	FlawKnown clinic.FlawKind = -2
)

// InvalidAnswer says what is wrong with an answer; "reason" is a field of it too.
type InvalidAnswer []clinic.Flaw

func (e InvalidAnswer) Error() string { return fmt.Sprintf("answer has %d flaws", len(e)) }

// Draft is an answer that is to be taught.
type Draft struct {
	Answer clinic.Answer
	Reason string
	// Seen is how often the answer of that slug had been taught when its author saw it; nil: there
	// was none.
	Seen *int
}

// Version is one state of an answer that was taught.
type Version struct {
	Number int
	Answer clinic.Answer
	By     string
	At     time.Time
	Reason string
	// Undone says who took it back; nil where it was not.
	Undone *Undoing
	// Erased says that its texts are gone for good.
	Erased bool

	replaced int
	before   *event.Answer
}

// Undoing is the taking back of a version.
type Undoing struct {
	By     string
	At     time.Time
	Reason string
}

// Taught is an answer with all that was taught of it.
type Taught struct {
	Slug string
	// Versions are the newest first.
	Versions []Version
	// Current is the version that the content holds; nil where that was undone, or something else
	// was imported since.
	Current *Version
}

// Change is what an answer becomes, with the event that says so.
type Change struct {
	Answers []clinic.Answer
	Append  event.Append
}

// Store keeps the answers, and what was ever taught.
type Store interface {
	// ChangeAnswer stores what decide makes of the content, with its event or not at all. What was taught of the
	// slug comes with it, oldest first, and nobody else changes it meanwhile.
	ChangeAnswer(ctx context.Context, slug string, decide func(content clinic.Content, taught []event.Recorded) (Change, error)) error
	// Taught gives everything that was ever taught, oldest first, and the content of now.
	Taught(ctx context.Context) (clinic.Content, []event.Recorded, error)
}

// Register teaches answers, and takes down who did and why.
type Register struct {
	Store Store
	Log   Questions
	// Rehearse gives who answers out of the content of now, and who would with an answer too.
	Rehearse func(ctx context.Context, a clinic.Answer) (now, then Replier, err error)
	// TellsOf says whether a text tells of a person whom the clinic knows.
	TellsOf func(ctx context.Context, text string) (bool, error)
	// Clinic gives everybody the contacts that are nobody's in a text.
	Clinic clinic.Clinic
	Now    func() time.Time
	NewID  func() string
}

// Publish teaches an answer, or gives [InvalidAnswer], [ErrExists] or [ErrChanged].
func (r *Register) Publish(ctx context.Context, by staff.Actor, d Draft) (Version, error) {
	a := d.Answer.Normal()
	var version Version
	known, err := r.knownFlaws(ctx, append(textsOf(a), text{"reason", d.Reason}))
	if err != nil {
		return version, fmt.Errorf("teach answer: %w", err)
	}
	err = r.Store.ChangeAnswer(ctx, a.Slug, func(content clinic.Content, events []event.Recorded) (Change, error) {
		flaws := slices.Concat(r.flaws(a, content), reasonFlaws(d.Reason), known)
		if len(flaws) > 0 {
			return Change{}, InvalidAnswer(flaws)
		}
		taught := fold(a.Slug, events)
		if last, ok := lastOf[*event.AnswerTaught](events); ok && last.By == by.ID && last.Reason == strings.TrimSpace(d.Reason) &&
			seenVersion(d.Seen) == last.Version-1 {
			version = taught.Versions[len(taught.Versions)-1]
			if a.Replacing(taught.replacedBy(version)).Equal(clinic.Answer(last.Answer)) {
				return Change{}, errRepeated
			}
		}
		before, exists := clinic.AnswerOf(content.Answers, a.Slug)
		if exists {
			a = a.Replacing(&before)
		}
		switch {
		case exists && d.Seen == nil:
			return Change{}, ErrExists
		case d.Seen != nil && (!exists || *d.Seen != len(taught.Versions)):
			return Change{}, ErrChanged
		}
		said := &event.AnswerTaught{Answer: event.Answer(a), Version: len(taught.Versions) + 1, By: by.ID, Reason: strings.TrimSpace(d.Reason)}
		switch taught.compare(content.Answers); {
		case taught.Current != nil:
			said.Replaced = taught.Current.Number
		case exists:
			said.Before = new(event.Answer(before))
		}
		change := Change{clinic.WithAnswer(content.Answers, a), r.append(event.AnswerStream(a.Slug, said.Version), by, said)}
		version = Version{Number: said.Version, Answer: a, By: by.ID, At: change.Append.Drafts[0].OccurredAt, Reason: said.Reason}
		return change, nil
	})
	if err != nil && !errors.Is(err, errRepeated) {
		return version, fmt.Errorf("teach answer: %w", err)
	}
	return version, nil
}

// errRepeated: it is what was done last, by the same account, which perhaps did not get the answer.
var errRepeated = errors.New("what is asked for is done")

// lastOf is the last event of a stream, if it is of a type.
func lastOf[P event.Payload](events []event.Recorded) (last P, ok bool) {
	if len(events) > 0 {
		last, ok = events[len(events)-1].Payload.(P)
	}
	return last, ok
}

// seenVersion is the one that somebody has seen; 0 where there was none.
func seenVersion(version *int) int {
	if version == nil {
		return 0
	}
	return *version
}

// Undo takes the version back that holds, or gives [ErrNoAnswer], [ErrChanged] or [InvalidAnswer].
func (r *Register) Undo(ctx context.Context, by staff.Actor, slug string, version int, reason string) error {
	known, err := r.knownFlaws(ctx, []text{{"reason", reason}})
	if err != nil {
		return fmt.Errorf("undo answer: %w", err)
	}
	err = r.Store.ChangeAnswer(ctx, slug, func(content clinic.Content, events []event.Recorded) (Change, error) {
		taught := fold(slug, events)
		if len(taught.Versions) == 0 {
			return Change{}, ErrNoAnswer
		}
		if flaws := append(reasonFlaws(reason), known...); len(flaws) > 0 {
			return Change{}, InvalidAnswer(flaws)
		}
		if last, ok := lastOf[*event.AnswerUndone](events); ok && last.Version == version && last.By == by.ID && last.Reason == strings.TrimSpace(reason) {
			return Change{}, errRepeated
		}
		taught.compare(content.Answers)
		if taught.Current == nil || taught.Current.Number != version {
			return Change{}, ErrChanged
		}
		answers := clinic.WithoutAnswer(content.Answers, slug)
		if before := taught.replacedBy(*taught.Current); before != nil {
			answers = clinic.WithAnswer(content.Answers, *before)
		}
		said := &event.AnswerUndone{Version: version, By: by.ID, Reason: strings.TrimSpace(reason)}
		return Change{answers, r.append(event.AnswerUndoneStream(slug, version), by, said)}, nil
	})
	if err != nil && !errors.Is(err, errRepeated) {
		return fmt.Errorf("undo answer: %w", err)
	}
	return nil
}

// errNotHeld: the content holds something other than the version that is to be withdrawn.
var errNotHeld = errors.New("the content does not hold this version")

// WithdrawAnswer takes an answer out of the content if that holds a version, and says whether it did.
// Nothing takes the place of the answer, since what it had replaced may tell of the same person.
func (r *Register) WithdrawAnswer(ctx context.Context, by, slug string, version int) (withdrawn bool, err error) {
	err = r.Store.ChangeAnswer(ctx, slug, func(content clinic.Content, events []event.Recorded) (Change, error) {
		v := fold(slug, events).version(version)
		held, ok := clinic.AnswerOf(content.Answers, slug)
		if v == nil || !ok || !held.Equal(v.Answer) {
			return Change{}, errNotHeld
		}
		change := r.append(event.AnswerUndoneStream(slug, version), staff.Actor{ID: by}, &event.AnswerUndone{Version: version, By: by})
		change.ExpectedVersion = event.AnyVersion // it may have been taken back before, and be imported since
		return Change{clinic.WithoutAnswer(content.Answers, slug), change}, nil
	})
	switch {
	case errors.Is(err, errNotHeld):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("withdraw answer: %w", err)
	}
	return true, nil
}

// append makes a request for the first event of a stream.
func (r *Register) append(stream string, by staff.Actor, said event.Payload) event.Append {
	draft := event.Draft{ID: r.NewID(), OccurredAt: r.now(), Payload: said}
	if by.RequestID != "" {
		draft.Metadata = map[string]string{"requestId": by.RequestID}
	}
	return event.Append{Stream: stream, Drafts: []event.Draft{draft}}
}

func (r *Register) now() time.Time { return r.Now().UTC().Truncate(time.Millisecond) }

// flaws are what is wrong with a normal answer beside those that there are.
func (r *Register) flaws(a clinic.Answer, content clinic.Content) []clinic.Flaw {
	flaws := a.Flaws(content.Answers, content.Services)
	if !slices.ContainsFunc(content.Answers, func(other clinic.Answer) bool { return other.Topic == a.Topic }) {
		flaws = append(flaws, clinic.Flaw{Field: "topic"})
	}
	for _, q := range a.Questions {
		if masked := privacy.Mask(q, privacy.Known{Public: r.Clinic.Contacts()}); masked != q || privacy.HasMask(q) {
			flaws = append(flaws, clinic.Flaw{Field: "questions", Kind: FlawPersonal, About: q})
		}
	}
	return flaws
}

// text is one of an answer's texts, or a reason.
type text struct{ field, value string }

func textsOf(a clinic.Answer) []text {
	texts := []text{{"text", a.Text}, {"english", a.English}}
	for _, q := range a.Questions {
		texts = append(texts, text{"questions", q})
	}
	return texts
}

// knownFlaws are the texts that tell of a person whom the clinic knows.
func (r *Register) knownFlaws(ctx context.Context, texts []text) (flaws []clinic.Flaw, err error) {
	var all []string
	for _, t := range texts {
		all = append(all, t.value)
	}
	if tells, err := r.TellsOf(ctx, strings.Join(all, "\n")); err != nil || !tells {
		return nil, err
	}
	for _, t := range texts {
		tells, err := r.TellsOf(ctx, t.value)
		if err != nil {
			return nil, err
		}
		if tells {
			flaws = append(flaws, clinic.Flaw{Field: t.field, Kind: FlawKnown, About: t.value})
		}
	}
	return flaws, nil
}

func reasonFlaws(reason string) []clinic.Flaw {
	switch reason = strings.TrimSpace(reason); {
	case reason == "":
		return []clinic.Flaw{{Field: "reason", Kind: clinic.FlawEmpty}}
	case utf8.RuneCountInString(reason) > MaxReason:
		return []clinic.Flaw{{Field: "reason", Kind: clinic.FlawTooLong, About: fmt.Sprint(MaxReason)}}
	case privacy.Mask(reason, privacy.Known{}) != reason:
		return []clinic.Flaw{{Field: "reason", Kind: FlawPersonal}}
	}
	return nil
}

// List gives all that was taught, what changed last first, and the content of now.
func (r *Register) List(ctx context.Context) ([]Taught, clinic.Content, error) {
	content, events, err := r.Store.Taught(ctx)
	if err != nil {
		return nil, content, fmt.Errorf("list taught answers: %w", err)
	}
	bySlug := map[string][]event.Recorded{}
	var order []string
	for _, e := range slices.Backward(events) {
		slug := event.AnswerSlug(e.Stream)
		if bySlug[slug] == nil {
			order = append(order, slug)
		}
		bySlug[slug] = append(bySlug[slug], e)
	}
	list := make([]Taught, len(order))
	for i, slug := range order {
		slices.Reverse(bySlug[slug])
		list[i] = fold(slug, bySlug[slug])
		list[i].compare(content.Answers)
	}
	return list, content, nil
}

// Answer gives the answer of a slug and how often it was taught, or [ErrNoAnswer].
func (r *Register) Answer(ctx context.Context, slug string) (clinic.Answer, int, error) {
	list, content, err := r.List(ctx)
	if err != nil {
		return clinic.Answer{}, 0, err
	}
	a, ok := clinic.AnswerOf(content.Answers, slug)
	if !ok {
		return a, 0, ErrNoAnswer
	}
	i := slices.IndexFunc(list, func(t Taught) bool { return t.Slug == slug })
	if i < 0 {
		return a, 0, nil
	}
	return a, len(list[i].Versions), nil
}

// fold adds up what was taught of an answer; Current is the version that was not undone.
func fold(slug string, events []event.Recorded) Taught {
	t := Taught{Slug: slug}
	for _, e := range events {
		switch p := event.Nearest(e.Payload).(type) {
		case *event.AnswerTaught:
			t.Versions = append(t.Versions, Version{
				Number: p.Version, Answer: clinic.Answer(p.Answer), By: p.By, At: e.OccurredAt, Reason: p.Reason,
				Erased: e.Erased, replaced: p.Replaced, before: p.Before,
			})
		case *event.AnswerUndone:
			for i := range t.Versions {
				if t.Versions[i].Number == p.Version {
					t.Versions[i].Undone = &Undoing{p.By, e.OccurredAt, p.Reason}
				}
			}
		}
	}
	slices.Reverse(t.Versions)
	return t
}

// version is the one of a number; nil for none.
func (t Taught) version(number int) *Version {
	i := slices.IndexFunc(t.Versions, func(v Version) bool { return v.Number == number })
	if i < 0 {
		return nil
	}
	return &t.Versions[i]
}

// replacedBy is what the content held before a version; nil for nothing, or nothing that is left.
func (t Taught) replacedBy(v Version) *clinic.Answer {
	if before := t.version(v.replaced); before != nil && !before.Erased {
		return &before.Answer
	}
	return (*clinic.Answer)(v.before)
}

// Standing is the latest version that was not undone; nil for none.
func (t Taught) Standing() *Version {
	i := slices.IndexFunc(t.Versions, func(v Version) bool { return v.Undone == nil })
	if i < 0 {
		return nil
	}
	return &t.Versions[i]
}

// Since is when the first version was taught that was not undone; the last of all where every one was.
func (t Taught) Since() time.Time {
	for _, v := range slices.Backward(t.Versions) {
		if v.Undone == nil {
			return v.At
		}
	}
	return t.Versions[0].At
}

// compare finds the version that the content holds.
func (t *Taught) compare(answers []clinic.Answer) {
	standing := t.Standing()
	if a, ok := clinic.AnswerOf(answers, t.Slug); ok && standing != nil && a.Equal(standing.Answer) {
		t.Current = standing
	}
}

// Checked gives a draft's answer in the form in which it would be published, or [InvalidAnswer].
func (r *Register) checked(ctx context.Context, a clinic.Answer) (clinic.Answer, error) {
	a = a.Normal()
	content, _, err := r.Store.Taught(ctx)
	if err != nil {
		return a, err
	}
	known, err := r.knownFlaws(ctx, textsOf(a))
	if err != nil {
		return a, err
	}
	if flaws := append(r.flaws(a, content), known...); len(flaws) > 0 {
		return a, InvalidAnswer(flaws)
	}
	return a, nil
}

// IsInvalid gives the flaws of an answer that was refused.
func IsInvalid(err error) (flaws []clinic.Flaw, ok bool) {
	var invalid InvalidAnswer
	ok = errors.As(err, &invalid)
	return invalid, ok
}

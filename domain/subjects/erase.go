package subjects

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// Window is how long after an erasure a copy of the destroyed key may still be opened: until the
// epoch key that wrapped it is destroyed as well, at night.
const Window = 24 * time.Hour

// Patience bounds how long whoever erases or restricts waits for the tables and the letters before
// [Register.Finish] goes on with them.
const Patience = 3 * time.Second

// Erasure is whose data are erased.
type Erasure struct {
	// By is an account, [event.ByOperator] or [event.ByVisitor].
	By string
	// Reason is one of [event.SubjectReasons].
	Reason string
	// Subjects are streams.
	Subjects []string
	// Mentions are texts of the staff that are erased with them.
	Mentions []Mention
	// CancelBookings cancels appointments to come, and gives their chairs back.
	CancelBookings bool
}

// Report is what an erasure did, and where.
type Report struct {
	// Subjects are the ids of those that are erased now, also by an earlier call.
	Subjects []string `json:"subjects"`
	// Cancelled is how many appointments to come were cancelled.
	Cancelled int `json:"cancelled"`
	// Withdrawn are the answers that the clinic does not give any more, since their texts told of the
	// person.
	Withdrawn []string `json:"withdrawn,omitempty"`
	// OutOfReach are the positions of older events that keep a text of the staff in the clear.
	OutOfReach []int64 `json:"outOfReach,omitempty"`
	// Letters is how many letters to the staff were removed.
	Letters int `json:"letters"`
	// Tables are the builds that hold no text of the person any more; Waiting those that lose it
	// as soon as they are kept up with the log again, without anybody's doing.
	Tables  []string `json:"tables"`
	Waiting []string `json:"waiting"`
	// Pending says that tables or letters are left, which could not be reached or which Waiting names.
	// They lose the texts without anybody's doing.
	Pending bool `json:"pending"`
	// ErasedAt is when the keys were destroyed: since then nobody reads the data in this program.
	ErasedAt time.Time `json:"erasedAt"`
	// ProvableBy is from when on nobody can, whatever copies of the log or of its database exist.
	ProvableBy time.Time `json:"provableBy"`
}

// Erase erases subjects for good. What was begun is finished by any process, whenever this one
// ends: first it is noted what is to be done, then the keys are destroyed, then every place loses
// what it has. Once the keys are destroyed and the log says so, that is a success, and the report
// says what is pending; repeating it is a success, too. An error means that it was not begun, or
// that the log does not say so yet.
// Answers are withdrawn before it is begun: only as long as the keys are there can they be compared.
func (r *Register) Erase(ctx context.Context, e Erasure) (Report, error) {
	if len(e.Subjects)+len(e.Mentions) == 0 {
		return Report{}, ErrNobody
	}
	if e.By == "" || !slices.Contains(event.SubjectReasons, e.Reason) {
		return Report{}, chat.Invalid("Falta por qué se borran los datos, o quién lo hace.")
	}
	at := r.now()
	var report Report
	if err := r.withdrawAnswers(ctx, &e, &report); err != nil {
		return Report{}, err
	}
	events, err := r.Log.ReadStreams(ctx, e.Subjects, "SubjectErased")
	if err != nil {
		return Report{}, fmt.Errorf("read subjects: %w", err)
	}
	streams := byStream(events)
	var tasks []Task
	for _, subject := range e.Subjects {
		_, id, ok := Named(subject)
		if !ok {
			return Report{}, fmt.Errorf("erase %s: %w", subject, ErrNobody)
		}
		report.Subjects = append(report.Subjects, id)
		if before := streams[subject]; len(before) > 0 {
			report.erased(before[0].OccurredAt)
			continue
		}
		report.erased(at)
		tasks = append(tasks, Task{Subject: subject, Action: Erasing, By: e.By, Reason: e.Reason, CancelBookings: e.CancelBookings, BegunAt: at})
	}
	if len(e.Subjects) == 0 {
		report.erased(at)
	}
	err = r.carryOut(ctx, e.Subjects, tasks, &report)
	return report, err
}

// erased takes in when a subject was erased; the latest one counts.
func (r *Report) erased(at time.Time) {
	if at.After(r.ErasedAt) {
		r.ErasedAt, r.ProvableBy = at, at.Add(Window)
	}
}

// withdrawAnswers takes the answers out of the content whose texts are erased, while these can be
// compared, and adds the mentions that have a key to the subjects.
func (r *Register) withdrawAnswers(ctx context.Context, e *Erasure, report *Report) error {
	e.Subjects = slices.Clone(e.Subjects)
	for _, m := range e.Mentions {
		if m.Slug != "" {
			withdrawn, err := r.Answers.WithdrawAnswer(ctx, e.By, m.Slug, m.Version)
			if err != nil {
				return fmt.Errorf("withdraw answer %s: %w", m.Slug, err)
			}
			if withdrawn {
				report.Withdrawn = append(report.Withdrawn, m.Slug)
			}
		}
		if m.Sealed {
			e.Subjects = append(e.Subjects, m.Stream)
		} else {
			report.OutOfReach = append(report.OutOfReach, m.Position)
		}
	}
	return nil
}

// erase destroys the key of a task's subject and says so in the log, as often as it is asked to.
func (r *Register) erase(ctx context.Context, t *Task, report *Report) error {
	kind, id, _ := Named(t.Subject)
	if t.CancelBookings && (kind == Conversation || kind == Message) {
		cancelled, err := r.cancel(ctx, *t, id)
		if err != nil {
			return err
		}
		report.Cancelled += cancelled
	}
	if err := r.Log.DestroyKey(ctx, t.Subject); err != nil {
		return fmt.Errorf("erase %s: %w", t.Subject, err)
	}
	position, err := r.record(ctx, *t, &event.SubjectErased{By: t.By, Reason: t.Reason, ProvableBy: t.BegunAt.Add(Window)})
	if t.Position = position; err != nil {
		return err
	}
	return r.finishRequests(ctx, *t)
}

// finishRequests says of what the person asked for that it is done with the erasure.
func (r *Register) finishRequests(ctx context.Context, t Task) error {
	events, err := r.Log.ReadStreams(ctx, []string{t.Subject}, "PrivacyRequestReceived", "PrivacyRequestDone")
	if err != nil {
		return fmt.Errorf("read requests of %s: %w", t.Subject, err)
	}
	open := map[string]event.PrivacyRequestDone{}
	for _, e := range events {
		switch p := e.Payload.(type) {
		case *event.PrivacyRequestReceived:
			outcome := event.RequestGranted
			if p.Request == string(privacy.Copy) {
				outcome = event.RequestEmpty
			}
			open[p.RequestID] = event.PrivacyRequestDone{Contact: p.Contact, RequestID: p.RequestID, Outcome: outcome, By: t.By}
		case *event.PrivacyRequestDone:
			delete(open, p.RequestID)
		}
	}
	var drafts []event.Draft
	for _, id := range slices.Sorted(maps.Keys(open)) {
		done := open[id]
		drafts = append(drafts, event.Draft{ID: event.DerivedID("erased", id), OccurredAt: t.BegunAt, Payload: &done})
	}
	if len(drafts) == 0 {
		return nil
	}
	if _, err := r.Log.Append(ctx, event.Append{Stream: t.Subject, ExpectedVersion: event.AnyVersion, Drafts: drafts}); err != nil {
		return fmt.Errorf("note that requests of %s are done: %w", t.Subject, err)
	}
	return nil
}

// cancel takes back the appointment to come of a conversation, or of a message.
func (r *Register) cancel(ctx context.Context, t Task, id string) (cancelled int, err error) {
	events, err := r.Log.ReadStreams(ctx, []string{t.Subject}, "AppointmentBooked", "AppointmentCancelled")
	if err != nil {
		return 0, fmt.Errorf("read bookings of %s: %w", t.Subject, err)
	}
	booking := Fold(t.Subject, events).Appointment(t.BegunAt)
	if booking == nil {
		return 0, nil
	}
	source, staff := "staff", t.By
	switch t.By {
	case event.ByVisitor:
		source, staff = "chat", ""
	case event.ByOperator:
		staff = ""
	}
	err = r.Bookings.CancelBooking(ctx, id, booking.ID, source, staff)
	if errors.Is(err, chat.ErrNoBooking) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("cancel booking of %s: %w", t.Subject, err)
	}
	return 1, nil
}

// record appends what a task did to its subject, once, and gives its position.
func (r *Register) record(ctx context.Context, t Task, p event.Payload) (position int64, err error) {
	draft := event.Draft{ID: event.DerivedID("subject", t.Subject, string(t.Action), t.BegunAt.UTC().Format(time.RFC3339Nano)), OccurredAt: t.BegunAt, Payload: p}
	added, err := r.Log.Append(ctx, event.Append{Stream: t.Subject, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft}})
	if err != nil {
		return 0, fmt.Errorf("record %s of %s: %w", p.EventType(), t.Subject, err)
	}
	return added[0].Position, nil
}

package subjects

import (
	"context"
	"fmt"
	"slices"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// Restriction is whose data are kept from now on and not used, or used again.
type Restriction struct {
	// By is an account or [event.ByOperator].
	By string
	// On restricts; false ends that.
	On bool
	// Reason is one of [event.SubjectReasons].
	Reason string
	// Subjects are streams.
	Subjects []string
}

// Restrict restricts the use of subjects, or ends that: as long as it lasts the staff sees no text
// and no contact of them, no export and no letter has any, and the chat goes no further with them.
// The numbers count them. It is finished by any process, as [Register.Erase]; pending says that
// tables or letters are left, which follow without anybody's doing.
func (r *Register) Restrict(ctx context.Context, q Restriction) (pending bool, err error) {
	if len(q.Subjects) == 0 {
		return false, ErrNobody
	}
	if q.By == "" || !slices.Contains(event.SubjectReasons, q.Reason) {
		return false, chat.Invalid("Falta por qué se restringen los datos, o quién lo hace.")
	}
	events, err := r.Log.ReadStreams(ctx, q.Subjects, event.SubjectChanges...)
	if err != nil {
		return false, fmt.Errorf("read subjects: %w", err)
	}
	streams, at := byStream(events), r.now()
	action := Releasing
	if q.On {
		action = Restricting
	}
	var tasks []Task
	for _, subject := range q.Subjects {
		if is := Fold(subject, streams[subject]); !is.Erased && is.Restricted != q.On {
			tasks = append(tasks, Task{Subject: subject, Action: action, By: q.By, Reason: q.Reason, BegunAt: at})
		}
	}
	var report Report
	err = r.carryOut(ctx, q.Subjects, tasks, &report)
	return report.Pending, err
}

// restrict says in the log what becomes of a task's subject.
func (r *Register) restrict(ctx context.Context, t *Task) (err error) {
	t.Position, err = r.record(ctx, *t, &event.SubjectRestricted{By: t.By, On: t.Action == Restricting, Reason: t.Reason})
	return err
}

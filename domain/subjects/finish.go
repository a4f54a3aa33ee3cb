package subjects

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/domain/fault"
)

const (
	// look is how soon tables are asked again whether they know what the log tells.
	look = 50 * time.Millisecond
	// round is how often it is looked for what others left.
	round = time.Second
	// left is how old a task is that whoever began it has left.
	left = 2 * Patience
)

// Finish goes on with what others began and left, until ctx ends. The report of what it could not
// do yet is given to failed; it is tried again.
func (r *Register) Finish(ctx context.Context, failed func(error)) {
	for {
		if err := r.FinishOnce(ctx, r.now().Add(-left)); err != nil && ctx.Err() == nil {
			failed(err)
		}
		if !r.Sleep(ctx, round) {
			return
		}
	}
}

// FinishOnce goes on with what was begun before an instant.
func (r *Register) FinishOnce(ctx context.Context, before time.Time) error {
	tasks, err := r.Tasks.PendingTasks(ctx, before)
	if err != nil {
		return fmt.Errorf("list unfinished tasks: %w", err)
	}
	if len(tasks) == 0 {
		return nil
	}
	begun, untold, left := r.begin(ctx, tasks, &Report{})
	return errors.Join(untold, left, r.spread(ctx, begun, 0, &Report{}))
}

// carryOut begins tasks and does what of them happens in the log; and again what an earlier call
// began with any of the subjects and did not end. The tables get as long as [Patience] lasts:
// what they need longer for, or fail to do, is pending, and [Register.Finish] goes on with it.
func (r *Register) carryOut(ctx context.Context, subjects []string, tasks []Task, report *Report) (err error) {
	// Whoever leaves now does not keep it from happening.
	ctx = context.WithoutCancel(ctx)
	if len(tasks) > 0 {
		if err := r.Tasks.BeginTasks(ctx, tasks); err != nil {
			return fmt.Errorf("begin to %s: %w", tasks[0].Action, err)
		}
	}
	if tasks, err = r.Tasks.TasksOf(ctx, subjects); err != nil {
		return fmt.Errorf("read tasks: %w", err)
	}
	begun, untold, left := r.begin(ctx, tasks, report)
	if untold != nil {
		return untold
	}
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	left = errors.Join(left, r.spread(ctx, begun, Patience, report))
	report.Pending = left != nil || len(report.Waiting) > 0
	return nil
}

// begin does what of tasks happens in the log, and gives those of which it is done. Untold are the
// errors because of which the log does not say what was done, left those that came after.
func (r *Register) begin(ctx context.Context, tasks []Task, report *Report) (begun map[Action][]Task, untold, left error) {
	begun = map[Action][]Task{}
	for _, t := range tasks {
		switch err := r.beginOne(ctx, &t, report); {
		case err == nil:
			begun[t.Action] = append(begun[t.Action], t)
		case t.Position == 0:
			untold = errors.Join(untold, err)
		default:
			left = errors.Join(left, err)
		}
	}
	return begun, untold, left
}

// spread takes what the log says to letters and tables, and waits for tables that lag as long as
// patience lasts.
func (r *Register) spread(ctx context.Context, begun map[Action][]Task, patience time.Duration, report *Report) error {
	return errors.Join(
		r.withdraw(ctx, begun[Erasing], true, patience, report),
		r.withdraw(ctx, begun[Restricting], false, patience, report),
		r.giveBack(ctx, begun[Releasing]))
}

// beginOne does what of a task happens in the log, unless that is done.
func (r *Register) beginOne(ctx context.Context, t *Task, report *Report) (err error) {
	if t.Position > 0 {
		return nil
	}
	if t.Action == Erasing {
		err = r.erase(ctx, t, report)
	} else {
		err = r.restrict(ctx, t)
	}
	if err != nil {
		return err
	}
	err = r.Tasks.MarkTask(ctx, *t)
	return fault.Wrap(err, "note progress of "+t.Subject)
}

// withdraw takes the texts of subjects out of tables and letters, until none can come back.
func (r *Register) withdraw(ctx context.Context, tasks []Task, gone bool, patience time.Duration, report *Report) error {
	if len(tasks) == 0 {
		return nil
	}
	var subjects []string
	position := int64(0)
	for _, t := range tasks {
		if ofPerson(t.Subject) {
			subjects, position = append(subjects, t.Subject), max(position, t.Position)
		}
	}
	if len(subjects) == 0 {
		return r.end(ctx, tasks) // no table and no letter holds a text of the staff
	}
	for until := r.Now().Add(patience); ; {
		if gone {
			if err := r.forgetLetters(ctx, subjects, report); err != nil {
				return err
			}
		}
		done, waiting, err := r.Tables.Withdraw(ctx, subjects, position, gone)
		report.Tables, report.Waiting = done, waiting
		if err != nil {
			return fmt.Errorf("take texts out of the tables: %w", err)
		}
		if len(waiting) == 0 {
			return r.end(ctx, tasks)
		}
		if !r.Now().Before(until) || !r.Sleep(ctx, look) {
			return nil
		}
	}
}

func (r *Register) forgetLetters(ctx context.Context, subjects []string, report *Report) error {
	removed, err := r.Letters.Forget(ctx, IDs(subjects))
	if err != nil {
		return fmt.Errorf("remove letters about %s: %w", strings.Join(subjects, ", "), err)
	}
	report.Letters += removed
	return nil
}

// giveBack puts the texts of subjects back into the tables.
func (r *Register) giveBack(ctx context.Context, tasks []Task) error {
	if len(tasks) == 0 {
		return nil
	}
	var subjects []string
	for _, t := range tasks {
		subjects = append(subjects, t.Subject)
	}
	if err := r.Tables.Return(ctx, slices.Compact(subjects)); err != nil {
		return fmt.Errorf("put texts back into the tables: %w", err)
	}
	return r.end(ctx, tasks)
}

func (r *Register) end(ctx context.Context, tasks []Task) error {
	for _, t := range tasks {
		if err := r.Tasks.EndTask(ctx, t); err != nil {
			return fmt.Errorf("end task of %s: %w", t.Subject, err)
		}
	}
	return nil
}

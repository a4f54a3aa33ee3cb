package subjects

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
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
	return r.do(ctx, tasks, 0, &Report{})
}

// do does tasks, waits for the tables as long as patience lasts, and leaves the rest to
// [Register.Finish].
func (r *Register) do(ctx context.Context, tasks []Task, patience time.Duration, report *Report) error {
	var failures []error
	begun := map[Action][]Task{}
	for _, t := range tasks {
		if err := r.begin(ctx, &t, report); err != nil {
			failures = append(failures, err)
			continue
		}
		begun[t.Action] = append(begun[t.Action], t)
	}
	failures = append(failures,
		r.withdraw(ctx, begun[Erasing], true, patience, report),
		r.withdraw(ctx, begun[Restricting], false, patience, &Report{}),
		r.giveBack(ctx, begun[Releasing]))
	return errors.Join(failures...)
}

// begin does what of a task happens in the log, unless that is done.
func (r *Register) begin(ctx context.Context, t *Task, report *Report) (err error) {
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
	if err := r.Tasks.MarkTask(ctx, *t); err != nil {
		return fmt.Errorf("note progress of %s: %w", t.Subject, err)
	}
	return nil
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
		var err error
		if report.Tables, report.Waiting, err = r.Tables.Withdraw(ctx, subjects, position, gone); err != nil {
			return fmt.Errorf("take texts out of the tables: %w", err)
		}
		if len(report.Waiting) == 0 {
			return r.end(ctx, tasks)
		}
		if !r.Now().Before(until) || !r.Sleep(ctx, look) {
			return nil
		}
	}
}

func (r *Register) forgetLetters(ctx context.Context, subjects []string, report *Report) error {
	for _, subject := range subjects {
		_, id, _ := Named(subject)
		removed, err := r.Letters.Forget(ctx, id)
		if err != nil {
			return fmt.Errorf("remove letters about %s: %w", subject, err)
		}
		report.Letters += removed
	}
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

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/subjects"
)

// BeginTasks implements [subjects.Tasks].
func (l *Log) BeginTasks(ctx context.Context, tasks []subjects.Task) error {
	var names, actions, by, reasons []string
	var cancel []bool
	var at []time.Time
	for _, t := range tasks {
		names, actions, by = append(names, t.Subject), append(actions, string(t.Action)), append(by, t.By)
		reasons, cancel, at = append(reasons, t.Reason), append(cancel, t.CancelBookings), append(at, t.BegunAt)
	}
	_, err := l.pool.Exec(ctx, query("subject_tasks_begin"), names, actions, by, reasons, cancel, at)
	return fault.Wrap(err, "begin tasks")
}

// TasksOf implements [subjects.Tasks].
func (l *Log) TasksOf(ctx context.Context, of []string) ([]subjects.Task, error) {
	tasks, err := collect(ctx, l.pool, query("subject_tasks_of"), scanTask, of)
	return tasks, fault.Wrap(err, "list tasks of subjects")
}

// PendingTasks implements [subjects.Tasks].
func (l *Log) PendingTasks(ctx context.Context, before time.Time) ([]subjects.Task, error) {
	tasks, err := collect(ctx, l.pool, query("subject_tasks_pending"), scanTask, before)
	return tasks, fault.Wrap(err, "list tasks")
}

func scanTask(r pgx.CollectableRow) (t subjects.Task, err error) {
	err = r.Scan(&t.Subject, &t.Action, &t.By, &t.Reason, &t.CancelBookings, &t.BegunAt, &t.Position)
	t.BegunAt = t.BegunAt.UTC()
	return t, err
}

// MarkTask implements [subjects.Tasks].
func (l *Log) MarkTask(ctx context.Context, t subjects.Task) error {
	_, err := l.pool.Exec(ctx, query("subject_task_mark"), t.Subject, t.Action, t.BegunAt, t.Position)
	return fault.Wrap(err, "mark task")
}

// EndTask implements [subjects.Tasks].
func (l *Log) EndTask(ctx context.Context, t subjects.Task) error {
	_, err := l.pool.Exec(ctx, query("subject_task_end"), t.Subject, t.Action, t.BegunAt)
	return fault.Wrap(err, "end task")
}

// Restricted lists the streams whose use is restricted.
func (l *Log) Restricted(ctx context.Context) ([]string, error) {
	streams, err := collect(ctx, l.pool, query("restricted"), pgx.RowTo[string])
	return streams, fault.Wrap(err, "list restricted streams")
}

// ReadingsOf implements [subjects.Log].
func (l *Log) ReadingsOf(ctx context.Context, ids []string) ([]event.Recorded, error) {
	rows, keys, err := l.fetch(ctx, 0, query("readings_of"), ids)
	return readAll(rows, keys), fault.Wrap(err, "read who read")
}

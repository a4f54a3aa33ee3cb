package postgres

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// ErrReadOnly: the database answers questions and stores nothing.
var ErrReadOnly = errors.New("PostgreSQL stores nothing")

// refusals are the states by which Postgres says that it can store nothing at the moment, whatever
// it is.
var refusals = map[string]bool{
	"25006":  true, // read_only_sql_transaction: a standby, or told so by an administrator
	diskFull: true,
	ioError:  true,
}

const diskFull, ioError = "53100", "58030"

// noteStored takes down whether the database stores what it is given. Errors that say nothing about
// that are passed over.
func (b *breaker) noteStored(err error, logger *slog.Logger) {
	if err != nil && !refusals[sqlState(err)] && !errors.Is(err, ErrReadOnly) {
		return
	}
	switch was := b.readOnly.Swap(err != nil); {
	case err != nil && !was:
		logger.Error("PostgreSQL answers and stores nothing: nobody can write to the clinic until it does", "error", err)
	case err == nil && was:
		logger.Info("PostgreSQL stores again")
	}
}

// ask says whether the database answers over a connection, and notes whether it stores. Nothing is
// tried to be stored while it is not known to refuse.
func ask(ctx context.Context, db *DB, conn *pgx.Conn) error {
	var readOnly bool
	if err := conn.QueryRow(ctx, "SELECT current_setting('transaction_read_only')::boolean").Scan(&readOnly); err != nil {
		return err
	}
	switch {
	case readOnly:
		db.breaker.noteStored(ErrReadOnly, db.logger)
	case db.breaker.readOnly.Load():
		db.breaker.noteStored(rehearse(ctx, conn), db.logger)
	}
	return nil
}

// rehearsalWait is how long a rehearsal waits for the append lock.
const rehearsalWait = time.Second

// rehearse appends an event and takes it back.
func rehearse(ctx context.Context, conn *pgx.Conn) error {
	r, err := encode(event.Append{Stream: event.OperatorStream, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{
		ID: uuid.NewString(), OccurredAt: time.Now(), Payload: &event.NoticeSent{Notice: "rehearsal"},
	}}}, nil, nil)
	if err != nil {
		return err
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err = tx.Exec(ctx, "SET LOCAL lock_timeout = "+milliseconds(rehearsalWait)); err != nil {
		return err
	}
	_, err = collect(ctx, tx, query("append"), scanResult, arguments([]*pending{{request: r}})...)
	return fault.Wrap(err, "rehearse an append")
}

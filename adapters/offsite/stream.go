package offsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Slot is the name under which Postgres keeps the write-ahead log for the copy.
const Slot = "bitacora_offsite"

// connect opens a connection that can ask for the write-ahead log beside asking in SQL.
func connect(ctx context.Context, address string) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("read the address of PostgreSQL: %w", err)
	}
	config.RuntimeParams["replication"] = "database"
	return pgconn.ConnectConfig(ctx, config)
}

// ask gives the one row of a question, or nil for none; an absent value is empty.
func ask(ctx context.Context, conn *pgconn.PgConn, question string) (row []string, err error) {
	results, err := conn.Exec(ctx, question).ReadAll()
	if err != nil || len(results) == 0 || len(results[0].Rows) == 0 {
		return nil, err
	}
	for _, value := range results[0].Rows[0] {
		row = append(row, string(value))
	}
	return row, nil
}

// slotStart is where the file begins that the slot begins in: without the head of a file, PostgreSQL reads nothing of it. One that is missing, or that Postgres gave up because the target was away for
// too long, is made anew: made says so.
func slotStart(ctx context.Context, conn *pgconn.PgConn) (start pglogrepl.LSN, made bool, err error) {
	const question = "SELECT restart_lsn, wal_status FROM pg_replication_slots WHERE slot_name = '" + Slot + "'"
	row, err := ask(ctx, conn, question)
	if err != nil {
		return 0, false, err
	}
	if row != nil && row[1] == "lost" {
		if err := pglogrepl.DropReplicationSlot(ctx, conn, Slot, pglogrepl.DropReplicationSlotOptions{Wait: true}); err != nil {
			return 0, false, fmt.Errorf("remove the slot that was given up: %w", err)
		}
		row = nil
	}
	if row == nil {
		made = true
		if _, err := conn.Exec(ctx, "CREATE_REPLICATION_SLOT "+Slot+" PHYSICAL RESERVE_WAL").ReadAll(); err != nil {
			return 0, made, fmt.Errorf("make the slot: %w", err)
		}
		if row, err = ask(ctx, conn, question); err != nil {
			return 0, made, err
		}
	}
	start, err = pglogrepl.ParseLSN(row[0])
	return start - start%segmentBytes, made, err
}

// DropSlot lets Postgres no longer keep the write-ahead log for a copy.
func DropSlot(ctx context.Context, address string) error {
	conn, err := pgconn.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connect to remove the slot: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err = conn.Exec(ctx, "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '"+Slot+"' AND NOT active").ReadAll(); err != nil {
		return fmt.Errorf("remove the slot: %w", err)
	}
	return nil
}

// receive hands the write-ahead log, from a place on, to a handler. It ends with ctx or an error.
func receive(ctx context.Context, conn *pgconn.PgConn, from pglogrepl.LSN, timeline int32, h handler) error {
	err := pglogrepl.StartReplication(ctx, conn, Slot, from, pglogrepl.StartReplicationOptions{Timeline: timeline, Mode: pglogrepl.PhysicalReplication})
	if err != nil {
		return fmt.Errorf("begin to follow PostgreSQL: %w", err)
	}
	const pulse = time.Second
	for due := time.Now(); ; {
		if now := time.Now(); !now.Before(due) {
			due = now.Add(pulse)
			at := h.confirmed()
			if err := pglogrepl.SendStandbyStatusUpdate(ctx, conn, pglogrepl.StandbyStatusUpdate{WALWritePosition: at, ReplyRequested: true}); err != nil {
				return fmt.Errorf("report to PostgreSQL: %w", err)
			}
		}
		if err := h.await(ctx, due); err != nil {
			return err
		}
		until, cancel := context.WithDeadline(ctx, due)
		message, err := conn.ReceiveMessage(until)
		cancel()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case pgconn.Timeout(err):
			continue
		case err != nil:
			return fmt.Errorf("follow PostgreSQL: %w", err)
		}
		if err := take(message, h); err != nil {
			return err
		}
	}
}

// handler takes what comes of the write-ahead log.
type handler interface {
	got(start pglogrepl.LSN, piece []byte)
	// ended is how far the server's log went when it was asked.
	ended(at pglogrepl.LSN)
	// confirmed is up to where the server may forget.
	confirmed() pglogrepl.LSN
	// await returns when there is room for more, or at a time.
	await(ctx context.Context, until time.Time) error
}

func take(message pgproto3.BackendMessage, h handler) error {
	switch m := message.(type) {
	case *pgproto3.ErrorResponse:
		return pgconn.ErrorResponseToPgError(m)
	case *pgproto3.CopyDone:
		return errors.New("PostgreSQL ended the timeline")
	case *pgproto3.CopyData:
		switch m.Data[0] {
		case pglogrepl.XLogDataByteID:
			data, err := pglogrepl.ParseXLogData(m.Data[1:])
			if err != nil {
				return fmt.Errorf("read the write-ahead log: %w", err)
			}
			h.got(data.WALStart, data.WALData)
		case pglogrepl.PrimaryKeepaliveMessageByteID:
			alive, err := pglogrepl.ParsePrimaryKeepaliveMessage(m.Data[1:])
			if err != nil {
				return fmt.Errorf("read a sign of life: %w", err)
			}
			h.ended(alive.ServerWALEnd)
		}
	}
	return nil
}

// copied is where a base backup begins and ends.
type copied struct {
	start, end pglogrepl.LSN
	timeline   int32
}

// copyBase writes the files of the whole cluster as a tar archive.
func copyBase(ctx context.Context, address string, to io.Writer) (c copied, err error) {
	conn, err := connect(ctx, address)
	if err != nil {
		return c, fmt.Errorf("connect for a base backup: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	began, err := pglogrepl.StartBaseBackup(ctx, conn, pglogrepl.BaseBackupOptions{Label: Slot, Fast: true})
	if err != nil {
		return c, fmt.Errorf("begin a base backup: %w", err)
	}
	if len(began.Tablespaces) > 0 {
		return c, errors.New("begin a base backup: the server has tablespaces of its own")
	}
	if err := pglogrepl.NextTableSpace(ctx, conn); err != nil {
		return c, fmt.Errorf("begin a base backup: %w", err)
	}
	for done := false; !done; {
		message, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return c, fmt.Errorf("receive a base backup: %w", err)
		}
		switch m := message.(type) {
		case *pgproto3.CopyData:
			// https://www.postgresql.org/docs/18/protocol-replication.html: d has bytes of the archive, the others are about it.
			if m.Data[0] == 'd' {
				_, err = to.Write(m.Data[1:])
			}
		case *pgproto3.CopyDone:
			done = true
		case *pgproto3.ErrorResponse:
			err = pgconn.ErrorResponseToPgError(m)
		}
		if err != nil {
			return c, fmt.Errorf("receive a base backup: %w", err)
		}
	}
	ended, err := pglogrepl.FinishBaseBackup(ctx, conn)
	if err != nil {
		return c, fmt.Errorf("end a base backup: %w", err)
	}
	return copied{began.LSN, ended.LSN, began.TimelineID}, nil
}

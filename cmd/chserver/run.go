package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// insertHead is how much of a text is looked at to find where the data of an
// INSERT begins.
const insertHead = 1 << 20

// heads keeps the buffers in which texts are looked at.
var heads sync.Pool

// insertPiece is how much data of an INSERT is handed over at once.
const insertPiece = 256 << 10

// run runs the statement of a request and sends its result.
func (s *server) run(ctx context.Context, q *request, out *response) error {
	text, ok := heads.Get().(*bufio.Reader)
	if !ok {
		text = bufio.NewReaderSize(nil, insertHead)
	}
	text.Reset(q.text)
	defer heads.Put(text)
	head, err := text.Peek(insertHead)
	if err != nil && !errors.Is(err, io.EOF) {
		return bodyError(err)
	}
	if insert, ok := parseInsert(string(head)); ok {
		if q.user == userAnalyst {
			return exceptionf(codeReadonly, "%s: Cannot execute query in readonly mode", q.user)
		}
		if _, err := text.Discard(insert.data); err != nil {
			return bodyError(err)
		}
		return s.insert(ctx, q, insert, text, out)
	}
	sql, err := readStatement(text)
	if err != nil {
		return err
	}
	if q.driver && strings.TrimSpace(sql) == helloQuery {
		if _, err := out.Write(hello(s.engine.displayName, s.engine.version, s.engine.timezone)); err != nil {
			return err
		}
		return out.finish(stats{resultRows: 1}, 0)
	}
	return s.query(ctx, q, sql, out)
}

func readStatement(text io.Reader) (string, error) {
	sql, err := io.ReadAll(io.LimitReader(text, maxStatement+1))
	if err != nil {
		return "", bodyError(err)
	}
	if len(sql) > maxStatement {
		return "", exceptionf(codeQueryTooLarge, "The statement is longer than %d bytes", maxStatement)
	}
	if strings.TrimSpace(string(sql)) == "" {
		return "", exceptionf(codeSyntaxError, "Syntax error: Empty query")
	}
	return string(sql), nil
}

// query runs a statement that brings no data with it.
func (s *server) query(ctx context.Context, q *request, sql string, out *response) error {
	began := time.Now()
	shape := inspect(sql, s.engine.formats)
	if shape.touchesFiles {
		return exceptionf(codeAccessDenied, "INTO OUTFILE and FROM INFILE would touch files of the server")
	}
	if shape.readsInput {
		// The engine would read no data and report success.
		return exceptionf(codeNotImplemented, "INSERT ... SELECT FROM input() is not supported by the embedded engine")
	}
	format := first(shape.format, q.format)
	if shape.format == "" && !s.engine.formats[format] {
		return &exception{code: 73, text: "DB::Exception: Unknown format " + format + ". (UNKNOWN_FORMAT)"}
	}
	pieces := streamed[format] && !shape.wholeDocument && !q.whole && !q.asksWholeDocument()
	settings := q.settings
	if !pieces && shape.reads {
		settings = s.limits.capWhole(settings)
	}
	if q.user == userAnalyst && strings.EqualFold(q.database, "system") {
		return exceptionf(codeAccessDenied, "%s: Not enough privileges to use the database system", q.user)
	}
	c, err := s.engine.connect(q.tag, q.database, settings)
	if err != nil {
		return err
	}
	defer c.close()
	defer s.engine.killWhenDone(ctx, q.tag)()

	class, err := s.admit(c, q, sql)
	if err != nil {
		return err
	}
	out.writer.Header().Set("X-ClickHouse-Format", format)
	out.writer.Header().Set("Content-Type", contentType(format))
	if pieces && class == classReadOnly {
		sent, err := sendPieces(ctx, c, sql, format, q.parameters, out)
		if !isNotStreamable(err) {
			if err != nil {
				return err
			}
			return out.finish(sent, time.Since(began))
		}
	}
	result, err := c.query(sql, format, q.parameters)
	if err != nil {
		return err
	}
	defer result.destroy()
	if _, err := out.Write(result.bytes()); err != nil {
		return err
	}
	return out.finish(result.stats(), time.Since(began))
}

// admit refuses what the user may not run and says what the statement does.
func (s *server) admit(c *connection, q *request, sql string) (class uint32, err error) {
	if q.user == userAnalyst {
		return classReadOnly, s.reader.allow(c, sql, q.parameters)
	}
	a, err := c.classify(sql)
	if err != nil {
		return 0, err
	}
	return a.class, oneStatement(c, sql, a)
}

// sendPieces sends the blocks of a SELECT as the engine makes them.
func sendPieces(ctx context.Context, c *connection, sql, format string, parameters []parameter, out *response) (stats, error) {
	stream, err := c.stream(sql, format, parameters)
	if err != nil {
		return stats{}, err
	}
	defer stream.destroy()
	var sent stats
	for {
		piece, err := c.fetch(stream)
		if err != nil {
			return sent, err
		}
		sent = sent.plus(piece.stats())
		data := piece.bytes()
		if len(data) == 0 {
			piece.destroy()
			return sent, nil
		}
		_, err = out.Write(data)
		piece.destroy()
		if err == nil && ctx.Err() != nil {
			err = exceptionf(codeQueryCancelled, "Query was cancelled")
		}
		if err != nil {
			c.cancel(stream)
			return sent, err
		}
	}
}

// isNotStreamable recognises what the streaming call says of a statement that
// is not a SELECT.
func isNotStreamable(err error) bool {
	var e *exception
	return errors.As(err, &e) && e.code == codeBadArguments && strings.Contains(e.text, "Streaming query is not supported")
}

// insert stores the data of an INSERT if all of it arrives.
func (s *server) insert(ctx context.Context, q *request, statement insertStatement, data io.Reader, out *response) error {
	began := time.Now()
	c, err := s.engine.connect(q.tag, q.database, q.settings)
	if err != nil {
		return err
	}
	defer c.close()
	defer s.engine.killWhenDone(ctx, q.tag)()

	insertion, err := c.insert(statement.head, statement.format, q.parameters)
	if err != nil {
		return err
	}
	defer insertion.destroy()
	piece := make([]byte, insertPiece)
	for {
		n, readErr := data.Read(piece)
		if err := insertion.append(piece[:n]); err != nil {
			insertion.cancel()
			return err
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			insertion.cancel()
			return bodyError(readErr)
		}
	}
	written, err := insertion.done()
	if err != nil {
		return err
	}
	return out.finish(written, time.Since(began))
}

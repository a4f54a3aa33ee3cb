// Package archive takes conversations from elsewhere into the log. A file holds one JSON
// object a line; times are RFC 3339, unknown keys are ignored:
//
//	{"id": "…", "startedAt": "…",
//	 "messages": [{"role": "user" or "assistant", "text": "…", "at": "…", "intent": "optional"}],
//	 "lead": {"at": "…", "name": "…", "phone": "…", "email": "…", "consent": true},
//	 "appointment": {"at": "…", "slot": "…", "source": "chat", "form" or "staff", "cancelledAt": "optional"}}
//
// Lead and appointment are optional; outcomes are never inferred from texts.
package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"bitacora/adapters/phones"
	"bitacora/domain/chat"
)

// maxLine is the length in bytes from which on a line is not read but reported.
const maxLine = 16 << 20

// Line is one line of a file that is not blank.
type Line struct {
	// Number counts from 1.
	Number int
	// Past is the conversation, unless the line is bad.
	Past chat.Past
	// Bad is why the line is no conversation; it quotes nothing a person wrote.
	Bad error
	// bytes is its length in the file.
	bytes int64
}

// Read gives the lines of a file in order; their telephone numbers follow a plan. The error of the sequence is that of the
// reader, and ends it.
func Read(r io.Reader, plan phones.Plan) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		for number := 1; ; number++ {
			raw, tooLong, err := readLine(in)
			if number == 1 {
				raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(Line{Number: number}, fmt.Errorf("read line %d: %w", number, err))
				return
			}
			line := Line{Number: number, bytes: int64(len(raw))}
			switch raw = bytes.TrimSpace(raw); {
			case tooLong:
				line.Bad = fmt.Errorf("longer than %d bytes", maxLine)
			case len(raw) > 0:
				line.Past, line.Bad = parse(raw, plan)
			}
			if (line.Bad != nil || line.Past.Key != "") && !yield(line, nil) {
				return
			}
			if err != nil {
				return
			}
		}
	}
}

// readLine reads up to the end of a line. Of a line that is too long nothing is kept.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, tooLong = nil, true
		}
		if !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

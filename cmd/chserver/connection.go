package main

import (
	"runtime"
	"unsafe"
)

// connection is one connection to the engine. It runs one statement at a time
// and belongs to one request: sharing one between requests mixes up their
// parameters.
type connection struct {
	lib    *library
	handle *uintptr
}

// analysis is what the engine's parser says of a text: chdb_query_analysis_v1.
type analysis struct {
	size       uint32
	statements uint32
	_          uint32 // flags
	class      uint32
}

// The classes of a statement: what it does to state that outlives it.
const (
	classReadOnly = 0
	classUnknown  = 4
)

// parameter is a value for a {name:Type} placeholder, in the engine's escaped
// text form.
type parameter struct{ name, value string }

// result is a block of formatted output in the engine's memory.
type result struct {
	lib    *library
	handle uintptr
}

// stats count what a statement read and wrote.
type stats struct {
	readRows, readBytes       uint64
	writtenRows, writtenBytes uint64
	resultRows, resultBytes   uint64
}

func (s stats) plus(o stats) stats {
	return stats{
		readRows: s.readRows + o.readRows, readBytes: s.readBytes + o.readBytes,
		writtenRows: s.writtenRows + o.writtenRows, writtenBytes: s.writtenBytes + o.writtenBytes,
		resultRows: s.resultRows + o.resultRows, resultBytes: s.resultBytes + o.resultBytes,
	}
}

func (c *connection) close() { c.lib.close(c.handle) }

// query runs any statement and returns its whole output.
func (c *connection) query(sql, format string, parameters []parameter) (*result, error) {
	return c.run(c.lib.query, sql, format, parameters)
}

// stream starts a SELECT whose output is fetched block by block.
func (c *connection) stream(sql, format string, parameters []parameter) (*result, error) {
	return c.run(c.lib.stream, sql, format, parameters)
}

// fetch returns the next block of a stream, an empty one at its end.
func (c *connection) fetch(stream *result) (*result, error) {
	return newResult(c.lib, c.lib.fetch(*c.handle, stream.handle))
}

// cancel abandons a stream that has not reached its end.
func (c *connection) cancel(stream *result) { c.lib.cancelStream(*c.handle, stream.handle) }

// text runs a statement and returns its output as text.
func (c *connection) text(sql, format string) (string, error) {
	r, err := c.query(sql, format, nil)
	if err != nil {
		return "", err
	}
	defer r.destroy()
	return string(r.bytes()), nil
}

// classify says how many statements the text holds and what the strongest of
// them does, without running anything.
func (c *connection) classify(sql string) (analysis, error) {
	a := analysis{size: uint32(unsafe.Sizeof(analysis{}))}
	text, size := pointer(sql)
	if c.lib.classify(*c.handle, text, size, nil, 0, &a) != 0 {
		return a, exceptionf(codeLogicalError, "the statement could not be classified")
	}
	return a, nil
}

type runFunction = func(connection uintptr, sql *byte, sqlSize uintptr, format *byte, formatSize uintptr, names **byte, nameSizes *uintptr, values **byte, valueSizes *uintptr, count uintptr) uintptr

func (c *connection) run(function runFunction, sql, format string, parameters []parameter) (*result, error) {
	return newResult(c.lib, call(function, *c.handle, sql, format, parameters))
}

// call hands Go memory to the engine, which copies it before it returns.
func call(function runFunction, connection uintptr, sql, format string, parameters []parameter) uintptr {
	names, values := newTexts(len(parameters)), newTexts(len(parameters))
	for _, p := range parameters {
		names.add(p.name)
		values.add(p.value)
	}
	text, textSize := pointer(sql)
	formatText, formatSize := pointer(format)
	handle := function(connection, text, textSize, formatText, formatSize,
		names.first(), names.firstSize(), values.first(), values.firstSize(), uintptr(len(parameters)))
	runtime.KeepAlive(names)
	runtime.KeepAlive(values)
	return handle
}

// texts is an array of C strings with their sizes.
type texts struct {
	pointers []*byte
	sizes    []uintptr
}

func newTexts(n int) *texts {
	return &texts{pointers: make([]*byte, 0, n), sizes: make([]uintptr, 0, n)}
}

func (t *texts) add(s string) {
	text, size := pointer(s)
	t.pointers = append(t.pointers, text)
	t.sizes = append(t.sizes, size)
}

func (t *texts) first() **byte       { return unsafe.SliceData(t.pointers) }
func (t *texts) firstSize() *uintptr { return unsafe.SliceData(t.sizes) }

// pointer gives C a zero-terminated copy of s and its size without the zero.
func pointer(s string) (*byte, uintptr) {
	text := make([]byte, len(s)+1)
	copy(text, s)
	return &text[0], uintptr(len(s))
}

func newResult(lib *library, handle uintptr) (*result, error) {
	if handle == 0 {
		return nil, exceptionf(codeLogicalError, "the engine gave no result")
	}
	r := &result{lib: lib, handle: handle}
	if message := lib.resultError(handle); message != "" {
		r.destroy()
		return nil, parseException(message)
	}
	return r, nil
}

// bytes is the output itself, valid until destroy.
func (r *result) bytes() []byte {
	size := r.lib.resultLength(r.handle)
	if size == 0 {
		return nil
	}
	return unsafe.Slice(r.lib.resultBuffer(r.handle), size)
}

func (r *result) stats() stats {
	return stats{
		readRows:     r.lib.resultStorageRows(r.handle),
		readBytes:    r.lib.resultStorageBytes(r.handle),
		writtenRows:  r.lib.resultRowsWritten(r.handle),
		writtenBytes: r.lib.resultBytesWritten(r.handle),
		resultRows:   r.lib.resultRowsRead(r.handle),
		resultBytes:  r.lib.resultBytesRead(r.handle),
	}
}

func (r *result) destroy() { r.lib.destroyResult(r.handle) }

// insertion is an INSERT that receives its data piece by piece. Nothing is
// stored unless done returns without an error.
type insertion struct {
	lib    *library
	handle uintptr
}

// insert starts an INSERT; sql ends before its FORMAT clause.
func (c *connection) insert(sql, format string, parameters []parameter) (*insertion, error) {
	i := &insertion{lib: c.lib, handle: call(c.lib.insert, *c.handle, sql, format, parameters)}
	if i.handle == 0 {
		return nil, exceptionf(codeLogicalError, "the engine gave no insert stream")
	}
	if err := i.err(); err != nil {
		i.destroy()
		return nil, err
	}
	return i, nil
}

// append adds data, which may be cut anywhere.
func (i *insertion) append(data []byte) error {
	if len(data) == 0 || i.lib.appendInsert(i.handle, &data[0], uintptr(len(data))) == 0 {
		return nil
	}
	if err := i.err(); err != nil {
		return err
	}
	return exceptionf(codeLogicalError, "the engine refused the data of an insert")
}

// done stores what was appended.
func (i *insertion) done() (stats, error) {
	r, err := newResult(i.lib, i.lib.doneInsert(i.handle))
	if err != nil {
		return stats{}, err
	}
	defer r.destroy()
	return r.stats(), nil
}

func (i *insertion) cancel()  { i.lib.cancelInsert(i.handle) }
func (i *insertion) destroy() { i.lib.destroyInsert(i.handle) }

func (i *insertion) err() error {
	if message := i.lib.insertError(i.handle); message != "" {
		return parseException(message)
	}
	return nil
}

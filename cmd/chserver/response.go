package main

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/ClickHouse/ch-go/compress"
	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// heldBack is how much of a result is kept until something is sent, so that an
// error that comes soon is still an ordinary error response.
const heldBack = 1 << 20

// response sends the result of one statement: its bytes go through the
// client's compressions, at first into memory, and from heldBack on to the
// client.
type response struct {
	writer http.ResponseWriter
	link   *link
	tag    string // marks an exception among data that was sent already

	held   *bytes.Buffer // what was written so far, nil once streaming
	pipe   io.Writer     // outermost compression over the client, once streaming
	close  []io.Closer
	frames *frameWriter // ClickHouse's own compression, if it is part of the pipe
	framed string       // method of ClickHouse's own frames, or empty
	packed string       // content encoding, or empty
}

func newResponse(w http.ResponseWriter, l *link, q *request) *response {
	r := &response{
		writer: w,
		link:   l,
		tag:    rand.Text()[:16],
		held:   &bytes.Buffer{},
		packed: q.packing,
	}
	if q.framed {
		r.framed = "LZ4"
		for _, s := range q.settings {
			if s.name == "network_compression_method" {
				r.framed = s.value
			}
		}
	}
	w.Header().Set("X-ClickHouse-Exception-Tag", r.tag)
	return r
}

// Write takes result bytes.
func (r *response) Write(data []byte) (int, error) {
	if r.held != nil {
		if r.held.Len()+len(data) <= heldBack {
			return r.held.Write(data)
		}
		if err := r.startStreaming(); err != nil {
			return 0, err
		}
	}
	if _, err := r.pipe.Write(data); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (r *response) startStreaming() error {
	if err := r.build(&client{r}); err != nil {
		return err
	}
	r.writer.WriteHeader(http.StatusOK)
	held := r.held.Bytes()
	r.held = nil
	_, err := r.pipe.Write(held)
	return err
}

// build stacks the client's compressions on w.
func (r *response) build(w io.Writer) error {
	var packer io.WriteCloser
	var err error
	switch r.packed {
	case "gzip":
		packer, err = gzip.NewWriterLevel(w, gzip.BestSpeed)
	case "deflate":
		packer, err = zlib.NewWriterLevel(w, zlib.BestSpeed)
	case "br":
		packer = brotli.NewWriterLevel(w, brotli.BestSpeed)
	case "zstd":
		packer, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	}
	if err != nil {
		return fmt.Errorf("compress: %w", err)
	}
	if packer != nil {
		r.writer.Header().Set("Content-Encoding", r.packed)
		r.close = append(r.close, packer)
		w = packer
	}
	if r.framed != "" {
		r.frames = &frameWriter{out: w, frames: compress.NewWriter(0, frameMethod(r.framed))}
		w = r.frames
	}
	r.pipe = w
	return nil
}

// finish ends a result that came to its end.
func (r *response) finish(s stats, elapsed time.Duration) error {
	if r.held == nil {
		return r.end()
	}
	r.writer.Header().Set("X-ClickHouse-Summary", summary(s, elapsed))
	var packed bytes.Buffer
	if r.held.Len() > 0 {
		if err := r.build(&packed); err != nil {
			return err
		}
		if _, err := r.pipe.Write(r.held.Bytes()); err != nil {
			return err
		}
		for _, c := range r.close {
			if err := c.Close(); err != nil {
				return err
			}
		}
	}
	r.writer.Header().Set("Content-Length", strconv.Itoa(packed.Len()))
	r.writer.WriteHeader(http.StatusOK)
	_, err := (&client{r}).Write(packed.Bytes())
	return err
}

// fail ends a result that broke: with an error response if nothing was sent
// yet, otherwise with an exception behind the data, as the ClickHouse server
// writes it.
func (r *response) fail(e *exception) {
	if r.held != nil {
		writeException(r.writer, e)
		return
	}
	text := e.Error()
	if len(text) > 8<<10 {
		text = text[:8<<10]
	}
	if r.frames != nil {
		// clickhouse-go looks for the text in the frames as they come.
		r.frames.frames = compress.NewWriter(0, compress.None)
	}
	_, _ = fmt.Fprintf(r.pipe, "\r\n__exception__\r\n%s\r\n%s\n%d %s\r\n__exception__\r\n", r.tag, text, len(text)+1, r.tag)
	_ = r.end()
}

func (r *response) end() error {
	for _, c := range r.close {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return r.link.controller.Flush()
}

// client writes to the client and gives up when it takes nothing for too long.
type client struct{ *response }

func (c *client) Write(data []byte) (int, error) {
	written := 0
	for written < len(data) {
		c.link.beforeWrite()
		piece := data[written:min(len(data), written+heldBack)]
		n, err := c.writer.Write(piece)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// frameWriter writes ClickHouse's compressed frames.
type frameWriter struct {
	out    io.Writer
	frames *compress.Writer
}

func (f *frameWriter) Write(data []byte) (int, error) {
	written := 0
	for written < len(data) {
		piece := data[written:min(len(data), written+heldBack)]
		if err := f.frames.Compress(piece); err != nil {
			return written, fmt.Errorf("compress: %w", err)
		}
		if _, err := f.out.Write(f.frames.Data); err != nil {
			return written, err
		}
		written += len(piece)
	}
	return written, nil
}

func frameMethod(name string) compress.Method {
	switch name {
	case "ZSTD":
		return compress.ZSTD
	case "NONE":
		return compress.None
	}
	return compress.LZ4
}

// writeException sends an error response.
func writeException(w http.ResponseWriter, e *exception) {
	header := w.Header()
	header.Del("Content-Encoding")
	header.Set("Content-Type", "text/plain; charset=UTF-8")
	header.Set("X-ClickHouse-Exception-Code", strconv.Itoa(e.code))
	if e.code == codeRequiredPassword {
		header.Set("WWW-Authenticate", `Basic realm="ClickHouse server HTTP API"`)
	}
	w.WriteHeader(e.status())
	_, _ = io.WriteString(w, e.Error()+"\n")
}

// summary is the X-ClickHouse-Summary header; its numbers are strings.
func summary(s stats, elapsed time.Duration) string {
	text, err := json.Marshal(map[string]string{
		"read_rows": fmt.Sprint(s.readRows), "read_bytes": fmt.Sprint(s.readBytes),
		"written_rows": fmt.Sprint(s.writtenRows), "written_bytes": fmt.Sprint(s.writtenBytes),
		"result_rows": fmt.Sprint(s.resultRows), "result_bytes": fmt.Sprint(s.resultBytes),
		"total_rows_to_read": "0", "elapsed_ns": fmt.Sprint(elapsed.Nanoseconds()),
	})
	if err != nil {
		return "{}"
	}
	return string(text)
}

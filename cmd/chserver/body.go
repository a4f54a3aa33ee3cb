package main

import (
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"

	"github.com/ClickHouse/ch-go/compress"
	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// requestBody gives the bytes of a request as they were before compression.
// Its end is io.EOF only if the client sent all of it.
func requestBody(l *link, r *http.Request, framed bool) (io.Reader, error) {
	var body io.Reader = &patientReader{body: r.Body, link: l}
	var err error
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		body, err = gzip.NewReader(body)
	case "deflate":
		body, err = zlib.NewReader(body)
	case "zstd":
		body, err = zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	case "br":
		body = brotli.NewReader(body)
	default:
		return nil, exceptionf(codeNotImplemented, "Unknown compression method %q of the request body", encoding)
	}
	if err != nil {
		return nil, bodyError(err)
	}
	if framed {
		counted := &countingReader{source: body}
		body = &frameReader{source: counted, frames: compress.NewReader(counted)}
	}
	return body, nil
}

// patientReader reads a body for as long as something comes.
type patientReader struct {
	body io.Reader
	link *link
}

func (p *patientReader) Read(data []byte) (int, error) {
	p.link.beforeRead()
	n, err := p.body.Read(data)
	if errors.Is(err, io.EOF) {
		p.link.afterBody()
	}
	return n, err
}

type countingReader struct {
	source io.Reader
	count  int
}

func (c *countingReader) Read(data []byte) (int, error) {
	n, err := c.source.Read(data)
	c.count += n
	return n, err
}

// frameReader reads ClickHouse's compressed frames. The decoder reports io.EOF
// also in the middle of a frame, which would pass for a complete body.
type frameReader struct {
	source *countingReader
	frames *compress.Reader
}

func (f *frameReader) Read(data []byte) (int, error) {
	before := f.source.count
	n, err := f.frames.Read(data)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && f.source.count == before:
		return n, io.EOF
	case errors.Is(err, io.EOF):
		return n, io.ErrUnexpectedEOF
	}
	return n, err
}

// bodyError says why a request could not be read to its end.
func bodyError(err error) error {
	var known *exception
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return exceptionf(codeNetworkError, "The request ended before its end")
	}
	return exceptionf(codeIncorrectData, "Cannot read the request: %v", err)
}

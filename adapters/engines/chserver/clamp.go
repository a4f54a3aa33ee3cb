package chserver

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"bitacora/adapters/clickhouse/access"
)

// clamp brings the limits that a tool asks for within an analyst's own, where the engine would refuse the question.
// It allows nothing: the engine holds each of them to its bounds, whatever comes through here.
type clamp struct{ limits access.Limits }

// longestQuestion is what the engine parses of one, unless it is asked to take more.
const longestQuestion = 256 << 10

const settingValue = `(?:'(?:[^'\\]|\\.)*'|[-+.\w]+)`

var (
	// assignments are those of a question, among what may contain the like of them: texts, quoted names and comments.
	assignments = regexp.MustCompile(`(?is)'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|` + "`(?:[^`\\\\]|\\\\.)*`" + `|--[^\n]*|#[! ][^\n]*|/\*.*?\*/` +
		`|(?:\bSETTINGS|^\s*SET)\s+\w+\s*=\s*` + settingValue + `(?:\s*,\s*\w+\s*=\s*` + settingValue + `)*`)
	assignment = regexp.MustCompile(`(?s)(\w+)(\s*=\s*)(` + settingValue + `)`)
	// heredoc is a text whose end cannot be found so.
	heredoc = regexp.MustCompile(`\$\w*\$`)
)

// request clamps what comes in the query string and, where it is plain text whose length is known, the body.
func (c clamp) request(r *http.Request, query url.Values) error {
	for name, values := range query {
		for i, value := range values {
			if values[i] = c.limits.Clamped(name, value); name == "query" {
				values[i] = c.text(value)
			}
		}
	}
	if r.ContentLength <= 0 || r.ContentLength > longestQuestion || r.Header.Get("Content-Encoding") != "" || query.Has("decompress") ||
		strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	text := c.text(string(body))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader([]byte(text))), int64(len(text))
	return nil
}

func (c clamp) text(sql string) string {
	if heredoc.MatchString(sql) {
		return sql
	}
	return assignments.ReplaceAllStringFunc(sql, func(found string) string {
		if first := strings.ToUpper(strings.TrimSpace(found)); !strings.HasPrefix(first, "SET") {
			return found
		}
		return assignment.ReplaceAllStringFunc(found, func(one string) string {
			parts := assignment.FindStringSubmatch(one)
			asked := strings.Trim(parts[3], "'")
			if clamped := c.limits.Clamped(parts[1], asked); clamped != asked {
				return parts[1] + parts[2] + clamped
			}
			return one
		})
	})
}

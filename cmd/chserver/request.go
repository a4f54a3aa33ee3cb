package main

import (
	"crypto/rand"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// maxStatement bounds a statement without the data of an INSERT. The engine
// itself reads no more than max_query_size of it.
const maxStatement = 16 << 20

// request is one statement as the HTTP interface carries it.
type request struct {
	user     string
	id       string // query_id, echoed
	tag      string // names the statement inside the engine
	database string
	format   string // default output format
	readonly bool   // GET

	settings   []setting
	parameters []parameter

	text io.Reader // the statement and, for an INSERT, the data behind it

	driver  bool // the client reads Native blocks of its own revision
	framed  bool // the client reads ClickHouse's compressed frames
	whole   bool // nothing may be sent before the statement is done
	packing string
}

// readRequest takes a request apart. Who sends it is known by then.
func (s *server) readRequest(w http.ResponseWriter, r *http.Request, l *link, user string) (*request, error) {
	query := r.URL.Query()
	q := &request{
		user:     user,
		id:       query.Get("query_id"),
		tag:      rand.Text(),
		database: first(query.Get("database"), r.Header.Get("X-ClickHouse-Database"), s.database),
		format:   first(query.Get("default_format"), r.Header.Get("X-ClickHouse-Format"), "TabSeparated"),
		readonly: r.Method != http.MethodPost,
		driver:   query.Get("client_protocol_version") != "",
		framed:   isTrue(query.Get("compress")),
		whole:    isTrue(query.Get("wait_end_of_query")),
	}
	if q.id == "" {
		q.id = q.tag
	}
	w.Header().Set("X-ClickHouse-Query-Id", q.id)

	settings, err := requestSettings(query, s.engine.settings)
	if err != nil {
		return nil, err
	}
	q.packing = packing(r, settings)
	if q.user == userAnalyst {
		settings, err = s.limits.analyst(settings)
	} else {
		settings = s.limits.app(settings, q.readonly)
	}
	if err != nil {
		return nil, err
	}
	q.settings = settings
	q.addParameters(query)

	body, err := requestBody(l, r, isTrue(query.Get("decompress")))
	if err != nil {
		return nil, err
	}
	q.text = body
	if kind, options, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "multipart/form-data" {
		return q, q.readForm(multipart.NewReader(body, options["boundary"]), query.Get("query"))
	}
	if sql := query.Get("query"); sql != "" {
		q.text = io.MultiReader(strings.NewReader(sql+"\n"), body)
	}
	return q, nil
}

// readForm reads a statement and its parameters that were sent as a form.
func (q *request) readForm(form *multipart.Reader, sql string) error {
	fields := url.Values{}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return bodyError(err)
		}
		name := part.FormName()
		if part.FileName() != "" || name != "query" && !strings.HasPrefix(name, "param_") {
			return exceptionf(codeNotImplemented, "external tables are not supported by the embedded engine")
		}
		value, err := io.ReadAll(io.LimitReader(part, maxStatement))
		if err != nil {
			return bodyError(err)
		}
		fields.Set(name, string(value))
	}
	q.addParameters(fields)
	q.text = strings.NewReader(sql + fields.Get("query"))
	return nil
}

func (q *request) addParameters(fields url.Values) {
	for name, values := range fields {
		if name, ok := strings.CutPrefix(name, "param_"); ok {
			q.parameters = append(q.parameters, parameter{name, values[len(values)-1]})
		}
	}
}

// asksWholeDocument says whether a setting makes the engine's blocks more than
// rows behind each other.
func (q *request) asksWholeDocument() bool {
	for _, s := range q.settings {
		if (s.name == "extremes" || s.name == "output_format_json_array_of_rows") && isTrue(s.value) {
			return true
		}
	}
	return false
}

// packing chooses how the response is compressed as a whole: an encoding that
// the client takes, or none.
func packing(r *http.Request, settings []setting) string {
	for _, s := range settings {
		if s.name == "enable_http_compression" && !isTrue(s.value) {
			return ""
		}
	}
	for encoding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		switch name, _, _ := strings.Cut(strings.TrimSpace(encoding), ";"); name {
		case "gzip", "deflate", "br", "zstd":
			return name
		}
	}
	return ""
}

func isTrue(value string) bool { return value == "1" || value == "true" }

func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

package staff

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
)

const (
	// exportTime bounds the work on an export, and exportWrite each write of it.
	exportTime  = 10 * time.Minute
	exportWrite = 30 * time.Second
)

// exportTypes are the media types of the formats.
var exportTypes = map[string]string{
	"csv":     "text/csv; charset=utf-8",
	"jsonl":   "application/jsonl",
	"parquet": "application/vnd.apache.parquet",
}

// Export gives a cohort away as a file.
func (h *DashboardHandler) Export(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), exportTime)
	defer cancel()
	r = r.WithContext(ctx)
	format, rows := r.URL.Query().Get("format"), r.URL.Query().Get("rows")
	if exportTypes[format] == "" {
		h.Fail(w, r, web.BadField("format", "El formato debe ser «csv», «jsonl» o «parquet»."))
		return
	}
	if rows != "" && rows != "conversations" && rows != "messages" {
		h.Fail(w, r, web.BadField("rows", "Las filas deben ser «conversations» o «messages»."))
		return
	}
	q, err := h.cohorts.question(r)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	taken := &event.ExportTaken{StaffID: account(ctx).ID, Rows: cmp.Or(rows, "conversations"), Format: format}
	if err := h.cohorts.readings.record(ctx, taken); err != nil {
		h.Fail(w, r, err)
		return
	}
	d := &download{w: w, control: http.NewResponseController(w), through: q.through, kind: exportTypes[format], name: exportName(q, rows, format)}
	switch {
	case format == "parquet" && rows == "messages":
		err = d.copy(q.tables.LinesParquet(ctx, q.Cohort))
	case format == "parquet":
		err = d.copy(q.tables.ConversationsParquet(ctx, q.Cohort))
	case rows == "messages":
		err = writeRows(d, format, lineFields, q.tables.Lines(ctx, q.Cohort), q.From.Location())
	default:
		err = writeRows(d, format, conversationFields, q.tables.Conversations(ctx, q.Cohort), q.From.Location())
	}
	if err != nil {
		d.breakOff(h.Responder, w, r, err)
	}
}

func exportName(q question, rows, format string) string {
	what := "conversaciones"
	if rows == "messages" {
		what = "mensajes"
	}
	first, last := ends(q.Period)
	zone := q.From.Location()
	return fmt.Sprintf("bitacora-%s-%s-%s.%s", what, first.In(zone).Format(time.DateOnly), last.In(zone).Format(time.DateOnly), format)
}

// download is an answer that becomes a file. It begins with its first bytes, so that what
// fails before them is answered as any other error.
type download struct {
	w          http.ResponseWriter
	control    *http.ResponseController
	through    Through
	kind, name string
	begun      bool
}

func (d *download) begin() {
	if d.begun {
		return
	}
	d.begun = true
	d.through.setIn(d.w.Header())
	d.w.Header().Set("Content-Type", d.kind)
	d.w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", d.name))
	d.w.WriteHeader(http.StatusOK)
}

func (d *download) Write(p []byte) (int, error) {
	d.begin()
	_ = d.control.SetWriteDeadline(time.Now().Add(exportWrite))
	return d.w.Write(p)
}

// copy writes a file as the database sends it.
func (d *download) copy(file io.ReadCloser, err error) error {
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(d, file)
	return err
}

// breakOff answers an export that failed, or ends one that has begun.
func (d *download) breakOff(respond web.Responder, w http.ResponseWriter, r *http.Request, err error) {
	if d.begun {
		respond.Explain(w, r, err)
		// The client must not take it for whole.
		panic(http.ErrAbortHandler)
	}
	respond.Fail(w, r, err)
}

// writeRows writes rows as the database sends them.
func writeRows[T any](d *download, format string, fields []exportField[T], rows iter.Seq2[T, error], zone *time.Location) error {
	out := bufio.NewWriterSize(d, 32<<10)
	write := writeLines(out, fields, zone)
	if format == "csv" {
		write = writeWorkbook(out, fields, zone)
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := write(row); err != nil {
			return err
		}
	}
	d.begin()
	return out.Flush()
}

// exportField is a column: its name for programs, its title for people.
type exportField[T any] struct {
	name, title string
	// value is a string, []string, bool, *bool, int, *uint32, *float32, float64 or [time.Time].
	value func(T) any
}

// writeLines writes a JSON object a line.
func writeLines[T any](out *bufio.Writer, fields []exportField[T], zone *time.Location) func(T) error {
	return func(row T) error {
		for i, f := range fields {
			separator := byte(',')
			if i == 0 {
				separator = '{'
			}
			value := f.value(row)
			if at, ok := value.(time.Time); ok {
				value = at.In(zone).Format("2006-01-02T15:04:05.000Z07:00")
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%c%q:%s", separator, f.name, encoded)
		}
		_, err := out.WriteString("}\n")
		return err
	}
}

// writeWorkbook writes what a spreadsheet opens without asking: marked as UTF-8, with titles.
func writeWorkbook[T any](out *bufio.Writer, fields []exportField[T], zone *time.Location) func(T) error {
	// It takes a buffer for its own, so that out is all that has to be flushed.
	page := csv.NewWriter(out)
	page.UseCRLF = true
	cells := make([]string, len(fields))
	for i, f := range fields {
		cells[i] = f.title
	}
	// Errors of a buffered writer stay, and the last flush gives them.
	_, _ = out.WriteString("\ufeff")
	_ = page.Write(cells)
	return func(row T) error {
		for i, f := range fields {
			cells[i] = cell(f.value(row), zone)
		}
		return page.Write(cells)
	}
}

func cell(value any, zone *time.Location) string {
	switch v := value.(type) {
	case string:
		return harmless(v)
	case []string:
		return harmless(strings.Join(v, "; "))
	case time.Time:
		return v.In(zone).Format("2006-01-02T15:04:05-07:00")
	case bool:
		if v {
			return "sí"
		}
		return "no"
	case *bool:
		if v == nil {
			return ""
		}
		return cell(*v, zone)
	case *uint32:
		if v == nil {
			return ""
		}
		return strconv.Itoa(int(*v))
	case *float32:
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(float64(*v), 'f', -1, 32)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// harmless keeps a spreadsheet from taking a text for a formula. Visitors write the texts,
// and staff open them.
func harmless(text string) string {
	text = strings.ReplaceAll(text, "\x00", "")
	if strings.IndexAny(strings.TrimLeftFunc(text, unseen), "=+-@\t\r\n＝＋－＠") == 0 {
		return "'" + text
	}
	return text
}

// unseen says whether a spreadsheet may look past a character to find out what a text is.
func unseen(r rune) bool {
	return !strings.ContainsRune("\t\r\n", r) && (unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf))
}

var conversationFields = []exportField[analytics.Conversation]{
	{"id", "Sesión", func(c analytics.Conversation) any { return c.ID }},
	{"startedAt", "Inicio", func(c analytics.Conversation) any { return c.StartedAt }},
	{"lastMessageAt", "Último mensaje", func(c analytics.Conversation) any { return c.LastMessageAt }},
	{"messageCount", "Mensajes", func(c analytics.Conversation) any { return c.Messages }},
	{"visitorMessages", "Mensajes del visitante", func(c analytics.Conversation) any { return c.VisitorMessages }},
	{"duration", "Duración (s)", func(c analytics.Conversation) any { return c.Active.Seconds() }},
	{"leadGenerated", "Lead", func(c analytics.Conversation) any { return c.Lead }},
	{"appointmentScheduled", "Cita agendada", func(c analytics.Conversation) any { return c.Appointment }},
	{"appointmentCancelled", "Cita cancelada", func(c analytics.Conversation) any { return c.Cancelled }},
	{"bookingSources", "Origen de la cita", func(c analytics.Conversation) any { return c.BookingSources }},
	{"consent", "Consentimiento", func(c analytics.Conversation) any { return c.Consent }},
	{"topics", "Temas", func(c analytics.Conversation) any { return c.Topics }},
	{"flags", "Atención", func(c analytics.Conversation) any { return c.Flags }},
	{"unanswered", "Sin respuesta", func(c analytics.Conversation) any { return c.Unanswered }},
	{"failures", "Fallos", func(c analytics.Conversation) any { return c.Failures }},
	{"outOfHours", "Fuera de horario", func(c analytics.Conversation) any { return c.OutOfHours }},
	{"channel", "Canal", func(c analytics.Conversation) any { return c.Channel }},
	{"referrer", "Procedencia", func(c analytics.Conversation) any { return c.Referrer }},
}

var lineFields = []exportField[analytics.Line]{
	{"conversationId", "Sesión", func(l analytics.Line) any { return l.ConversationID }},
	{"startedAt", "Inicio", func(l analytics.Line) any { return l.ConversationStartedAt }},
	{"ordinal", "Número", func(l analytics.Line) any { return l.Ordinal }},
	{"timestamp", "Hora", func(l analytics.Line) any { return l.SentAt }},
	{"isUser", "Del visitante", func(l analytics.Line) any { return l.Visitor }},
	{"message", "Mensaje", func(l analytics.Line) any { return l.Text }},
	{"topic", "Tema", func(l analytics.Line) any { return l.Topic }},
	{"provider", "Proveedor", func(l analytics.Line) any { return l.Provider }},
	{"aiModel", "Modelo", func(l analytics.Line) any { return l.Model }},
	{"latencyMillis", "Tiempo de respuesta (ms)", func(l analytics.Line) any { return l.LatencyMillis }},
	{"tokensIn", "Tokens leídos", func(l analytics.Line) any { return l.TokensIn }},
	{"tokensOut", "Tokens escritos", func(l analytics.Line) any { return l.TokensOut }},
	{"answered", "Con respuesta", func(l analytics.Line) any { return l.Answered }},
	{"intent", "Intención", func(l analytics.Line) any { return l.Intent }},
	{"confidence", "Confianza", func(l analytics.Line) any { return l.Confidence }},
	{"runnerUp", "Segunda intención", func(l analytics.Line) any { return l.RunnerUp }},
	{"runnerUpConfidence", "Confianza de la segunda", func(l analytics.Line) any { return l.RunnerUpConfidence }},
	{"answer", "Respuesta dada", func(l analytics.Line) any { return l.Answer }},
	{"likelihood", "Probabilidad de la respuesta", func(l analytics.Line) any { return l.Likelihood }},
	{"nextAnswer", "Segunda respuesta", func(l analytics.Line) any { return l.NextAnswer }},
	{"nextLikelihood", "Probabilidad de la segunda", func(l analytics.Line) any { return l.NextLikelihood }},
}

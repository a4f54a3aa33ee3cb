package staff

import (
	"archive/zip"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/labelling"
)

// Labels records what the staff says of visitors' messages.
type Labels interface {
	Label(ctx context.Context, conversationID string, ordinal int, label event.Label, staffID string) error
}

// LabelChoices is what a label can name.
type LabelChoices func(ctx context.Context) (labelling.Choices, error)

// LabelLists tell what is to be labelled, and what is.
type LabelLists interface {
	// ToLabel lists a page of a list, and counts all of it.
	ToLabel(ctx context.Context, l labelling.List) ([]labelling.Question, labelling.Progress, error)
	// LabelledLines gives everything that is labelled, but for what was skipped.
	LabelledLines(ctx context.Context) ([]labelling.Line, error)
}

// Sizes of a page of questions.
const (
	labelPage    = 50
	maxLabelPage = 100
)

func (h *Handler) questionsToLabel(w http.ResponseWriter, r *http.Request) {
	list, err := h.labelList(r.URL.Query())
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	tables, through, err := h.liveFor(r.Context(), &list.Period)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	// One more than asked for says whether there is a next page.
	asked := list
	asked.Limit++
	found, all, err := tables.ToLabel(r.Context(), asked)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	answer := contract.QuestionsToLabel{
		Total: int64(all.Questions), Labelled: int64(all.Labelled), Below: list.Below, DataThrough: through.contract(),
	}
	if len(found) > list.Limit {
		found = found[:list.Limit]
		last := found[len(found)-1]
		answer.Next = new(fmt.Sprintf("%d-%s-%d", last.AskedAt.UnixMilli(), last.ConversationID, last.Ordinal))
	}
	answer.Questions = make([]contract.QuestionToLabel, len(found))
	var from []string
	for i, q := range found {
		answer.Questions[i] = questionToLabel(q)
		from = append(from, q.ConversationID)
	}
	if err := h.recordQuestions(r.Context(), "labels", list.Period, r.URL.Query(), answer.Questions, from); err != nil {
		h.Fail(w, r, err)
		return
	}
	web.Encode(w, http.StatusOK, answer)
}

func questionToLabel(q labelling.Question) contract.QuestionToLabel {
	c := contract.QuestionToLabel{
		ConversationID: q.ConversationID, Ordinal: int64(q.Ordinal), AskedAt: q.AskedAt, Text: q.Text, Times: int64(q.Times),
		Reply: q.Reply, Answered: q.Answered,
		Intent: contract.Optional(q.Intent), Confidence: contract.Optional(q.Confidence),
		RunnerUp: contract.Optional(q.RunnerUp), RunnerUpConfidence: contract.Optional(q.RunnerUpConfidence),
		Answer: contract.Optional(q.Answer), Likelihood: contract.Optional(q.Likelihood),
		NextAnswer: contract.Optional(q.NextAnswer), NextLikelihood: contract.Optional(q.NextLikelihood),
	}
	if q.Label.Kind != "" {
		c.Label = &contract.Label{Kind: contract.LabelKind(q.Label.Kind), Name: contract.Optional(q.Label.Name)}
		c.LabelledAt = new(q.LabelledAt)
	}
	return c
}

var labelCursorForm = regexp.MustCompile(`^([0-9]{1,13})-([0-9A-Za-z_-]{1,128})-([0-9]{1,9})$`)

func (h *Handler) labelList(q url.Values) (l labelling.List, err error) {
	l.Below, l.Limit, l.State = labelling.DefaultBelow, labelPage, q.Get("state")
	if l.Period, err = analytics.ParsePeriod(q.Get("startDate"), q.Get("endDate"), h.now(), h.Clinic.Zone); err != nil {
		return l, err
	}
	if l.State != "" && l.State != labelling.Open && l.State != labelling.Labelled {
		return l, web.BadField("state", "El estado debe ser «open» o «labelled».")
	}
	if raw := q.Get("below"); raw != "" {
		if l.Below, err = strconv.ParseFloat(raw, 64); err != nil || !(l.Below >= 0 && l.Below <= 1) {
			return l, web.BadField("below", "La confianza debe ser un número entre 0 y 1.")
		}
	}
	if raw := q.Get("limit"); raw != "" {
		if l.Limit, err = strconv.Atoi(raw); err != nil || l.Limit < 1 || l.Limit > maxLabelPage {
			return l, web.BadField("limit", fmt.Sprintf("El tamaño de página debe ser un número entre 1 y %d.", maxLabelPage))
		}
	}
	if raw := q.Get("cursor"); raw != "" {
		m := labelCursorForm.FindStringSubmatch(raw)
		if m == nil {
			return l, web.BadField("cursor", "El cursor de la página no es válido.")
		}
		millis, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return l, err
		}
		ordinal, err := strconv.Atoi(m[3])
		if err != nil {
			return l, err
		}
		l.After = &labelling.Cursor{AskedAt: time.UnixMilli(millis).UTC(), ConversationID: m[2], Ordinal: ordinal}
	}
	return l, nil
}

func (h *Handler) labelQuestion(w http.ResponseWriter, r *http.Request) {
	var body contract.QuestionLabel
	if err := web.Decode(r, &body); err != nil {
		h.Fail(w, r, err)
		return
	}
	choices, err := h.LabelChoices(r.Context())
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	label := event.Label{Kind: string(body.Label.Kind), Name: contract.Deref(body.Label.Name)}
	if !choices.Names(label) {
		h.Fail(w, r, web.BadField("label", "La etiqueta no es ninguna de las que hay."))
		return
	}
	if !web.ValidID(body.ConversationID) {
		h.Fail(w, r, chat.ErrNoConversation)
		return
	}
	if err := h.Labels.Label(r.Context(), body.ConversationID, int(body.Ordinal), label, account(r.Context()).ID); err != nil {
		h.Fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (h *Handler) labelChoices(w http.ResponseWriter, r *http.Request) {
	choices, err := h.LabelChoices(r.Context())
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	answer := contract.LabelChoices{Intents: choices.Intents, Answers: make([]contract.LabelAnswer, len(choices.Answers))}
	for i, a := range choices.Answers {
		answer.Answers[i] = contract.LabelAnswer{Slug: a.Slug, Topic: a.Topic, Question: a.Question}
	}
	web.Encode(w, http.StatusOK, answer)
}

// exportLabels gives everything that is labelled away as files of training lines.
func (h *Handler) exportLabels(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	choices, err := h.LabelChoices(ctx)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	tables, through, err := h.Live(ctx)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	lines, err := tables.LabelledLines(ctx)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	taken := &event.ExportTaken{StaffID: account(ctx).ID, Rows: "labels", Format: "zip"}
	if err := record(ctx, h.Log, taken.StaffID, taken, h.now()); err != nil {
		h.Fail(w, r, err)
		return
	}
	d := &download{
		w: w, control: http.NewResponseController(w), through: through, kind: "application/zip",
		name: "bitacora-etiquetas-" + h.now().In(h.Clinic.Zone).Format(time.DateOnly) + ".zip",
	}
	files, _ := labelling.Files(lines, choices)
	if err := writeZip(d, files, h.now()); err != nil {
		h.breakOff(w, r, d, err)
	}
}

func writeZip(d *download, files []labelling.File, at time.Time) error {
	archive := zip.NewWriter(d)
	for _, f := range files {
		into, err := archive.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return fmt.Errorf("begin %s: %w", f.Name, err)
		}
		if _, err := into.Write([]byte(f.Text)); err != nil {
			return fmt.Errorf("write %s: %w", f.Name, err)
		}
	}
	return archive.Close()
}

package staff

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/teaching"
)

// AnswersHandler answers the calls with which colleagues teach the assistant, and those about the
// questions whose answers are to be improved.
type AnswersHandler struct {
	web.Responder
	Clinic     clinic.Clinic
	Colleagues Colleagues
	Live       Live
	// Meanings gives the meanings of some texts; texts of the same one are alike.
	Meanings  func(ctx context.Context, texts []string) ([]string, error)
	Questions Questions
	Taught    func()
	Teaching  *teaching.Register
	cohorts   cohortReader
	// previews holds those that run.
	previews chan struct{}
}

// Routes adds the routes whose answers are small.
func (h *AnswersHandler) Routes(r chi.Router, allow Allow) {
	r.With(allow("listQuestions")).Get("/questions", asks(h.Responder, h.cohorts, h.questions))
	r.With(allow("dismissQuestion")).Post("/questions/dismissal", web.NoContentOf(h.Responder, h.dismissQuestion))
	r.With(allow("getAnswerForm")).Get("/answer-form", web.JSON(h.Responder, h.answerForm))
	r.With(allow("listAnswers")).Get("/answers", web.JSON(h.Responder, h.listAnswers))
	r.With(allow("teachAnswer")).Post("/answers", web.JSONOf(h.Responder, h.teachAnswer))
	r.With(allow("getAnswer")).Get("/answers/{id}", web.JSON(h.Responder, h.getAnswer))
	r.With(allow("undoAnswer")).Post("/answers/{id}/undo", web.NoContentOf(h.Responder, h.undoAnswer))
}

func (h *AnswersHandler) answerForm(r *http.Request) (contract.AnswerForm, error) {
	_, content, err := h.Teaching.List(r.Context())
	if err != nil {
		return contract.AnswerForm{}, err
	}
	form := contract.AnswerForm{
		Topics: []string{}, Services: []contract.NamedService{}, Aspects: clinic.Aspects, Facts: []contract.TextFact{},
		MaxText: clinic.MaxAnswer, MaxQuestion: clinic.MaxQuestion,
	}
	for _, a := range content.Answers {
		form.Topics = append(form.Topics, a.Topic)
	}
	slices.Sort(form.Topics)
	form.Topics = slices.Compact(form.Topics)
	facts := h.Clinic.With(content)
	for _, s := range facts.Services {
		form.Services = append(form.Services, contract.NamedService{Slug: s.Slug, Title: s.Title})
	}
	for _, p := range facts.TextFacts() {
		form.Facts = append(form.Facts, contract.TextFact{Name: p.Name, Value: p.Value})
	}
	return form, nil
}

func (h *AnswersHandler) getAnswer(r *http.Request) (contract.Answer, error) {
	a, version, err := h.Teaching.Answer(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return contract.Answer{}, err
	}
	return contract.Answer{
		Slug: a.Slug, Topic: a.Topic, Service: a.Service, Aspect: a.Aspect, Open: a.Open, Questions: a.Questions,
		Text: a.Text, English: a.English, Version: version,
	}, nil
}

func answerOf(d contract.AnswerDraft) clinic.Answer {
	return clinic.Answer{
		Slug: d.Slug, Topic: d.Topic, Service: contract.Deref(d.Service), Aspect: contract.Deref(d.Aspect),
		Questions: d.Questions, Text: d.Text, English: contract.Deref(d.English),
	}
}

func (h *AnswersHandler) teachAnswer(r *http.Request, body contract.AnswerDraft) (contract.AnswerVersion, error) {
	version, err := h.Teaching.Publish(r.Context(), actor(r.Context()), teaching.Draft{Answer: answerOf(body), Reason: body.Reason, Seen: body.Version})
	if err != nil {
		return contract.AnswerVersion{}, refusedAnswer(err)
	}
	h.Taught()
	by, err := h.Colleagues.authors(r.Context())
	if err != nil {
		return contract.AnswerVersion{}, err
	}
	return by.version(version), nil
}

func (h *AnswersHandler) undoAnswer(r *http.Request, body contract.AnswerUndoing) error {
	if err := h.Teaching.Undo(r.Context(), actor(r.Context()), chi.URLParam(r, "id"), body.Version, body.Reason); err != nil {
		return refusedAnswer(err)
	}
	h.Taught()
	return nil
}

func (h *AnswersHandler) listAnswers(r *http.Request) (contract.TaughtAnswers, error) {
	list, _, err := h.Teaching.List(r.Context())
	if err != nil {
		return contract.TaughtAnswers{}, err
	}
	tables, through, err := h.Live(r.Context())
	if err != nil {
		return contract.TaughtAnswers{}, err
	}
	taught := contract.List(list, func(t teaching.Taught) analytics.Taught { return analytics.Taught{Slug: t.Slug, At: t.Since()} })
	effects, err := tables.Effects(r.Context(), taught)
	if err != nil {
		return contract.TaughtAnswers{}, err
	}
	by, err := h.Colleagues.authors(r.Context())
	if err != nil {
		return contract.TaughtAnswers{}, err
	}
	answer := contract.TaughtAnswers{Answers: make([]contract.TaughtAnswer, len(list)), DataThrough: through.contract()}
	for i, t := range list {
		effect := effects[t.Slug]
		one := contract.TaughtAnswer{
			Slug: t.Slug, Since: t.Since().UTC(), Replaced: t.Current == nil && t.Standing() != nil, Uses: int64(effect.Uses),
			Before: answeredShare(effect.Before), After: answeredShare(effect.After), Versions: contract.List(t.Versions, by.version),
		}
		if t.Current != nil {
			one.Version = t.Current.Number
		}
		answer.Answers[i] = one
	}
	return answer, nil
}

func answeredShare(a analytics.Answering) contract.AnsweredShare {
	return contract.AnsweredShare{Replies: int64(a.Replies), Unanswered: int64(a.Unanswered), Rate: a.Rate()}
}

// erasedText stands for texts whose key was destroyed, and for the reason of a withdrawal by an erasure.
const erasedText = "Borrado: decía algo de una persona."

func (by authors) version(v teaching.Version) contract.AnswerVersion {
	a := v.Answer
	if v.Erased {
		a.Questions, a.Text, v.Reason = []string{}, erasedText, erasedText
	}
	version := contract.AnswerVersion{
		Version: v.Number, Topic: a.Topic, Service: a.Service, Aspect: a.Aspect, Questions: a.Questions, Text: a.Text, English: a.English,
		By: cmp.Or(by[v.By], v.By), At: v.At.UTC(), Reason: v.Reason,
	}
	if u := v.Undone; u != nil {
		version.Undone = &contract.AnswerUndone{By: cmp.Or(by[u.By], u.By), At: u.At.UTC(), Reason: cmp.Or(u.Reason, erasedText)}
	}
	return version
}

// previewPause is how long a preview goes on at least before it tells how far it has come.
const previewPause = 200 * time.Millisecond

// Preview replays what visitors asked for as long as somebody waits for it.
func (h *AnswersHandler) Preview(w http.ResponseWriter, r *http.Request) {
	var body contract.AnswerDraft
	if err := web.Decode(r, &body); err != nil {
		h.Fail(w, r, err)
		return
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	// One at a time: it takes what visitors are answered with.
	select {
	case h.previews <- struct{}{}:
		defer func() { <-h.previews }()
	case <-ctx.Done():
		return
	}
	s := web.NewEventStream(w)
	var last time.Time
	preview, err := h.Teaching.Preview(ctx, actor(ctx), answerOf(body), func(p teaching.Preview) {
		if now := time.Now(); now.Sub(last) >= previewPause {
			last = now
			s.Event("progress", contract.PreviewProgress{Conversations: p.Conversations, Of: p.Of, Questions: p.Questions})
		}
		select {
		case <-web.Closing(ctx):
			stop()
		default:
			if s.Broken {
				stop()
			}
		}
	})
	switch {
	case err != nil && !s.Begun:
		h.Fail(w, r, refusedAnswer(err))
	case err != nil:
		if p, listens := h.Explain(w, r, err); listens {
			s.Event("error", map[string]any{"status": p.Status, "message": p.Message, "requestId": web.RequestID(ctx)})
		}
	default:
		s.Event("done", previewOf(preview))
	}
}

func previewOf(p teaching.Preview) contract.AnswerPreview {
	return contract.AnswerPreview{
		Conversations: p.Conversations, Of: p.Of, Questions: p.Questions, Capped: p.Capped,
		Answered: effectsOf(p.Answered), Changed: effectsOf(p.Changed),
	}
}

func effectsOf(e teaching.Effects) contract.AnswerEffects {
	return contract.AnswerEffects{Questions: e.Questions, Times: e.Times, Examples: contract.List(e.Examples, func(x teaching.Example) contract.AnswerExample {
		return contract.AnswerExample{Question: x.Question, Now: x.Now, Taught: x.Then, Times: x.Times, InContext: x.Context}
	})}
}

// refusedAnswer says what is wrong with an answer, field by field.
func refusedAnswer(err error) error {
	flaws, ok := teaching.IsInvalid(err)
	if !ok {
		return err
	}
	p := &web.Problem{Status: http.StatusBadRequest, Message: "Revise los campos marcados.", Fields: map[string]string{}}
	for _, f := range flaws {
		field := f.Field
		if field == "slug" && f.Kind == clinic.FlawEmpty {
			field = "questions"
		}
		if p.Fields[field] == "" {
			p.Fields[field] = flawSentence(field, f)
		}
	}
	return p
}

func flawSentence(field string, f clinic.Flaw) string {
	switch f.Kind {
	case clinic.FlawEmpty:
		if field == "questions" {
			return "Escriba al menos una pregunta, con palabras."
		}
		return "Falta."
	case clinic.FlawTooLong:
		if field == "questions" {
			return fmt.Sprintf("Una pregunta es demasiado larga: caben %d caracteres.", clinic.MaxQuestion)
		}
		return fmt.Sprintf("Es demasiado largo: caben %s caracteres.", f.About)
	case clinic.FlawLiteral:
		return fmt.Sprintf("«%s» está escrito tal cual. Ponga el dato de la clínica en su lugar, por ejemplo {{phones}}: así cambia cuando cambie el dato.", f.About)
	case clinic.FlawUnknownFact:
		return fmt.Sprintf("%s no es un dato de la clínica.", f.About)
	case clinic.FlawAsked:
		return fmt.Sprintf("Una de las preguntas ya la contesta «%s».", f.About)
	case clinic.FlawUnknownService:
		return "La clínica no tiene ese servicio."
	case teaching.FlawPersonal:
		if f.About == "" {
			return "Contiene un nombre, un teléfono o un correo. Quítelo: se guarda para siempre."
		}
		return fmt.Sprintf("«%s» contiene un dato personal. Quítelo.", f.About)
	case teaching.FlawKnown:
		return "Nombra a una persona que la clínica conoce, por su nombre, teléfono, correo o documento. Quítelo."
	}
	switch field {
	case "slug":
		return "El nombre solo puede tener minúsculas sin tilde, cifras y guiones."
	case "text", "english":
		return "No puede empezar con «- », «## » ni «English: »."
	}
	return "No es uno de los que hay."
}

package assistant

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// scripted is a model that answers what a test makes it answer.
type scripted struct {
	response *llms.ContentResponse
	err      error
	asked    []llms.MessageContent
	meantime func()
}

func (s *scripted) GenerateContent(_ context.Context, messages []llms.MessageContent, _ ...llms.CallOption) (*llms.ContentResponse, error) {
	s.asked = messages
	if s.meantime != nil {
		s.meantime()
	}
	return s.response, s.err
}

func (s *scripted) Call(ctx context.Context, prompt string, options ...llms.CallOption) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, s, prompt, options...)
}

func says(text, stopReason string) *llms.ContentResponse {
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{
		Content: text, StopReason: stopReason,
		GenerationInfo: map[string]any{"PromptTokens": 120, "CompletionTokens": 30},
	}}}
}

var outside = traits{provider: "somewhere", model: "m-1", outside: true}

func TestNothingHalfIsPassedOn(t *testing.T) {
	down := errors.New("down")
	silent := outside
	silent.neverSaysStop = true
	tests := map[string]struct {
		model  scripted
		traits traits
		want   string
		fails  error
	}{
		"whole":                      {scripted{response: says("Hola. Dígame.", "stop")}, outside, "Hola. Dígame.", nil},
		"no response":                {scripted{}, outside, "", errNoAnswer},
		"no choices":                 {scripted{response: &llms.ContentResponse{}}, outside, "", errNoAnswer},
		"empty":                      {scripted{response: says("  ", "stop")}, outside, "", errNoAnswer},
		"error":                      {scripted{err: down}, outside, "", down},
		"broken stream":              {scripted{response: says("Hola. Díga", "")}, outside, "", errCutOff},
		"allowance used up":          {scripted{response: says("Hola. Díga", "length")}, outside, "Hola.", nil},
		"allowance, no sentence":     {scripted{response: says("Ho", "max_tokens")}, outside, "", errCutOff},
		"never says stop, whole":     {scripted{response: says("Hola. ¿Qué desea?", "")}, silent, "Hola. ¿Qué desea?", nil},
		"never says stop, cut":       {scripted{response: says("Hola. ¿Qué de", "")}, silent, "Hola.", nil},
		"claims a booking":           {scripted{response: says("Listo, su cita ha sido agendada.", "stop")}, outside, "", errClaimsBooking},
		"link of somebody else":      {scripted{response: says("Vea https://otra.example/x.", "stop")}, outside, "Vea (enlace retirado).", nil},
		"host that begins like ours": {scripted{response: says("https://reservas.clinica-regency.example.evil.example/", "stop")}, outside, removedLink, nil},
		"our host as a user name":    {scripted{response: says("https://reservas.clinica-regency.example@evil.example/", "stop")}, outside, removedLink, nil},
		"own link":                   {scripted{response: says("Reserve en https://reservas.clinica-regency.example/?r=1.", "stop")}, outside, "Reserve en https://reservas.clinica-regency.example/?r=1.", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a, err := newAssistant(&tt.model, tt.traits, clinic.Default())
			if err != nil {
				t.Fatal(err)
			}
			got, err := a.Reply(context.Background(), chat.Question{Text: "hola", At: saturday})
			if !errors.Is(err, tt.fails) || (tt.fails == nil) != (err == nil) {
				t.Fatalf("err = %v, want %v", err, tt.fails)
			}
			if got.Provider != "somewhere" || got.Model != "m-1" {
				t.Errorf("answered by %s %s", got.Provider, got.Model)
			}
			if err == nil && (got.Text != tt.want || !got.Answered || got.TokensIn != 120 || got.TokensOut != 30) {
				t.Errorf("reply = %+v, want %q", got, tt.want)
			}
		})
	}
}

func TestAContentFilterIsAFailure(t *testing.T) {
	a, err := newAssistant(&scripted{response: says("Hola.", "content_filter")}, outside, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Reply(context.Background(), chat.Question{Text: "hola"}); err == nil {
		t.Error("it was passed on")
	}
}

func TestTimeoutComesBeforeWhatTheModelSays(t *testing.T) {
	for name, model := range map[string]*scripted{
		"success": {response: says("Hola. Díga", "")},
		"error":   {err: errors.New("net/http: request canceled")},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			model.meantime = cancel
			a, err := newAssistant(model, outside, clinic.Default())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := a.Reply(ctx, chat.Question{Text: "hola"}); !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v", err)
			}
		})
	}
}

func TestOutsideModelsSeeNoContacts(t *testing.T) {
	model := &scripted{response: says("Hola.", "stop")}
	a, err := newAssistant(model, outside, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	history := []chat.Line{
		{FromVisitor: true, Text: "soy ana@example.com", Masked: "soy [correo]"},
		{Text: "¿Y su teléfono?", Masked: "¿Y su teléfono?"},
	}
	if _, err := a.Reply(context.Background(), chat.Question{Text: "6123-4567", History: history, At: saturday}); err != nil {
		t.Fatal(err)
	}
	var roles, texts []string
	for _, m := range model.asked {
		roles = append(roles, string(m.Role))
		texts = append(texts, m.Parts[0].(llms.TextContent).Text)
	}
	if got, want := strings.Join(roles, " "), "system human ai human"; got != want {
		t.Errorf("roles = %s, want %s", got, want)
	}
	if got, want := strings.Join(texts[1:], "|"), "soy [correo]|¿Y su teléfono?|[teléfono]"; got != want {
		t.Errorf("texts = %s, want %s", got, want)
	}
	if !strings.Contains(texts[0], "Ahora es sábado 21 de noviembre a las 10:00 a. m.") {
		t.Errorf("prompt = %s", texts[0])
	}
}

func TestParseSpec(t *testing.T) {
	for text, want := range map[string]string{"": "embedded", "embedded": "embedded", " embedded ": "embedded"} {
		if got, err := ParseSpec(text); err != nil || got.String() != want {
			t.Errorf("ParseSpec(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"oracle:x", "Embedded!", "embedded:x"} {
		_, err := ParseSpec(text)
		if err == nil || !strings.Contains(err.Error(), "embedded") {
			t.Errorf("ParseSpec(%q): %v", text, err)
		}
	}
	if _, err := New(Spec{Provider: "x"}, clinic.Default()); err == nil {
		t.Error("an unknown provider was made")
	}
}

func TestClaimsBooking(t *testing.T) {
	for text, want := range map[string]bool{
		"Su cita quedó agendada para el lunes.":                 true,
		"Tu cita ha sido CONFIRMADA":                            true,
		"Agendada con éxito":                                    true,
		"Le he reservado el martes":                             true,
		"Your appointment has been booked":                      true,
		"Puede reservar en línea.":                              false,
		"La cita queda en firme cuando la clínica la confirme.": false,
		"Por este chat todavía no se reservan horas.":           false,
		"Para cambiar una cita, llame.":                         false,
	} {
		if got := claimsBooking(text); got != want {
			t.Errorf("claimsBooking(%q) = %v", text, got)
		}
	}
}

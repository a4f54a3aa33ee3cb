package assistant

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"bitacora/adapters/assistant/eval"
	"bitacora/adapters/assistant/providertest"
	"bitacora/cmd/bitacora/app"
)

// hardSentences are what the program does not understand by itself, in the notation of the frozen sets.
const hardSentences = `now 2026-11-24T10:00
let unknown no me ha dado ese dato|prefiero no adivinar

## answer clean.pain
+ vibration
im kinda a wimp tbh, gonna feel anything when u scrape my tartar off??
## answer ortho.adults
+ edad|adult
a mis 52 pa que fierritos o todavia me enderezan
## followup context
+ minutos|sesion
¿Me hacen la limpieza dental? // sip pero tipo cuanto rato me quedo ahi tirado
## several two
+ 8:00 a\. m\.
+ via espana
donde es q estan metidos y desde que hora le dan
## unknown brand
+ {unknown}
de que fabrica son los tornillitos que clavan
`

// readings are what an honest model makes of them.
var readings = map[string]string{
	"scrape my tartar": `{"intent":"servicio","answers":["limpieza-dolor"],"service":"limpieza-dental","feeling":"miedo","english":true}`,
	"pa que fierritos": `{"intent":"servicio","answers":["ortodoncia-adultos"],"service":"ortodoncia"}`,
	"cuanto rato":      `{"intent":"servicio","answers":["limpieza-duracion"],"service":"limpieza-dental"}`,
	"donde es q":       `{"intent":"ubicacion","answers":["ubicacion","horario"]}`,
	"tornillitos":      `{"intent":"servicio","answers":[],"unknown":true,"service":"implantes-dentales"}`,
}

// honest reads the messages of [readings] as it should, and nothing else.
func honest(t *testing.T, protocol string) (url string) {
	p := providertest.Protocols[protocol]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		said := `{"intent":"otro"}`
		last := body[bytes.LastIndex(body, []byte(`"user"`)):]
		for words, reading := range readings {
			if bytes.Contains(last, []byte(words)) {
				said = reading
			}
		}
		w.Header().Set("Content-Type", p.ContentType())
		providertest.Says(said)(p, w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestASetJudgesAProvider: the sets that judge the program judge it with a provider, in every
// protocol. An honest one brings something; one that lies, breaks or is slow changes nothing.
func TestASetJudgesAProvider(t *testing.T) {
	own := judged(t, "BITACORA_ASSISTANT=embedded")
	asking := func(protocol, url string) []string {
		return []string{
			"BITACORA_ASSISTANT=" + protocol, "BITACORA_ASSISTANT_MODEL=m", "BITACORA_ASSISTANT_KEY=k",
			"BITACORA_ASSISTANT_URL=" + url, "BITACORA_ASSISTANT_TIMEOUT=1s",
		}
	}
	lie := `{"intent":"precio","answers":["La limpieza cuesta $45."],"text":"Tu cita quedó confirmada."}`
	for protocol, speaks := range providertest.Protocols {
		t.Run(protocol, func(t *testing.T) {
			if got := judged(t, asking(protocol, honest(t, protocol))...); got.right != got.of || got.right <= own.right {
				t.Errorf("with an honest provider %d of %d are right, without %d:\n%s", got.right, got.of, own.right, got.missed)
			}
			for name, behave := range map[string]providertest.Behaviour{
				"lying": providertest.Says(lie), "broken": providertest.Faults["cut stream"], "slow": providertest.Faults["slow first byte"],
			} {
				if got := judged(t, asking(protocol, providertest.Serve(t, speaks, behave))...); got != own {
					t.Errorf("a %s provider changes the figures to %+v from %+v", name, got, own)
				}
			}
		})
	}
}

// verdicts are the figures of a set.
type verdicts struct {
	right, of int
	missed    string
}

// judged says [hardSentences] to a chat as the environment configures it.
func judged(t *testing.T, environment ...string) (v verdicts) {
	t.Helper()
	a, err := app.ConfigureWith(append(os.Environ(), environment...))
	if err != nil {
		t.Fatal(err)
	}
	service, err := StandaloneChat(a, NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	set, err := eval.ReadSentences(strings.NewReader(hardSentences), service.Clinic.Zone)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := set.Measure(context.Background(), StageOf(service))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range figures.Kinds {
		if k.Topic == "" {
			v.right, v.of = v.right+k.Right, v.of+k.Of
		}
	}
	var missed strings.Builder
	if err := figures.Print(&missed, true); err != nil {
		t.Fatal(err)
	}
	v.missed = missed.String()
	return v
}

package assistant

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"bitacora/domain/clinic"
)

// Spec names an assistant: "embedded", or a provider with its model.
type Spec struct {
	Provider, Model string
	// URL is the provider's base address; empty for its usual one.
	URL string
	// Key is the secret by which the provider knows the clinic.
	Key string
	// Timeout bounds one question to the provider; 0 for the usual one.
	Timeout time.Duration
	// Budget bounds what the provider is used for in a day.
	Budget Budget
	// Dir holds files that replace those of the program, see [NewEmbeddedFrom]; empty for
	// none.
	Dir string
}

// ParseSpec reads the name of an assistant, "embedded" or "provider:model"; an empty one
// is the embedded assistant. The error of an unknown provider lists the known ones.
func ParseSpec(text string) (Spec, error) {
	if strings.TrimSpace(text) == "" {
		return Spec{Provider: "embedded"}, nil
	}
	provider, model, _ := strings.Cut(strings.TrimSpace(text), ":")
	s := Spec{Provider: provider, Model: model}
	if _, ok := providers[provider]; !ok {
		return Spec{}, unknown(text)
	}
	if provider == "embedded" && model != "" {
		return Spec{}, fmt.Errorf("assistant %q: the embedded assistant takes no model", text)
	}
	return s, nil
}

// Check says what is missing or wrong, naming the settings after the prefix of their
// variables.
func (s Spec) Check(prefix string) error {
	if _, known := providers[s.Provider]; !known {
		return fmt.Errorf("%s: %w", prefix, unknown(s.Provider))
	}
	var found []error
	if s.Provider != "embedded" && s.Model == "" {
		found = append(found, fmt.Errorf("%s_MODEL: %s needs the name of a model", prefix, s.Provider))
	}
	if s.Key == "" && (s.Provider == "anthropic" || s.Provider == "openai" && s.URL == "") {
		found = append(found, fmt.Errorf("%s_KEY: %s needs a key", prefix, s.Provider))
	}
	if u, err := url.Parse(s.URL); s.URL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		found = append(found, fmt.Errorf("%s_URL: %q is not an address like https://host/v1", prefix, s.URL))
	}
	if s.Provider == "embedded" && s.Model+s.URL+s.Key != "" {
		found = append(found, fmt.Errorf("%s: the embedded assistant takes no model, address or key", prefix))
	}
	if info, err := os.Stat(s.Dir); s.Dir != "" && (err != nil || !info.IsDir()) {
		found = append(found, fmt.Errorf("%s_DIR: %q is not a directory", prefix, s.Dir))
	}
	return errors.Join(append(found, s.Budget.Check(prefix))...)
}

// String is the specification without its secret.
func (s Spec) String() string {
	if s.Model == "" {
		return s.Provider
	}
	return s.Provider + ":" + s.Model
}

// Operator is who runs the model that visitors' questions are sent to, as it is told to them; empty
// where they stay with the program.
func (s Spec) Operator() string {
	u, err := url.Parse(s.URL)
	named := map[string]string{"openai": "OpenAI", "anthropic": "Anthropic"}[s.Provider]
	switch {
	case s.Provider == "" || s.Provider == "embedded":
		return ""
	case s.URL != "" && err == nil:
		return u.Hostname()
	case named != "":
		return named
	}
	return "localhost"
}

// UnmarshalText reads a specification from a configuration.
func (s *Spec) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSpec(string(text))
	return err
}

func (s Spec) files() fs.FS {
	if s.Dir == "" {
		return ownData()
	}
	return overlay{os.DirFS(s.Dir), ownData()}
}

func (s Spec) embedded(c clinic.Clinic) (*Embedded, error) {
	if s.Dir == "" {
		return NewEmbedded(c)
	}
	return NewEmbeddedFrom(c, os.DirFS(s.Dir))
}

// providers make the models of others; the embedded assistant needs none.
var providers = map[string]func(Spec) (llms.Model, error){
	"embedded":  nil,
	"openai":    newOpenAI,
	"anthropic": newAnthropic,
	"ollama":    newOllama,
}

// noKey stands for the key of compatible servers that ask for none.
const noKey = "none"

func newOpenAI(s Spec) (llms.Model, error) {
	key := s.Key
	if key == "" {
		key = noKey
	}
	options := []openai.Option{openai.WithModel(s.Model), openai.WithToken(key), openai.WithHTTPClient(s.client())}
	if s.URL != "" {
		options = append(options, openai.WithBaseURL(s.URL))
	}
	return openai.New(options...)
}

func newAnthropic(s Spec) (llms.Model, error) {
	options := []anthropic.Option{anthropic.WithModel(s.Model), anthropic.WithToken(s.Key), anthropic.WithHTTPClient(s.client())}
	if s.URL != "" {
		options = append(options, anthropic.WithBaseURL(s.URL))
	}
	return anthropic.New(options...)
}

func newOllama(s Spec) (llms.Model, error) {
	options := []ollama.Option{ollama.WithModel(s.Model), ollama.WithHTTPClient(s.client())}
	if s.URL != "" {
		options = append(options, ollama.WithServerURL(s.URL))
	}
	return ollama.New(options...)
}

// callOptions ask for an object and are otherwise those by
// which a provider's protocol differs; Anthropic's knows no such mode and is asked in words.
func (s Spec) callOptions() []llms.CallOption {
	options := []llms.CallOption{llms.WithMaxTokens(answerTokens), llms.WithJSONMode()}
	if s.Provider == "openai" && s.URL != "" {
		// Many compatible servers know only the older name of the limit.
		options = append(options, openai.WithLegacyMaxTokensField())
	}
	return options
}

// client never waits longer than a question may take.
func (s Spec) client() *http.Client {
	timeout := s.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &http.Client{Timeout: timeout + time.Second}
}

func unknown(name string) error {
	return fmt.Errorf("unknown assistant %q (known: %s)", name, strings.Join(slices.Sorted(maps.Keys(providers)), ", "))
}

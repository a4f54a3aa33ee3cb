package assistant

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"bitacora/domain/clinic"
)

// Spec names an assistant: "embedded", or a provider and its model, "provider:model".
type Spec struct {
	Provider, Model string
}

// ParseSpec reads the text of a configuration; an empty one names the embedded
// assistant. The error of an unknown provider lists the known ones.
func ParseSpec(text string) (Spec, error) {
	if strings.TrimSpace(text) == "" {
		return Spec{Provider: "embedded"}, nil
	}
	provider, model, _ := strings.Cut(strings.TrimSpace(text), ":")
	s := Spec{provider, model}
	if _, ok := providers[provider]; !ok {
		return Spec{}, unknown(text)
	}
	if provider == "embedded" && model != "" {
		return Spec{}, fmt.Errorf("assistant %q: the embedded assistant takes no model", text)
	}
	return s, nil
}

// String is the specification as it is configured.
func (s Spec) String() string {
	if s.Model == "" {
		return s.Provider
	}
	return s.Provider + ":" + s.Model
}

// UnmarshalText reads a specification from a configuration.
func (s *Spec) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSpec(string(text))
	return err
}

// provider makes the model that a specification names.
type provider func(Spec, clinic.Clinic) (llms.Model, traits, error)

var providers = map[string]provider{
	"embedded": func(_ Spec, c clinic.Clinic) (llms.Model, traits, error) {
		m, err := NewEmbedded(c)
		return m, traits{provider: "embedded", model: embeddedModel}, err
	},
}

func unknown(name string) error {
	known := slices.Sorted(maps.Keys(providers))
	return fmt.Errorf("unknown assistant %q (known: %s)", name, strings.Join(known, ", "))
}

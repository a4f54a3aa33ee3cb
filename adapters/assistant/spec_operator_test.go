package assistant

import "testing"

func TestOperatorIsWhoRunsTheModel(t *testing.T) {
	for want, s := range map[string]Spec{
		"":                {Provider: "embedded"},
		"Anthropic":       {Provider: "anthropic", Model: "m"},
		"OpenAI":          {Provider: "openai", Model: "m"},
		"modelos.example": {Provider: "openai", Model: "m", URL: "https://modelos.example:8443/v1"},
		"localhost":       {Provider: "ollama", Model: "m"},
		"ollama.lan":      {Provider: "ollama", Model: "m", URL: "http://ollama.lan"},
	} {
		if got := s.Operator(); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

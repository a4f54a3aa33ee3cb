package settings

import (
	"strings"
	"testing"
)

func TestAssistantIsConfigured(t *testing.T) {
	tests := map[string]struct {
		environ []string
		want    string
		refused []string
	}{
		"nothing":           {nil, "embedded", nil},
		"name and model":    {[]string{"BITACORA_ASSISTANT=ollama:llama3.1:8b"}, "ollama:llama3.1:8b", nil},
		"variables":         {[]string{"BITACORA_ASSISTANT=anthropic", "BITACORA_ASSISTANT_MODEL=m", "BITACORA_ASSISTANT_KEY=k"}, "anthropic:m", nil},
		"compatible server": {[]string{"BITACORA_ASSISTANT=openai", "BITACORA_ASSISTANT_MODEL=m", "BITACORA_ASSISTANT_URL=http://127.0.0.1:9/v1"}, "openai:m", nil},
		"no model":          {[]string{"BITACORA_ASSISTANT=ollama"}, "", []string{"BITACORA_ASSISTANT_MODEL"}},
		"no key":            {[]string{"BITACORA_ASSISTANT=openai:m"}, "", []string{"BITACORA_ASSISTANT_KEY"}},
		"several":           {[]string{"BITACORA_ASSISTANT=anthropic", "BITACORA_ASSISTANT_URL=x"}, "", []string{"BITACORA_ASSISTANT_MODEL", "BITACORA_ASSISTANT_KEY", "BITACORA_ASSISTANT_URL"}},
		"unknown":           {[]string{"BITACORA_ASSISTANT=oracle"}, "", []string{"BITACORA_ASSISTANT:", "known: anthropic, embedded, ollama, openai"}},
		"key for nobody":    {[]string{"BITACORA_ASSISTANT_KEY=secret"}, "", []string{"BITACORA_ASSISTANT"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := Load(tt.environ)
			if (err != nil) != (tt.refused != nil) {
				t.Fatalf("err = %v", err)
			}
			for _, want := range tt.refused {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is missing in %v", want, err)
				}
			}
			if err != nil {
				if strings.Contains(err.Error(), "secret") {
					t.Errorf("the key is told: %v", err)
				}
				return
			}
			spec, err := c.AssistantSpec()
			if err != nil || spec.String() != tt.want {
				t.Errorf("spec = %v, %v", spec, err)
			}
		})
	}
}

func TestHelpNamesTheAssistantsVariables(t *testing.T) {
	help := Help()
	for _, name := range []string{"", "_MODEL", "_URL", "_KEY", "_TIMEOUT", "_DIR"} {
		if !strings.Contains(help, "BITACORA_ASSISTANT"+name+" ") {
			t.Errorf("BITACORA_ASSISTANT%s is not told", name)
		}
	}
}

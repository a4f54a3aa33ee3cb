package assistant

import (
	"fmt"
	"testing"
)

func TestQuestionsForTheSameAnswerAreAlike(t *testing.T) {
	a := newTestAssistant(t)
	for _, of := range []struct {
		same  bool
		texts []string
	}{
		{true, []string{"¿puedo pagar en cuotas?", "¿se puede pagar en letras?", "¿puedo pagar en partes?", "¿dan crédito?", "can I pay in installments?"}},
		{true, []string{"¿aceptan mascotas?", "se puede entrar con mi gato"}},
		{false, []string{"¿puedo pagar en cuotas?", "¿puedo pagar con bitcoin?", "¿hay wifi?"}},
	} {
		meanings := map[string]bool{}
		for _, text := range of.texts {
			meanings[a.meaning(text)] = true
		}
		if want := map[bool]int{true: 1, false: len(of.texts)}[of.same]; len(meanings) != want || meanings[""] {
			t.Errorf("%q mean %v", of.texts, meanings)
		}
	}
	for _, text := range []string{"cuéntame un chiste", "¿quién ganó el partido?", "asdf asdf", "y eso?"} {
		if meaning := a.meaning(text); meaning != "" {
			t.Errorf("%q means %q", text, meaning)
		}
	}
}

// BenchmarkMeanings is a list of 2,000 different questions.
func BenchmarkMeanings(b *testing.B) {
	a := newTestAssistant(b)
	texts := make([]string, 0, 2000)
	for i := range cap(texts) {
		texts = append(texts, fmt.Sprintf("buenas, quisiera saber si puedo pagar el tratamiento %d en partes", i))
	}
	for b.Loop() {
		for _, text := range texts {
			a.meaning(text)
		}
	}
}

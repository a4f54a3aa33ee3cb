package assistant

import (
	"fmt"
	"strconv"
	"testing"

	"bitacora/domain/clinic"
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

func TestAMeaningIsReadOnceWhileItIsKept(t *testing.T) {
	var k knownMeanings
	read := map[string]int{}
	of := func(text string) {
		if got := k.of(text, func(text string) string { read[text]++; return "about " + text }); got != "about "+text {
			t.Errorf("%s means %q", text, got)
		}
	}
	for range 2 {
		for i := range maxMeanings {
			of(strconv.Itoa(i))
		}
	}
	if len(read) != maxMeanings || read["0"] != 1 || read[strconv.Itoa(maxMeanings-1)] != 1 {
		t.Errorf("%d texts were read, the first %d times", len(read), read["0"])
	}
	of("one more")
	if len(k.byText) > maxMeanings {
		t.Errorf("%d meanings are kept", len(k.byText))
	}
}

func TestAMeaningIsOutOfTheContentOfNow(t *testing.T) {
	a := newTestAssistant(t)
	const text = "¿tienen pecera en la sala?"
	if meaning := a.meaning(text); meaning == "pecera" {
		t.Fatalf("%q means %q before that is taught", text, meaning)
	}
	k := Knowledge{Clinic: clinic.Default(), Answers: []clinic.Answer{{Slug: "pecera", Topic: "clinica", Questions: []string{text}, Text: "Sí."}}}
	later, err := a.Knowing(k)
	if err != nil {
		t.Fatal(err)
	}
	if meaning := later.meaning(text); meaning != "pecera" {
		t.Errorf("%q means %q once it is taught", text, meaning)
	}
}

// BenchmarkMeanings is a list of 2,000 different questions, read for the first time, and again.
func BenchmarkMeanings(b *testing.B) {
	a := newTestAssistant(b)
	texts := make([]string, 0, 2000)
	for i := range cap(texts) {
		texts = append(texts, fmt.Sprintf("buenas, quisiera saber si puedo pagar el tratamiento %d en partes", i))
	}
	for _, again := range []bool{false, true} {
		b.Run(map[bool]string{false: "first", true: "again"}[again], func(b *testing.B) {
			for b.Loop() {
				if !again {
					a.meanings.byText = nil
				}
				for _, text := range texts {
					a.meaning(text)
				}
			}
		})
	}
}

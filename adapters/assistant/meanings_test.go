package assistant

import (
	"testing"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
)

// spanishReader has learned what the program carries.
func spanishReader(t *testing.T) *meaning.Reader {
	t.Helper()
	e, err := embeddedDefault()
	if err != nil {
		t.Fatal(err)
	}
	return e.in[words.Spanish].reader
}

func TestUrgency(t *testing.T) {
	tests := map[string]struct{ urgent, grave bool }{
		"me duele una muela":                                 {true, false},
		"no me duele pero tengo la cara hinchada":            {true, false},
		"ya no me duele":                                     {false, false},
		"no puedo respirar":                                  {true, true},
		"cuánto cuesta una limpieza? no puedo respirar bien": {true, true},
		"me duele la espalda":                                {false, false},
		"me duele la muela y la cabeza":                      {true, false},
		"mi perro se partió un diente":                       {false, false},
		"¿duele la endodoncia?":                              {false, false},
		"me dule mucho la mueal":                             {true, false},
		// What a treatment is like, and the same told of oneself.
		"¿Duele mucho cuando ponen el implante?":           {false, false},
		"¿el raspado de encías sangra mucho?":              {false, false},
		"me da miedo que me duela la limpieza":             {false, false},
		"¿la extracción duele mucho? me la hicieron ayer":  {true, false},
		"la endodoncia me duele mucho":                     {true, false},
		"el implante me sangra mucho, ¿qué hago?":          {true, true},
		"¿es normal que sangre mucho el implante de ayer?": {true, true},
		"¿por qué sangra mucho la extracción?":             {true, true},
		// What is long past, and what lasts or came after.
		"en 2019 se me partió un diente y quiero ponerle corona":       {false, false},
		"de chiquita me partí un diente, ¿eso se arregla?":             {false, false},
		"hace años me pusieron una corona y hoy se me cayó":            {true, false},
		"hace un año me rompí la muela y ahora tengo la cara hinchada": {true, false},
		"mi niño de 8 años se partió un diente hace media hora":        {true, false},
		"hace años me duele la muela":                                  {true, false},
		"cuando me cepillo me sale sangre y tengo fiebre":              {true, false},
		// What is not meant, and what is.
		"me mata el tráfico, ¿abren los sábados?":             {false, false},
		"me desmayo cuando veo agujas":                        {false, false},
		"la muela me está matando":                            {true, false},
		"me desmayé del dolor de muela":                       {true, true},
		"me sale sangre de las encías al lavarme los dientes": {false, false},
		"cuando me cepillo me sale mucha sangre y no para":    {true, true},
		"me cepillo y me duele muchísimo una muela":           {true, false},
		"necesito un abogado":                                 {false, false},
		"bien":                                                {false, false},
		"nada":                                                {false, false},
		"la tres":                                             {false, false},
		"":                                                    {false, false},
	}
	r := spanishReader(t)
	for text, want := range tests {
		if m := r.Read(text); m.Urgent != want.urgent || m.Grave != want.grave {
			t.Errorf("%q: %+v, want %+v", text, m, want)
		}
	}
}

func TestAnInsultIsNoQuestionAboutTheAssistant(t *testing.T) {
	r := spanishReader(t)
	for text, want := range map[string]string{
		"eres una porquería de bot": meaning.Abuse, "qué basura de asistente": meaning.Abuse, "ASCO DE ROBOT": meaning.Abuse,
		"¿eres un bot?": "identidad", "¿hablo con un robot?": "identidad",
	} {
		if got := r.Read(text).Intent; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

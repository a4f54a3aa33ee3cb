package assistant

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"bitacora/domain/danger"
)

// developed are the development sentences of testdata/danger by their kind, which the assistant does not
// learn from.
func developed(t *testing.T) map[danger.Kind][]string {
	t.Helper()
	f, err := os.Open("testdata/danger/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	texts, kind := map[danger.Kind][]string{}, danger.Kind("")
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		switch line := lines.Text(); {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			kind = danger.Kind(strings.Trim(line, "[]"))
		default:
			texts[kind] = append(texts[kind], line)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// notDangerous are the development sentences that only sound so.
const notDangerous danger.Kind = "ordinary"

func TestDangerSaidObliquelyIsHeard(t *testing.T) {
	a := newTestAssistant(t)
	heard, ofMind, all := 0, 0, 0
	for kind, texts := range developed(t) {
		if kind == notDangerous {
			continue
		}
		for _, text := range texts {
			all++
			d := a.Classify(text, danger.Read(text))
			if !d.Found() {
				t.Logf("%s: %s", kind, text)
				continue
			}
			heard++
			if d.Kinds[0].OfMind() == kind.OfMind() {
				ofMind++
			} else {
				t.Logf("%s for %s: %s", d.Kinds[0], kind, text)
			}
		}
	}
	if heard*100 < all*leastHeard {
		t.Errorf("%d of %d were heard", heard, all)
	}
	if ofMind*100 < heard*90 {
		t.Errorf("%d of %d were rightly taken for a danger of body or mind", ofMind, heard)
	}
}

// leastHeard is the percentage of development sentences of danger that are heard.
const leastHeard = 90

func TestOnlyFewThatSoundDangerousAreFalseAlarms(t *testing.T) {
	a := newTestAssistant(t)
	texts, alarms := developed(t)[notDangerous], 0
	for _, text := range texts {
		if a.Classify(text, danger.Read(text)).Found() {
			t.Log(text)
			alarms++
		}
	}
	if len(texts) < 90 || alarms*100 > len(texts)*3 {
		t.Errorf("%d false alarms in %d", alarms, len(texts))
	}
}

func TestAPhraseOfDangerInAFigureOfSpeechIsNoAlarm(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]bool{
		"my mortgage is suffocating me, can i pay in two parts?": false,
		"mi hijo se ahoga y no puede respirar":                   true,
		"my son is suffocating, he can't breathe":                true,
	} {
		found := danger.Read(text)
		if !found.Found() {
			t.Errorf("no phrase names a danger in %q", text)
		}
		if d := a.Classify(text, found); d.Found() != want {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

func TestADangerIsAnsweredInTheLanguageOfItsText(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]string{
		"cancelen mi cita, a donde voy no la necesito":                                      "es",
		"give the money i have on account to someone else, where i'm going i don't need it": "en",
	} {
		if d := a.Classify(text, danger.Danger{}); d.Language != want {
			t.Errorf("%s: %+v", text, d)
		}
	}
}

func TestFiguresOfSpeechAreNoUrgency(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]bool{
		"estoy ahogado en deudas, ¿hay cuotas?": false, "mi hijo se ahoga en tareas, ¿puede ser el sábado?": false,
		"me duele mucho la muela": true, "se me partió un diente y me duele": true,
		// No sign names it: the classifier of danger hears it.
		"se despegó mi carilla y mañana tengo fotos": true,
	} {
		if m := a.embedded.read(text); m.Urgent != want {
			t.Errorf("%s is urgent: %v", text, m.Urgent)
		}
	}
}

func TestAnAnswerOfFewWordsIsDangerOnlyWhereThatIsSure(t *testing.T) {
	a := newTestAssistant(t)
	for text, want := range map[string]bool{
		"ahora la de mi esposo": false, "para mi esposo y para mí": false, "Ya le dije, Próspero Quintero": false,
		"mi papá me pega": true, "se tomó las pastillas": true,
	} {
		if found := a.Classify(text, danger.Danger{}).Found(); found != want {
			t.Errorf("%q: %v", text, found)
		}
	}
}

package clinic

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Who writes in English is told the same facts.
func TestEveryAnswerHasAnEnglishTextWithTheSameFacts(t *testing.T) {
	facts := func(text string) []string {
		var names []string
		for _, name := range placeholderForm.FindAllString(text, -1) {
			names = append(names, strings.Replace(name, "English}}", "}}", 1))
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	for _, a := range DefaultContent().Answers {
		spanish, spanishUntold, pair := inPair(a.Text)
		english, englishUntold, englishPair := inPair(a.English)
		if english == "" || pair != englishPair {
			t.Errorf("%s: %q", a.Slug, a.English)
			continue
		}
		for _, texts := range [][2]string{{spanish, english}, {spanishUntold, englishUntold}} {
			if want, got := facts(texts[0]), facts(texts[1]); !slices.Equal(got, want) {
				t.Errorf("%s: names %v instead of %v", a.Slug, got, want)
			}
		}
		for _, name := range []string{"{{phones}}", "{{hours}}", "{{emergency}}", "{{languages}}"} {
			if strings.Contains(a.English, name) {
				t.Errorf("%s: %s is Spanish", a.Slug, name)
			}
		}
	}
}

func TestTheSameEnglishTextDoesNotStayWithAnotherSpanishOne(t *testing.T) {
	before := Answer{Slug: "a", Text: "Sí.", English: "Yes."}
	for name, tt := range map[string]struct {
		now  Answer
		want string
	}{
		"another Spanish text": {Answer{Text: "No.", English: "Yes."}, ""},
		"both are others":      {Answer{Text: "No.", English: "No."}, "No."},
		"another English text": {Answer{Text: "Sí.", English: "Sure."}, "Sure."},
		"another question":     {Answer{Text: "Sí.", English: "Yes.", Questions: []string{"¿y?"}}, "Yes."},
	} {
		if got := tt.now.Replacing(&before).English; got != tt.want {
			t.Errorf("%s: %q", name, got)
		}
		if got := tt.now.Replacing(nil).English; got != tt.now.English {
			t.Errorf("%s: there was none, and now %q", name, got)
		}
	}
}

func TestDaysAndHoursInEnglish(t *testing.T) {
	c := Default()
	saturday := time.Date(2026, 11, 28, 8, 0, 0, 0, c.Zone)
	for got, want := range map[string]string{
		c.Hours.InEnglish():                                              "Monday to Friday, 8:00 a.m. to 7:00 p.m.; Saturday, 9:00 a.m. to 3:00 p.m.; Sunday, closed",
		DayAndTimeInEnglish(saturday):                                    "Saturday, November 28 at 8:00 a.m.",
		NearDayInEnglish(saturday, saturday):                             "today, Saturday",
		NearDayInEnglish(saturday.AddDate(0, 0, 1), saturday):            "tomorrow, Sunday",
		NearDayInEnglish(saturday.AddDate(0, 0, 2), saturday):            "on Monday",
		NearDayInEnglish(saturday.AddDate(0, 0, 7), saturday):            "on Saturday, December 5",
		c.Calendar().OpensInEnglish(saturday, saturday):                  "today, Saturday at 9:00 a.m.",
		c.Calendar().OpensInEnglish(saturday.Add(9*time.Hour), saturday): "on Monday at 8:00 a.m.",
		ClockInEnglish(12 * 60):                                          "12:00 p.m.",
		InEnglish(nil):                                                   "closed",
	} {
		if got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}

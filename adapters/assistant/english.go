package assistant

import (
	"regexp"
	"strings"
)

// inEnglish are frequent words of English that are none of Spanish.
var inEnglish = wordSet("my an out lost broke broken fell get take make not so but because feel daughter kid kids wife husband dentist cleaning braces the what when where which who how is are do does did can could would should will i you your my we they it's im i'm have has the this that there of for with and or to in on at from any need want please hello hi thanks open close closed hours tooth teeth appointment book located address phone number much pain hurts emergency today tomorrow")

// inSpanish are frequent words of Spanish that are none of English.
var inSpanish = wordSet("el la los las un una que cual cuando donde quien como es son esta estan hay tengo tiene tienen puedo puede pueden quiero me mi se su lo le de del en por para con y o si ya muy hola buenas gracias cita dientes muela cuanto cuesta abren cierran horario")

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		set[w] = true
	}
	return set
}

// writesEnglish says whether plain words are English rather than Spanish.
func writesEnglish(list []string) bool {
	english, spanish := 0, 0
	for _, w := range list {
		if inEnglish[w] {
			english++
		}
		if inSpanish[w] {
			spanish++
		}
	}
	return english >= 2 && english > 2*spanish || english == 1 && len(list) == 1 && !shared[list[0]]
}

// shared are English words that people who write Spanish use alone.
var shared = wordSet("hi hello please thanks book phone number")

// booksInEnglish are the English words for making an appointment, and not for another that is made.
var booksInEnglish = regexp.MustCompile(`\b(?:make|get|book|schedule|set up|want|need|have|request) (?:an? |my (?:son|daughter|kid|child) an? )?(?:\w+ )?(?:appointment|visit|cleaning|checkup|consultation)\b|\bhow (?:do|can) (?:i|we) book\b`)

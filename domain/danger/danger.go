// Package danger finds in a visitor's own words that somebody's life is in danger. It
// needs nothing but the text, so that nothing can fail before it.
package danger

import (
	"embed"
	"slices"
	"sync"
)

// Kind is what somebody is in danger of.
type Kind string

// The kinds of danger.
const (
	// Crisis: the visitor speaks of ending or harming their own life, CrisisClose of somebody
	// close who does.
	Crisis      Kind = "crisis"
	CrisisClose Kind = "crisis-close"
	// Poisoning: an overdose, or something swallowed that is dangerous.
	Poisoning Kind = "poisoning"
	// Breathing: no air, choking, an airway that closes.
	Breathing Kind = "breathing"
	// Allergy: a severe allergic reaction.
	Allergy Kind = "allergy"
	// Heart: chest pain, a heart attack, a stroke.
	Heart Kind = "heart"
	// Unconscious: a faint, a seizure, somebody who does not react.
	Unconscious Kind = "unconscious"
	// Bleeding: a bleeding that does not stop.
	Bleeding Kind = "bleeding"
	// Violence: somebody is beaten, abused, threatened or held, child or adult.
	Violence Kind = "violence"
)

// Kinds are all kinds, in the order in which they are answered: the body first and in it the
// breath, then other people, then the mind, because somebody who took an overdose needs a doctor
// before a talk.
var Kinds = []Kind{Breathing, Unconscious, Poisoning, Heart, Allergy, Bleeding, Violence, Crisis, CrisisClose}

// OfMind says that the danger is one of the mind, for which there is a line to talk to.
func (k Kind) OfMind() bool { return k == Crisis || k == CrisisClose }

// Danger is what was found in a text. The zero value is none.
type Danger struct {
	// Kinds are those found, in the order of [Kinds].
	Kinds []Kind
	// Language is the one of the words that were found: "es" or "en".
	Language string
}

// Found says that there is any.
func (d Danger) Found() bool { return len(d.Kinds) > 0 }

//go:embed data/*.txt
var files embed.FS

// Classifier judges a text as a whole: it hears a danger that no phrase names (farewells, hints, symptoms), and a
// figure of speech in which a phrase names one.
type Classifier interface {
	// Classify returns the danger of a text in which phrases found one, or none.
	Classify(text string, found Danger) Danger
}

// languages are read at the first text: most commands read none, and it is a sixth of their start.
var languages = sync.OnceValue(func() []*language { return []*language{mustRead("es"), mustRead("en")} })

// Read finds the danger in a text.
func Read(text string) Danger {
	var d Danger
	for _, l := range languages() {
		found := l.read(text)
		if len(found) > 0 && d.Language == "" {
			d.Language = l.name
		}
		d.Kinds = append(d.Kinds, found...)
	}
	slices.SortFunc(d.Kinds, func(a, b Kind) int { return slices.Index(Kinds, a) - slices.Index(Kinds, b) })
	d.Kinds = slices.Compact(d.Kinds)
	return d
}

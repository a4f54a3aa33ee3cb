package retrieval

import (
	"slices"

	"bitacora/adapters/assistant/logistic"
)

// Line is a text, and the name of what it asks for.
type Line struct{ Text, Class string }

// Classifier tells what a text asks for by what it learned from lines; it is safe for concurrent
// use.
type Classifier struct {
	// Classes are the names of what the lines ask for.
	Classes []string
	Model   *logistic.Model
}

// What was chosen by cross-validation over the lines.
var learning = logistic.Settings{Epochs: 12, Rate: 0.3, Decay: 5e-4, Rarest: 2, Least: 8}

// Learn makes a classifier out of lines.
func Learn(a Analyzer, lines []Line) Classifier {
	var c Classifier
	examples := make([]logistic.Example, len(lines))
	for i, line := range lines {
		class := slices.Index(c.Classes, line.Class)
		if class < 0 {
			class = len(c.Classes)
			c.Classes = append(c.Classes, line.Class)
		}
		list := a.Language.Words(line.Text)
		examples[i] = logistic.Example{Features: a.features(list, a.subject(list)), Class: class}
	}
	c.Model = logistic.Train(examples, len(c.Classes), learning)
	return c
}

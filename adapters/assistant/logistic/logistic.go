// Package logistic learns to tell classes of short texts apart: multinomial logistic
// regression over sparse named features. Training is deterministic.
package logistic

import (
	"math"
	"math/rand/v2"
)

// Feature is something seen in a text, and how much of it.
type Feature struct {
	Name  string
	Value float32
}

// Example is a text's features with the class it belongs to.
type Example struct {
	Features []Feature
	Class    int
}

// Settings govern the training.
type Settings struct {
	// Epochs is how often all examples are looked at.
	Epochs int
	// Rate is the step of the adaptive gradient descent.
	Rate float64
	// Decay pulls all weights towards nothing, so that no single feature decides.
	Decay float64
	// Rarest is in how many examples a feature must occur to be known.
	Rarest int
}

// Model is a trained classifier; it is safe for concurrent use.
type Model struct {
	classes int
	known   map[string]int32
	// weights holds one row of classes for every known feature; the first row is the bias.
	weights []float32
	// rarity is what a feature counts, by its row: more the rarer it was in training.
	rarity []float32
}

// Train learns from examples of the classes 0 … classes-1.
func Train(examples []Example, classes int, s Settings) *Model {
	m := &Model{classes: classes, known: map[string]int32{}, rarity: []float32{1}}
	rows := m.index(examples, s.Rarest)
	m.weights = make([]float32, (len(m.known)+1)*classes)
	squares := make([]float32, len(m.weights))
	gradient := make([]float32, classes)
	order := rand.New(rand.NewPCG(1, 2))
	for range s.Epochs {
		for _, i := range order.Perm(len(rows)) {
			m.scores(rows[i].ids, rows[i].values, gradient)
			softmax(gradient)
			gradient[rows[i].class] -= 1
			m.step(rows[i], gradient, squares, float32(s.Rate), float32(s.Decay))
		}
	}
	return m
}

type row struct {
	ids    []int32
	values []float32
	class  int
}

func (m *Model) index(examples []Example, rarest int) []row {
	occurs := map[string]int{}
	for _, e := range examples {
		for _, f := range e.Features {
			occurs[f.Name]++
		}
	}
	rows := make([]row, len(examples))
	for _, e := range examples {
		for _, f := range e.Features {
			if occurs[f.Name] < rarest {
				continue
			}
			if _, known := m.known[f.Name]; !known {
				m.known[f.Name] = int32(len(m.known) + 1)
				m.rarity = append(m.rarity, float32(math.Log(float64(len(examples)+1)/float64(occurs[f.Name]))))
			}
		}
	}
	for i, e := range examples {
		rows[i].ids, rows[i].values = m.look(e.Features)
		rows[i].class = e.Class
	}
	return rows
}

// look gives the bias and the known features of a text, these brought to one length.
func (m *Model) look(features []Feature) (ids []int32, values []float32) {
	ids, values = make([]int32, 1, len(features)+1), make([]float32, 1, len(features)+1)
	values[0] = 1
	sum := 0.0
	for _, f := range features {
		if id, known := m.known[f.Name]; known {
			v := f.Value * m.rarity[id]
			sum += float64(v) * float64(v)
			ids, values = append(ids, id), append(values, v)
		}
	}
	for i := range values[1:] {
		values[i+1] /= float32(math.Sqrt(sum))
	}
	return ids, values
}

func (m *Model) scores(ids []int32, values, into []float32) {
	clear(into)
	for i, id := range ids {
		v, w := values[i], m.weights[int(id)*m.classes:][:len(into)]
		for c := range into {
			into[c] += v * w[c]
		}
	}
}

// negligible gradients are left out: most classes are far from most texts.
const negligible = 2e-3

func (m *Model) step(r row, gradient, squares []float32, rate, decay float32) {
	for c, g := range gradient {
		if g < negligible && g > -negligible {
			continue
		}
		for i, id := range r.ids {
			at := int(id)*m.classes + c
			slope := g*r.values[i] + decay*m.weights[at]
			squares[at] += slope * slope
			m.weights[at] -= rate * slope / (float32(math.Sqrt(float64(squares[at]))) + 1e-6)
		}
	}
}

// Known says whether a feature occurred in training.
func (m *Model) Known(feature string) bool {
	_, known := m.known[feature]
	return known
}

// Probabilities are those of all classes for a text; they sum up to 1.
func (m *Model) Probabilities(features []Feature) []float32 {
	ids, values := m.look(features)
	p := make([]float32, m.classes)
	m.scores(ids, values, p)
	softmax(p)
	return p
}

func softmax(scores []float32) {
	top := scores[0]
	for _, s := range scores {
		top = max(top, s)
	}
	var sum float32
	for i, s := range scores {
		scores[i] = float32(math.Exp(float64(s - top)))
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

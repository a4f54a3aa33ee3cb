// Package logistic learns to tell classes of short texts apart: multinomial logistic
// regression over sparse named features. Training is deterministic, on every machine.
package logistic

import (
	"math"
	"math/rand/v2"
)

// ID stands for the name of a feature. Two names share one so seldom that it does no harm.
type ID uint32

// IDOf is that of the name that parts make together.
func IDOf(parts ...string) ID {
	hash := uint32(2166136261) // FNV-1a
	for _, part := range parts {
		for i := range len(part) {
			hash = (hash ^ uint32(part[i])) * 16777619
		}
	}
	return ID(hash)
}

// Feature is something seen in a text, and how much of it.
type Feature struct {
	ID    ID
	Value float32
}

// Bag gathers the features of a text, each of them once.
type Bag struct {
	Features []Feature
	at       map[ID]int
}

// NewBag makes a bag for about so many features.
func NewBag(size int) *Bag { return &Bag{make([]Feature, 0, size), make(map[ID]int, size)} }

// Add takes in the feature whose name some parts make together; of two of a name that counts which
// is more.
func (b *Bag) Add(value float32, name ...string) {
	id := IDOf(name...)
	if at, there := b.at[id]; there {
		b.Features[at].Value = max(b.Features[at].Value, value)
		return
	}
	b.at[id] = len(b.Features)
	b.Features = append(b.Features, Feature{id, value})
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
	// Least is how many 127ths of the greatest weight one must have to be kept: the more, the
	// smaller is the model.
	Least int
}

// Train learns from examples of the classes 0 … classes-1.
func Train(examples []Example, classes int, s Settings) *Model {
	t := trainer{classes: classes, vocabulary: newVocabulary(examples, s.Rarest)}
	rows := make([]row, len(examples))
	for i, e := range examples {
		rows[i].ids, rows[i].values = t.look(e.Features)
		rows[i].class = e.Class
	}
	t.weights = make([]float32, len(t.rarity)*classes)
	squares := make([]float32, len(t.weights))
	gradient := make([]float32, classes)
	order := rand.New(rand.NewPCG(1, 2))
	for range s.Epochs {
		for _, i := range order.Perm(len(rows)) {
			t.scores(rows[i], gradient)
			softmax(gradient)
			gradient[rows[i].class] -= 1
			t.step(rows[i], gradient, squares, float32(s.Rate), float32(s.Decay))
		}
	}
	return t.model(s.Least)
}

// trainer holds one row of weights for every known feature; the first row is the bias.
type trainer struct {
	vocabulary
	classes int
	weights []float32
}

type row struct {
	ids    []int32
	values []float32
	class  int
}

func (t *trainer) scores(r row, into []float32) {
	clear(into)
	for i, id := range r.ids {
		v, w := r.values[i], t.weights[int(id)*t.classes:][:len(into)]
		for c := range into {
			into[c] += float32(v * w[c])
		}
	}
}

// negligible gradients are left out: most classes are far from most texts.
const negligible = 2e-3

// step goes down the gradient. What is multiplied is rounded before it is added, so that no machine
// does both at once and learns something slightly different.
func (t *trainer) step(r row, gradient, squares []float32, rate, decay float32) {
	for c, g := range gradient {
		if g < negligible && g > -negligible {
			continue
		}
		for i, id := range r.ids {
			at := int(id)*t.classes + c
			slope := float32(g*r.values[i]) + float32(decay*t.weights[at])
			squares[at] += float32(slope * slope)
			t.weights[at] -= rate * slope / (float32(math.Sqrt(float64(squares[at]))) + 1e-6)
		}
	}
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

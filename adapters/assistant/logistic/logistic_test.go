package logistic

import (
	"fmt"
	"math"
	"reflect"
	"testing"
)

func seen(names ...string) []Feature {
	features := make([]Feature, len(names))
	for i, name := range names {
		features[i] = Feature{IDOf(name), 1}
	}
	return features
}

// toy are fruits, tools and animals, each told by a word of its own among words of all.
func toy() []Example {
	var examples []Example
	for i := range 60 {
		class := i % 3
		own := [][]string{{"pera", "uva"}, {"pala", "pico"}, {"gato", "pato"}}[class][i/3%2]
		examples = append(examples, Example{seen(own, "la", fmt.Sprint("raro", i), []string{"gran", "vieja"}[i%2]), class})
	}
	return examples
}

var settings = Settings{Epochs: 15, Rate: 0.5, Decay: 1e-5, Rarest: 2}

func TestLearnsAToyProblem(t *testing.T) {
	m := Train(toy(), 3, settings)
	for word, class := range map[string]int{"pera": 0, "uva": 0, "pala": 1, "pico": 1, "gato": 2, "pato": 2} {
		p := m.Probabilities(seen(word, "la", "nunca"))
		if p[class] < 0.8 {
			t.Errorf("%s: %v, want class %d", word, p, class)
		}
		var sum float32
		for _, one := range p {
			sum += one
		}
		if math.Abs(float64(sum)-1) > 1e-5 {
			t.Errorf("%s: the probabilities sum up to %v", word, sum)
		}
	}
}

func TestTrainingIsDeterministic(t *testing.T) {
	first := Train(toy(), 3, settings)
	for range 3 {
		if again := Train(toy(), 3, settings); !reflect.DeepEqual(first, again) {
			t.Fatal("the same examples made another model")
		}
	}
}

func TestWhatIsKnown(t *testing.T) {
	m := Train(toy(), 3, settings)
	for feature, want := range map[string]bool{"pera": true, "la": true, "raro1": false, "nunca": false, "": false} {
		if m.Known(IDOf(feature)) != want {
			t.Errorf("%q is known: %v", feature, !want)
		}
	}
}

func TestOfTheUnknownNothingFollows(t *testing.T) {
	m := Train(toy(), 3, settings)
	unknown := m.Probabilities(seen("nunca", "jamás"))
	if !reflect.DeepEqual(unknown, m.Probabilities(nil)) {
		t.Errorf("unknown features say %v, none say %v", unknown, m.Probabilities(nil))
	}
	for class, p := range unknown {
		if math.IsNaN(float64(p)) || p > 0.7 {
			t.Errorf("class %d: %v", class, p)
		}
	}
}

func TestSoftmaxOfLargeScores(t *testing.T) {
	scores := []float32{1000, 1000, -1000}
	softmax(scores)
	if scores[0] != 0.5 || scores[1] != 0.5 || scores[2] != 0 {
		t.Errorf("softmax = %v", scores)
	}
}

func TestAModelThatWasWrittenDownIsTheSame(t *testing.T) {
	m := Train(toy(), 3, settings)
	written, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var read Model
	if err := read.UnmarshalBinary(written); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{"pera", "la"}, {"pico", "gran", "gato"}, {"nunca"}, nil} {
		if got, want := read.Scores(seen(names...)), m.Scores(seen(names...)); !near(got, want) {
			t.Errorf("%q: %v, want %v", names, got, want)
		}
	}
	for n := range written {
		if err := new(Model).UnmarshalBinary(written[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were read", n, len(written))
		}
	}
	if err := new(Model).UnmarshalBinary(append(written, 0)); err == nil {
		t.Error("more than a model was read")
	}
}

func near(a, b []float32) bool {
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-5 {
			return false
		}
	}
	return len(a) == len(b)
}

func TestSmallWeightsAreLeftOut(t *testing.T) {
	few := settings
	few.Least = 60
	all, some := Train(toy(), 3, settings), Train(toy(), 3, few)
	if len(some.weights) == 0 || len(some.weights) >= len(all.weights) {
		t.Errorf("%d weights of %d", len(some.weights), len(all.weights))
	}
}

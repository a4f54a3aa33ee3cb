package logistic

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// vocabulary is what is known of features.
type vocabulary struct {
	// known are the rows of features; row 0 is the bias.
	known map[ID]int32
	// rarity is what a feature counts, by its row: more the rarer it was in training.
	rarity []float32
}

// rarityScale is into how many parts a unit of rarity is divided, to be written down short.
const rarityScale = 64

func newVocabulary(examples []Example, rarest int) vocabulary {
	occurs := map[ID]int{}
	for _, e := range examples {
		for _, f := range e.Features {
			occurs[f.ID]++
		}
	}
	v := vocabulary{map[ID]int32{}, []float32{1}}
	for _, e := range examples {
		for _, f := range e.Features {
			if _, known := v.known[f.ID]; known || occurs[f.ID] < rarest {
				continue
			}
			v.known[f.ID] = int32(len(v.rarity))
			rarity := math.Log(float64(len(examples)+1) / float64(occurs[f.ID]))
			v.rarity = append(v.rarity, float32(math.Round(rarity*rarityScale)/rarityScale))
		}
	}
	return v
}

// look gives the bias and the known features of a text, these brought to one length.
func (v vocabulary) look(features []Feature) (ids []int32, values []float32) {
	ids, values = make([]int32, 1, len(features)+1), make([]float32, 1, len(features)+1)
	values[0] = 1
	sum := 0.0
	for _, f := range features {
		if id, known := v.known[f.ID]; known {
			value := f.Value * v.rarity[id]
			sum += float64(value) * float64(value)
			ids, values = append(ids, id), append(values, value)
		}
	}
	for i := range values[1:] {
		values[i+1] /= float32(math.Sqrt(sum))
	}
	return ids, values
}

// Model is a trained classifier; it is safe for concurrent use.
type Model struct {
	vocabulary
	classes int
	// step is what a weight of 1 stands for.
	step float32
	// weights of the features, those of row r from ends[r-1] on; most are nothing and left out.
	weights []weight
	ends    []int32
}

// weight is what a feature says for a class.
type weight struct {
	class uint16
	steps int8
}

// model keeps of each weight as much as a byte holds. What a feature says for most classes alike says
// nothing, and is taken from all of them.
func (t *trainer) model(least int) *Model {
	m := &Model{vocabulary: t.vocabulary, classes: t.classes}
	sorted := make([]float32, t.classes)
	for row := range m.rarity {
		weights := t.weights[row*t.classes:][:t.classes]
		copy(sorted, weights)
		slices.Sort(sorted)
		usual := sorted[(t.classes-1)/2]
		for c := range weights {
			weights[c] -= usual
			m.step = max(m.step, weights[c]/math.MaxInt8, -weights[c]/math.MaxInt8)
		}
	}
	for row := range m.rarity {
		for c, w := range t.weights[row*t.classes:][:t.classes] {
			if steps := int8(math.Round(float64(w / m.step))); steps != 0 && (int(steps) >= least || int(steps) <= -least) {
				m.weights = append(m.weights, weight{uint16(c), steps})
			}
		}
		m.ends = append(m.ends, int32(len(m.weights)))
	}
	return m
}

// row are the weights of a feature.
func (m *Model) row(row int32) []weight {
	begin := int32(0)
	if row > 0 {
		begin = m.ends[row-1]
	}
	return m.weights[begin:m.ends[row]]
}

// Known says whether a feature occurred in training.
func (m *Model) Known(feature ID) bool {
	_, known := m.known[feature]
	return known
}

// Scores are how much a text belongs to each class: their exponentials are in the proportion of
// the probabilities.
func (m *Model) Scores(features []Feature) []float32 {
	ids, values := m.look(features)
	scores := make([]float32, m.classes)
	for i, row := range ids {
		v := values[i] * m.step
		for _, w := range m.row(row) {
			scores[w.class] += v * float32(w.steps)
		}
	}
	return scores
}

// Probabilities are those of all classes for a text; they sum up to 1.
func (m *Model) Probabilities(features []Feature) []float32 {
	p := m.Scores(features)
	softmax(p)
	return p
}

// MarshalBinary writes a model down, small: a feature takes its ID, its rarity and two bytes for each
// weight.
func (m *Model) MarshalBinary() ([]byte, error) {
	var b []byte
	ids := make([]ID, len(m.rarity))
	for id, row := range m.known {
		ids[row] = id
	}
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order[1:], func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	b = binary.AppendUvarint(b, uint64(m.classes))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.step))
	b = binary.AppendUvarint(b, uint64(len(order)))
	last := ID(0)
	for _, row := range order {
		b = binary.AppendUvarint(b, uint64(ids[row]-last))
		last = ids[row]
		b = binary.AppendUvarint(b, uint64(math.Round(float64(m.rarity[row])*rarityScale)))
		list := m.row(int32(row))
		b = binary.AppendUvarint(b, uint64(len(list)))
		class := uint16(0)
		for _, w := range list {
			b = append(binary.AppendUvarint(b, uint64(w.class-class)), byte(w.steps))
			class = w.class
		}
	}
	return b, nil
}

// UnmarshalBinary reads what [Model.MarshalBinary] wrote.
func (m *Model) UnmarshalBinary(b []byte) error {
	r := reader{rest: b}
	m.classes = int(r.number(math.MaxUint16))
	m.step = math.Float32frombits(uint32(r.bytes(4)))
	rows := int32(r.number(maxRows))
	m.known = make(map[ID]int32, rows)
	m.rarity, m.ends = make([]float32, 0, rows), make([]int32, 0, rows)
	id := ID(0)
	for row := range rows {
		id += ID(r.number(math.MaxUint32))
		if row > 0 {
			m.known[id] = row
		}
		m.rarity = append(m.rarity, float32(r.number(math.MaxUint16))/rarityScale)
		class := uint64(0)
		for range r.number(uint64(m.classes)) {
			class += r.number(uint64(m.classes))
			m.weights = append(m.weights, weight{uint16(class), int8(r.bytes(1))})
			r.check(class < uint64(m.classes))
		}
		m.ends = append(m.ends, int32(len(m.weights)))
		if r.broken {
			break
		}
	}
	if r.broken || len(r.rest) > 0 {
		return errors.New("read model: it is broken")
	}
	return nil
}

// maxRows bounds the features of a model that is read.
const maxRows = 1 << 22

// reader takes numbers from the beginning of what is left.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) check(fine bool) { r.broken = r.broken || !fine }

// number is one of at most so much.
func (r *reader) number(most uint64) uint64 {
	n, size := binary.Uvarint(r.rest)
	r.check(size > 0 && n <= most)
	if r.broken {
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// bytes is a number of a fixed size.
func (r *reader) bytes(size int) (n uint64) {
	r.check(len(r.rest) >= size)
	if r.broken {
		return 0
	}
	for i := range size {
		n |= uint64(r.rest[i]) << (8 * i)
	}
	r.rest = r.rest[size:]
	return n
}

package retrieval

import (
	"math"
	"strings"
)

// feature is something that is compared of a text.
type feature struct {
	name   string
	weight float64
}

// space compares texts with items by the rarity of what both have, as BM25 does.
type space struct {
	items    []map[string]float64
	lengths  []float64
	postings map[string][]posting
	rarity   map[string]float64
	// rarest is the rarity of what no item has.
	rarest float64
}

// posting is an item that has a feature, and how much that counts there.
type posting struct {
	item   int
	weight float64
}

// saturation is the parameter of the usual BM25 score.
const saturation = 1.55

func newSpace() *space {
	return &space{postings: map[string][]posting{}, rarity: map[string]float64{}}
}

// add takes in an item by how often it has each feature.
func (s *space) add(item map[string]float64) {
	s.items = append(s.items, item)
	length := 0.0
	for name, n := range item {
		s.rarity[name]++
		length += n
	}
	s.lengths = append(s.lengths, length)
}

// finish prepares for comparing; no item is added after it.
func (s *space) finish() {
	n := float64(len(s.items))
	for name, in := range s.rarity {
		s.rarity[name] = math.Log(1 + n/in)
	}
	s.rarest = math.Log(1 + 2*n)
	mean := 0.0
	for _, l := range s.lengths {
		mean += l / n
	}
	for i, item := range s.items {
		k := saturation * (0.5 + 0.5*s.lengths[i]/mean)
		for name, count := range item {
			s.postings[name] = append(s.postings[name], posting{i, count / (count + k)})
		}
	}
	s.items = nil
}

// scores are how much each item has of a text, from 0 to 1.
func (s *space) scores(features []feature) []float64 {
	scores := make([]float64, len(s.lengths))
	all := 0.0
	for _, f := range features {
		rarity, known := s.rarity[f.name]
		if !known {
			rarity = s.rarest
			if f.name[0] == gramMark || strings.Contains(f.name, " ") {
				rarity /= 2
			}
		}
		all += f.weight * rarity
		for _, p := range s.postings[f.name] {
			scores[p.item] += f.weight * rarity * p.weight
		}
	}
	for i := range scores {
		scores[i] /= max(all, 1e-9)
	}
	return scores
}

package retrieval

import (
	"math"

	"bitacora/adapters/assistant/logistic"
)

// space compares texts with items by the rarity of what both have, as BM25 does.
type space struct {
	lengths  []float64
	postings map[logistic.ID][]posting
	rarity   map[logistic.ID]float64
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

// newSpace makes a space of items, each given by how often it has each feature.
func newSpace(items [][]count) *space {
	s := &space{
		lengths: make([]float64, len(items)), postings: map[logistic.ID][]posting{}, rarity: map[logistic.ID]float64{},
		rarest: math.Log(1 + 2*float64(len(items))),
	}
	mean := 0.0
	for i, item := range items {
		for _, c := range item {
			s.lengths[i] += float64(c.n)
		}
		mean += s.lengths[i] / float64(len(items))
	}
	for i, item := range items {
		k := saturation * (0.5 + 0.5*s.lengths[i]/mean)
		for _, c := range item {
			s.postings[c.id] = append(s.postings[c.id], posting{i, float64(c.n) / (float64(c.n) + k)})
		}
	}
	for id, in := range s.postings {
		s.rarity[id] = math.Log(1 + float64(len(items))/float64(len(in)))
	}
	return s
}

// count is how often something has a feature.
type count struct {
	id logistic.ID
	n  float32
}

// counter counts features, in the order in which they come.
type counter struct {
	counts []count
	at     map[logistic.ID]int
}

func (c *counter) add(id logistic.ID, n float32) {
	at, there := c.at[id]
	if !there {
		at = len(c.counts)
		c.at[id] = at
		c.counts = append(c.counts, count{id: id})
	}
	c.counts[at].n += n
}

// scores are how much each item has of a text, from 0 to 1.
func (s *space) scores(features []logistic.Feature) []float64 {
	scores := make([]float64, len(s.lengths))
	all := 0.0
	for _, f := range features {
		rarity, known := s.rarity[f.ID]
		if !known {
			rarity = s.rarest
		}
		all += float64(f.Value) * rarity
		for _, p := range s.postings[f.ID] {
			scores[p.item] += float64(f.Value) * rarity * p.weight
		}
	}
	for i := range scores {
		scores[i] /= max(all, 1e-9)
	}
	return scores
}

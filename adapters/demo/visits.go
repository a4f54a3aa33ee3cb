package demo

import (
	"math/rand/v2"
	"slices"
	"time"

	"bitacora/domain/chat"
)

// visitsSince is when the site of the history began to count its visits.
func (g *generator) visitsSince() time.Time {
	return time.Date(g.Until.Year(), g.Until.Month()-time.Month(profile.visits.months), 1, 0, 0, 0, 0, g.Zone)
}

// withQuiet adds to the arrivals of a month, in order, the visits in which nothing was said.
func (g *generator) withQuiet(list []arrival, month time.Time) []arrival {
	if month.Before(g.visitsSince()) {
		return list
	}
	taken := make(map[int64]bool, len(list))
	for _, a := range list {
		taken[a.at.UnixMilli()] = true
	}
	for day := month; sameMonth(day, month); day = day.AddDate(0, 0, 1) {
		r := rand.New(rand.NewPCG(g.Seed^0x715, uint64(day.Unix())))
		weights := hourWeights(day)
		for range int(negativeBinomial(r, g.expected(day)*(1/profile.visits.talking-1), profile.dispersion)) {
			at := inHour(r, day, pick(r, weights[:]))
			if !taken[at.UnixMilli()] {
				taken[at.UnixMilli()] = true
				list = append(list, arrival{at: at, quiet: true})
			}
		}
	}
	slices.SortFunc(list, func(a, b arrival) int { return a.at.Compare(b.at) })
	return list
}

// selfOpening is how long after a visit began the chat opens itself.
const selfOpening = 5 * time.Second

// quietVisit is a visit in which nothing was said.
func (g *generator) quietVisit(r *rand.Rand, at time.Time) *chat.PastVisit {
	v := &chat.PastVisit{At: at}
	stays := at.Add(profile.visits.stay.seconds(r))
	if stays.Sub(at) > selfOpening {
		v.OpenedItselfAt = at.Add(selfOpening)
	}
	if r.Float64() < profile.visits.opened {
		v.OpenedAt = at.Add(between(r, 2*time.Second, 40*time.Second))
	}
	for _, opened := range []*time.Time{&v.OpenedItselfAt, &v.OpenedAt} {
		if opened.After(g.Until) {
			*opened = time.Time{}
		}
	}
	return v
}

// visitBefore is the visit in which a conversation began; nil if none was counted then.
func (g *generator) visitBefore(first time.Time) *chat.PastVisit {
	r := rand.New(rand.NewPCG(g.Seed^0x716, uint64(first.UnixMilli())))
	at := first.Add(-between(r, 4*time.Second, 3*time.Minute))
	if at.Before(g.visitsSince()) || r.Float64() < profile.visits.uncounted {
		return nil
	}
	v := &chat.PastVisit{At: at, OpenedAt: first.Add(-between(r, time.Second, 3*time.Second))}
	if itself := at.Add(selfOpening); itself.Before(v.OpenedAt) {
		v.OpenedItselfAt = itself
	}
	return v
}

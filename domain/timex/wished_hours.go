package timex

import "bitacora/domain/clinic"

// wishedHours sets the bounds of the time of day; impossible says that an hour was named that no day
// has.
func wishedHours(parts []part, refused []bool, w *clinic.Wish) (impossible bool) {
	half, exact, bounds := halfSaid(parts, refused), []*minuteOfDay(nil), []hours(nil)
	joined := false
	for i, part := range parts {
		if part.kind != anHour || refused[i] {
			continue
		}
		h := part.hours
		for _, m := range []*minuteOfDay{h.from, h.to} {
			impossible = impossible || m != nil && m.impossible
		}
		switch {
		case h.same && len(exact) > 0:
			bounds, exact = append(bounds, hours{from: exact[len(exact)-1]}), nil
		case h.exact && !h.from.impossible:
			joined = joined || len(exact) > 0 && i > 0 && parts[i-1].kind == aJoint
			exact = append(exact, h.from)
		case !h.exact && !h.same:
			bounds = append(bounds, h)
		}
	}
	if len(exact)+len(bounds) > 0 {
		impossible = false
	}
	switch {
	case len(bounds) > 0:
		for _, h := range bounds {
			h.bound(half, w)
		}
	case joined:
		for _, m := range exact {
			minute := m.minuteIn(half)
			if w.Latest == 0 || minute < w.Earliest {
				w.Earliest = minute
			}
			w.Latest = max(w.Latest, minute+1)
		}
	case len(exact) > 0:
		w.Earliest, w.Exact = exact[0].minuteIn(half), true
	default:
		half.bound(w)
	}
	return impossible
}

// bound sets the bounds of hours of which one or both were said.
func (h hours) bound(part half, w *clinic.Wish) {
	switch {
	case h.from == nil && !h.to.impossible:
		w.Latest = h.to.minuteIn(part)
	case h.to == nil && !h.from.impossible:
		w.Earliest = h.from.minuteIn(part)
	case h.from != nil && h.to != nil:
		from, to := *h.from, *h.to
		if from.half == noHalf {
			from.half = to.half
		}
		first, last := from.minuteIn(part), to.minuteIn(part)
		if first >= last {
			first -= midday
		}
		if 0 <= first && first < last {
			w.Earliest, w.Latest = first, last
		}
	}
}

// bound sets the bounds of a part of the day.
func (h half) bound(w *clinic.Wish) {
	switch h {
	case noon:
		w.Earliest, w.Exact = midday, true
	case evening:
		w.Earliest = lateFrom
	case afternoon:
		w.Earliest, w.Latest = midday, endOfDay
	case early:
		w.Latest = earlyUntil
	case morning:
		w.Latest = midday
	case notEarly:
		w.Earliest = earlyUntil
	}
}

// opposite is what is left of a day without a part of it.
var opposite = map[half]half{morning: afternoon, afternoon: morning, early: notEarly}

// halfSaid is the part of the day that was said: the latest of several, as "mañana en la tarde" is the
// afternoon.
func halfSaid(parts []part, refused []bool) half {
	said := noHalf
	for i, part := range parts {
		h := part.half
		if part.kind != aHalf {
			continue
		}
		if refused[i] {
			h = opposite[h]
		}
		said = max(said, h)
	}
	return said
}

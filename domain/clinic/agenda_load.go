package clinic

import (
	"maps"
	"slices"
	"time"
)

func defaultAgenda() Agenda {
	hour := Visit{Minutes: 60, Chairs: 1}
	return Agenda{
		Lead:     2 * time.Hour,
		Days:     45,
		Standard: Visit{Minutes: 30, Chairs: 1},
		Visits: map[string]Visit{
			"limpieza-dental":      {Minutes: 30, Chairs: 2},
			"odontologia-general":  {Minutes: 30, Chairs: 2},
			"endodoncia":           hour,
			"muelas-del-juicio":    hour,
			"implantes-dentales":   hour,
			"rehabilitacion-oral":  hour,
			"cirugia-maxilofacial": hour,
		},
	}
}

// Bounds of a sensible agenda.
const (
	maxAgendaDays   = 366
	leastVisit      = 5
	maxVisitMinutes = 8 * 60
	maxChairs       = 50
	maxLeadMinutes  = 30 * 24 * 60
)

// setAgenda takes over what a file says about appointments. Services that "visits" leaves out keep
// their visits; days that are "closed" are exceptions.
func setAgenda(c *Clinic, s *sheet, n *node) {
	s.fields(n, map[string]func(*node){
		"leadMinutes": func(n *node) { c.Agenda.Lead = time.Duration(s.whole(n, 0, maxLeadMinutes)) * time.Minute },
		"days":        func(n *node) { c.Agenda.Days = s.whole(n, 1, maxAgendaDays) },
		"standard":    func(n *node) { c.Agenda.Standard = s.visit(n, c.Agenda.Standard) },
		"visits": func(n *node) {
			c.Agenda.Visits = maps.Clone(c.Agenda.Visits)
			s.entries(n, `{"endodoncia": {"minutes": 60, "chairs": 1}}`, func(slug string, n *node) {
				c.Agenda.Visits[slug] = s.visit(n, Visit{})
			})
		},
		"closed": func(n *node) {
			s.list(n, func(one *node) {
				if day, layout := s.day(one, time.DateOnly, yearly); layout != "" {
					addDay(c, s, one, Exception{Date: day.Format(layout)})
				}
			})
		},
	})
}

func (s *sheet) visit(n *node, v Visit) Visit {
	s.fields(n, map[string]func(*node){
		"minutes": func(n *node) { v.Minutes = s.whole(n, leastVisit, maxVisitMinutes) },
		"chairs":  func(n *node) { v.Chairs = s.whole(n, 1, maxChairs) },
		"visits":  s.into(&v.Visits, maxTopic),
	})
	return v
}

// flaws lists what an agenda cannot be like, by the path in the clinic's file.
func (a Agenda) flaws() []flaw {
	var found flaws
	visits := map[string]Visit{"agenda.standard": a.Standard}
	for slug, visit := range a.Visits {
		visits["agenda.visits."+slug] = visit
	}
	for _, path := range slices.Sorted(maps.Keys(visits)) {
		if v := visits[path]; v.Minutes < leastVisit || v.Chairs < 1 {
			found.report(path, "needs %d to %d minutes and 1 to %d chairs", leastVisit, maxVisitMinutes, maxChairs)
		}
	}
	return found
}

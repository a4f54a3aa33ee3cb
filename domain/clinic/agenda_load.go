package clinic

import (
	"encoding/json"
	"fmt"
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

// setAgenda takes over what a configuration file says about appointments. Services that
// "visits" leaves out keep their visits.
func (c *Clinic) setAgenda(raw json.RawMessage) error {
	said := struct {
		LeadMinutes int              `json:"leadMinutes"`
		Days        int              `json:"days"`
		Standard    Visit            `json:"standard"`
		Visits      map[string]Visit `json:"visits"`
		Closed      []string         `json:"closed"`
	}{int(c.Agenda.Lead / time.Minute), c.Agenda.Days, c.Agenda.Standard, maps.Clone(c.Agenda.Visits), c.Agenda.Closed}
	if err := strictly(raw, &said); err != nil {
		return err
	}
	c.Agenda = Agenda{
		Lead: time.Duration(said.LeadMinutes) * time.Minute,
		Days: said.Days, Standard: said.Standard, Visits: said.Visits, Closed: said.Closed,
	}
	return nil
}

// Bounds of a sensible agenda.
const (
	maxAgendaDays   = 366
	maxVisitMinutes = 8 * 60
	maxChairs       = 50
)

// mistakes lists what an agenda cannot be like.
func (a Agenda) mistakes() []error {
	var found []error
	report := func(format string, args ...any) { found = append(found, fmt.Errorf("agenda."+format, args...)) }
	if a.Lead < 0 {
		report("leadMinutes: is below 0")
	}
	if a.Days < 1 || a.Days > maxAgendaDays {
		report("days: %d is not between 1 and %d", a.Days, maxAgendaDays)
	}
	visits := maps.Clone(a.Visits)
	if visits == nil {
		visits = map[string]Visit{}
	}
	visits["standard"] = a.Standard
	for _, name := range slices.Sorted(maps.Keys(visits)) {
		if v := visits[name]; v.Minutes < 5 || v.Minutes > maxVisitMinutes || v.Chairs < 1 || v.Chairs > maxChairs {
			report("%s: needs 5 to %d minutes and 1 to %d chairs", name, maxVisitMinutes, maxChairs)
		}
	}
	for _, day := range a.Closed {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			report("closed: %q is not like 2026-12-25", day)
		}
	}
	return found
}

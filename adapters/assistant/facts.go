package assistant

import (
	"time"

	"bitacora/domain/clinic"
)

// priced is what a service costs, or each does, where the clinic tells it.
func (e *Embedded) priced(q asked, slug string, b before, s *textData) (answer, bool) {
	if q.m.Intent != "precio" || len(e.clinic.Prices) == 0 {
		return answer{}, false
	}
	if one := e.library.find(q.text, slug).answer; slug == "" && one.Aspect == "costo" && one.Service == "" && !e.followsUp(q.list, b) {
		return answer{}, false // of a look, or of no treatment
	}
	if slug == "" && e.followsUp(q.list, b) {
		slug = b.service
	}
	if slug == "" {
		return answer{Name: "precios", Topic: "precios", Answered: true, Sources: []string{"clinic/prices"}}, true
	}
	if _, told := e.clinic.Prices[slug]; !told {
		return answer{}, false
	}
	s.Service, _ = e.clinic.Service(slug)
	return answer{Name: "precio-dicho", Topic: "precios", Answered: true, Sources: []string{"clinic/prices", "service/" + slug}}, true
}

// asksHours says whether an answer is about the hours of the week, or of a day that the clinic's
// exceptions make certain.
func asksHours(q asked, one answer, exceptions bool, at time.Time) bool {
	if at.IsZero() {
		return false
	}
	return one.Name == "horario" || one.Name == "feriados" && exceptions && namesDay(q, at)
}

// Price is what the service costs that was asked about; empty if the clinic does not tell it.
func (s textData) Price() string {
	if price, told := s.Prices[s.Service.Slug]; told {
		return price.String()
	}
	return ""
}

// DayReason says why the day that was asked about has other hours; empty for no reason.
func (s textData) DayReason() string {
	for _, e := range s.Exceptions {
		if e.Date == s.day.Format(time.DateOnly) {
			return e.Name
		}
	}
	return ""
}

// hoursOfUrgencies says when urgencies are seen, or that nobody has told whether they are.
const hoursOfUrgencies = "horario-urgencias"

// tellsFact makes an answer of the program one that is answered, or one that is not, by whether the
// clinic tells the fact that it is about.
func (a answer) tellsFact(c clinic.Clinic) answer {
	if a.Name == hoursOfUrgencies && !seesUrgencies(c) {
		a.Answered, a.Open = false, true
	}
	if a.Fact != "" && c.Says(a.Fact) != "" {
		a.Answered, a.Open, a.Sources = true, false, []string{"clinic/" + a.Fact}
	}
	return a
}

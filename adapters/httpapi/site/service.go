package site

import (
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/httpapi/contract"
)

// maxQuestions is how many questions the page of a service answers.
const maxQuestions = 5

// notAsked are aspects that the page of a service tells by itself.
var notAsked = []string{"", "que-es", "costo", "doctor"}

// told is a service with what the clinic tells of it beside its text.
func (s presentation) told(of contract.Service) contract.Service {
	if price, ok := s.facts.Prices[of.Slug]; ok {
		of.Price = &contract.ServicePrice{Text: price.String(), Currency: price.Currency, From: price.From}
		if price.To > 0 || price.From == 0 {
			of.Price.To = &price.To
		}
	}
	visit := s.facts.Agenda.Visit(of.Slug)
	if of.Visits = contract.Optional(visit.Visits); s.facts.Links.Configured().Booking == "" {
		of.Minutes = contract.Optional(visit.Minutes)
	}
	var team []contract.ServiceTeam
	for _, p := range s.content.Profiles {
		if p.Service != of.Slug {
			continue
		}
		member := contract.ServiceTeam{Name: s.facts.Fill(p.Name), Title: s.facts.Fill(p.Title)}
		if p.HasPage() {
			member.Path = contract.Optional("/about/" + p.Slug)
		}
		team = append(team, member)
	}
	if len(team) > 0 {
		of.Team = &team
	}
	if questions := s.questions(of.Slug); len(questions) > 0 {
		of.Questions = &questions
	}
	return of
}

// questions are those about a service that the clinic answers for everybody, one of each aspect.
func (s presentation) questions(service string) (all []contract.ServiceQuestion) {
	told := slices.Clone(notAsked)
	for _, a := range s.content.Answers {
		a = a.Of(s.facts)
		if a.Service != service || a.Open || slices.Contains(told, a.Aspect) || len(all) == maxQuestions {
			continue
		}
		asked := slices.IndexFunc(a.Questions, isHeading)
		if asked < 0 {
			continue
		}
		told = append(told, a.Aspect)
		all = append(all, contract.ServiceQuestion{Question: a.Questions[asked], Answer: s.facts.Fill(a.Text)})
	}
	return all
}

// informal finds words by which a question says tú to somebody: the answers have both forms, questions are as
// visitors ask them.
var informal = regexp.MustCompile(`(?i)(^|\P{L})(t[eúu]|ti|tus)(\P{L}|$)`)

// isHeading tells whether a way to ask is a whole question that suits either form of address.
func isHeading(question string) bool {
	return strings.HasPrefix(question, "¿") && strings.HasSuffix(question, "?") && !informal.MatchString(question)
}

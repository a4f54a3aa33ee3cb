package clinic

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// toldFields says how what a clinic may tell is taken over. What is null is not told.
func toldFields(c *Clinic, s *sheet) map[string]func(*node) {
	return unlessNull(map[string]func(*node){
		"directions": s.into(&c.Directions, longestFact), "landmarks": s.into(&c.Landmarks, longestFact),
		"transit": s.into(&c.Transit, longestFact), "parking": s.into(&c.Parking, longestFact),
		"accessibility": s.into(&c.Accessibility, longestFact), "sedation": s.into(&c.Sedation, longestFact),
		"whatsapp": func(n *node) {
			c.WhatsApp = Phone(s.words(n, longestName))
			if !phoneForm.MatchString(string(c.WhatsApp)) {
				s.report(n, "%q is not like +507 6000-0101", c.WhatsApp)
			}
		},
		"exceptions": func(n *node) { s.list(n, func(one *node) { addException(c, s, one) }) },
		"payment":    func(n *node) { setPayment(c, s, n) },
		"insurers":   func(n *node) { c.Insurers = s.texts(n) },
		"prices":     func(n *node) { setPrices(c, s, n) },
		"doctors":    func(n *node) { s.list(n, func(one *node) { c.Doctors = append(c.Doctors, s.doctor(one)) }) },
		"languages":  func(n *node) { c.Languages = s.codes(n, slices.Sorted(maps.Keys(languages))) },
		"children":   func(n *node) { c.Children = s.children(n) },
	})
}

// longestException bounds in days how long an exception may last.
const longestException = 92

// addException takes over an exception: a day, or all from "date" to "until".
func addException(c *Clinic, s *sheet, n *node) {
	var e Exception
	var first, last time.Time
	var layout, until string
	s.fields(n, map[string]func(*node){
		"date":  func(n *node) { first, layout = s.day(n, time.DateOnly, yearly) },
		"until": func(n *node) { last, until = s.day(n, time.DateOnly, yearly) },
		"name":  s.into(&e.Name, longestName),
		"hours": func(n *node) { e.Spans = s.spans(n) },
	})
	if fields, _ := n.value.(object); fields["date"] == nil {
		s.report(n, `needs a "date"`)
	} else if fields["until"] == nil {
		last, until = first, layout
	}
	switch {
	case layout == "" || until == "":
		return
	case layout != until || last.Before(first):
		s.report(n, `"until" is not a day after "date", written in the same way`)
		return
	case last.Sub(first) >= longestException*24*time.Hour:
		s.report(n, "lasts longer than %d days", longestException)
		return
	}
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		e.Date = day.Format(layout)
		addDay(c, s, n, e)
	}
}

func addDay(c *Clinic, s *sheet, n *node, e Exception) {
	if slices.ContainsFunc(c.Exceptions, func(other Exception) bool { return other.Date == e.Date }) {
		s.report(n, "%s is there twice", e.Date)
		return
	}
	c.Exceptions = append(c.Exceptions, e)
}

func setPayment(c *Clinic, s *sheet, n *node) {
	s.fields(n, map[string]func(*node){
		"methods":    func(n *node) { c.Payment.Methods = s.texts(n) },
		"currencies": func(n *node) { c.Payment.Currencies = s.codes(n, slices.Sorted(maps.Keys(currencies))) },
	})
}

// codes gives a list of which all elements are known.
func (s *sheet) codes(n *node, known []string) []string {
	all := s.texts(n)
	s.list(n, func(one *node) {
		if code, isText := one.value.(string); isText && !slices.Contains(known, code) {
			s.report(one, "%q is no known code%s", code, didYouMean(code, known))
		}
	})
	return all
}

func setPrices(c *Clinic, s *sheet, n *node) {
	currency := ""
	all, _ := n.value.(object)
	if said := all["currency"]; said != nil {
		currency = s.currency(said)
	} else {
		s.report(n, `needs a "currency" like "USD"`)
	}
	s.fields(n, map[string]func(*node){
		"currency": func(*node) {},
		"consultation": func(n *node) {
			price := s.price(n, currency)
			c.Consultation = &price
		},
		"services": func(n *node) {
			c.Prices = map[string]Price{}
			s.entries(n, `{"ortodoncia": {"from": 900}}`, func(slug string, n *node) {
				s.slug(n, slug)
				c.Prices[slug] = s.price(n, currency)
			})
		},
	})
}

func (s *sheet) currency(n *node) string {
	code, _ := n.value.(string)
	if _, known := currencies[code]; !known {
		s.report(n, "%s is no known code%s", quotedValue(n.value), didYouMean(code, slices.Sorted(maps.Keys(currencies))))
	}
	return code
}

func (s *sheet) slug(n *node, slug string) {
	if !slugForm.MatchString(slug) {
		s.report(n, "%q is not the slug of a service, like diseno-sonrisa", slug)
	}
}

// mostMoney bounds a price.
const mostMoney = 100_000_000

// price gives what {"price": 40}, {"from": 40} or {"from": 40, "to": 60} say.
func (s *sheet) price(n *node, currency string) Price {
	p := Price{Currency: currency}
	amount := func(target *float64) func(*node) {
		return func(n *node) {
			number, isNumber := n.value.(json.Number)
			value, err := number.Float64()
			if !isNumber || err != nil || value < 0 || value > mostMoney {
				s.report(n, "%s is no amount of money", quotedValue(n.value))
			}
			*target = value
		}
	}
	var exactly float64
	s.fields(n, map[string]func(*node){
		"price": amount(&exactly), "from": amount(&p.From), "to": amount(&p.To),
		"currency": func(n *node) { p.Currency = s.currency(n) }, "note": s.into(&p.Note, longestName),
	})
	all, isObject := n.value.(object)
	exact, from, to := all["price"] != nil, all["from"] != nil, all["to"] != nil
	switch {
	case !isObject:
	case exact == from || exact && to:
		s.report(n, `needs either "price", or "from" and perhaps "to"`)
	case exact:
		p.From, p.To = exactly, exactly
	case to && p.To <= p.From:
		s.report(n, `"to" is not more than "from"`)
	case p.From == 0 && !to:
		s.report(n, `"from" is 0; what is free has a "price" of 0`)
	}
	return p
}

func (s *sheet) doctor(n *node) Doctor {
	var d Doctor
	s.fields(n, map[string]func(*node){
		"name": s.into(&d.Name, longestName), "profession": s.into(&d.Profession, longestName),
		"registration": s.into(&d.Registration, longestName), "since": func(n *node) { d.Since = s.whole(n, 1930, 2100) },
		"languages": func(n *node) { d.Languages = s.codes(n, slices.Sorted(maps.Keys(languages))) },
		"services": func(n *node) {
			d.Services = s.texts(n)
			s.list(n, func(one *node) {
				if slug, isText := one.value.(string); isText {
					s.slug(one, slug)
				}
			})
		},
		"days": func(n *node) {
			s.list(n, func(one *node) {
				name, _ := one.value.(string)
				day, ok := weekday(name)
				if !ok {
					s.report(one, "%s is no day%s", quotedValue(one.value), didYouMean(name, weekdays))
				}
				d.Days = append(d.Days, day)
			})
		},
	})
	if all, isObject := n.value.(object); isObject && all["profession"] == nil {
		s.report(n, `needs a "profession" like "ortodoncista"`)
	}
	return d
}

var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

func weekday(name string) (time.Weekday, bool) {
	i := slices.Index(weekdays, strings.ToLower(name))
	return time.Weekday((i + 1) % len(weekdays)), i >= 0
}

// oldestChild is the age in months beyond which nobody is a child.
const oldestChild = 18 * 12

func (s *sheet) children(n *node) *Children {
	var c Children
	s.fields(n, map[string]func(*node){
		"fromMonths": func(n *node) { c.FromMonths = s.whole(n, 0, oldestChild) },
		"note":       s.into(&c.Note, longestName),
	})
	if all, isObject := n.value.(object); isObject && all["fromMonths"] == nil {
		s.report(n, `needs "fromMonths"`)
	}
	return &c
}

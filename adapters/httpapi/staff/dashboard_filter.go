package staff

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

const (
	// maxFilterText bounds a text in a filter, in characters.
	maxFilterText = 200
	// maxFilterSeconds is longer than any conversation.
	maxFilterSeconds = 1e9
)

// cohortOf reads which conversations a request is about: its period and its filters.
func cohortOf(q url.Values, of clinic.Clinic, now time.Time) (analytics.Cohort, error) {
	period, err := analytics.ParsePeriod(q.Get("startDate"), q.Get("endDate"), now, of.Zone)
	if err != nil {
		return analytics.Cohort{}, err
	}
	p := filterParser{values: q}
	f := analytics.Filter{
		Lead:            p.yesNo("lead"),
		Appointment:     p.yesNo("appointment"),
		Consent:         p.yesNo("consent"),
		Unanswered:      p.yesNo("unanswered"),
		Failed:          p.yesNo("failed"),
		Flagged:         p.yesNo("flagged"),
		Flag:            p.oneOf("flag", event.Flags...),
		OutOfHours:      p.yesNo("outOfHours"),
		Topic:           p.text("topic"),
		UnansweredTopic: p.text("unansweredTopic"),
		Model:           p.text("model"),
		Rated:           p.oneOf("rated", event.RatedPositive, event.RatedNegative),
		RatedTopic:      p.text("ratedTopic"),
		MinActive:       p.seconds("minDuration", math.Ceil),
		MaxActive:       p.seconds("maxDuration", math.Floor),
		Weekday:         p.number("weekday", 1, 7),
		Hour:            p.number("hour", 0, 23),
		Search:          p.text("q"),
	}
	if f.Rated == "" && f.RatedTopic != "" {
		p.refuse("ratedTopic", "El filtro «ratedTopic» solo vale junto con «rated».")
	}
	return analytics.Cohort{Period: period, Filter: f, Hours: of.Hours}, p.err
}

// filterParser reads filters and keeps the first mistake.
type filterParser struct {
	values url.Values
	err    error
}

func (p *filterParser) refuse(field, sentence string) {
	if p.err == nil {
		p.err = web.BadField(field, sentence)
	}
}

func (p *filterParser) yesNo(field string) *bool {
	switch p.values.Get(field) {
	case "":
	case "true":
		return new(true)
	case "false":
		return new(false)
	default:
		p.refuse(field, fmt.Sprintf("El filtro «%s» debe ser «true» o «false».", field))
	}
	return nil
}

func (p *filterParser) oneOf(field string, values ...string) string {
	value := p.values.Get(field)
	if value != "" && !slices.Contains(values, value) {
		p.refuse(field, fmt.Sprintf("El filtro «%s» no conoce «%s».", field, value))
		return ""
	}
	return value
}

func (p *filterParser) text(field string) string {
	text := strings.TrimSpace(p.values.Get(field))
	if utf8.RuneCountInString(text) > maxFilterText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		p.refuse(field, fmt.Sprintf("El filtro «%s» no es válido: puede tener hasta %d caracteres.", field, maxFilterText))
		return ""
	}
	return text
}

// seconds reads a duration. What is finer than a millisecond is rounded so that the bound
// keeps its meaning.
func (p *filterParser) seconds(field string, round func(float64) float64) *time.Duration {
	raw := p.values.Get(field)
	if raw == "" {
		return nil
	}
	n, err := strconv.ParseFloat(raw, 64)
	if err != nil || !(n >= 0 && n <= maxFilterSeconds) {
		p.refuse(field, fmt.Sprintf("El filtro «%s» debe ser un número de segundos.", field))
		return nil
	}
	return new(time.Duration(round(n*1000)) * time.Millisecond)
}

func (p *filterParser) number(field string, least, most int) *int {
	raw := p.values.Get(field)
	if raw == "" {
		return nil
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < least || n > most {
		p.refuse(field, fmt.Sprintf("El filtro «%s» debe ser un número entre %d y %d.", field, least, most))
		return nil
	}
	return &n
}

package clinic

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Load reads a configuration file: a JSON object whose fields replace those of
// [Default]. All mistakes are reported at once.
//
//	{"name": "…", "tagline": "…", "formOfAddress": "tú" or "usted",
//	 "address": {"street": "…", "building": "…", "floor": "…", "city": "…"},
//	 "phones": ["+507 200-0101"], "email": "…", "emergency": "911",
//	 "crisisLine": {"name": "Línea 147 del MIDES", "phone": "147", "whatsapp": "6534-2546",
//	                "about": "gratuita, confidencial, las 24 horas", "aboutEnglish": "…"},
//	 "numbersChecked": "2026-11-21",
//	 "links": {"booking": "https://…", "video": "https://…", "map": "https://…"},
//	 "zone": "America/Panama",
//	 "hours": {"monday": "08:00-12:00, 13:00-19:00", "sunday": ""},
//	 "agenda": {"leadMinutes": 120, "days": 45, "standard": {"minutes": 30, "chairs": 1},
//	            "visits": {"endodoncia": {"minutes": 60, "chairs": 2}}, "closed": ["2026-12-25"]},
//	 "team": ["…"]}
//
// Days that "hours" leaves out keep their hours; "phones", "team" and "crisisLine" are replaced
// as a whole. A file with another emergency number or another zone has no crisis line but the
// one it names. Services are content, see [ReadContent].
func Load(r io.Reader) (Clinic, error) {
	var fields map[string]json.RawMessage
	if err := json.NewDecoder(r).Decode(&fields); err != nil {
		return Clinic{}, fmt.Errorf("read the clinic's facts: %w", err)
	}
	c := Default()
	known := c.fields()
	var mistakes []error
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		set, ok := known[name]
		if !ok {
			mistakes = append(mistakes, fmt.Errorf("unknown field %q", name))
			continue
		}
		if err := set(fields[name]); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", name, err))
		}
	}
	c.ownNumbers(fields)
	if err := errors.Join(append(mistakes, c.mistakes()...)...); err != nil {
		return Clinic{}, fmt.Errorf("read the clinic's facts: %w", err)
	}
	return c, nil
}

// fields says how each field of the configuration file is taken over.
func (c *Clinic) fields() map[string]func(json.RawMessage) error {
	into := func(target any) func(json.RawMessage) error {
		return func(raw json.RawMessage) error { return strictly(raw, target) }
	}
	return map[string]func(json.RawMessage) error{
		"name": into(&c.Name), "tagline": into(&c.Tagline), "address": into(&c.Address),
		"phones": func(raw json.RawMessage) error { c.Phones = nil; return into(&c.Phones)(raw) },
		"email":  into(&c.Email), "emergency": into(&c.Emergency), "links": into(&c.Links),
		"zone": c.setZone, "hours": c.setHours, "agenda": c.setAgenda,
		"crisisLine": c.setCrisisLine, "numbersChecked": c.setNumbersChecked,
		"formOfAddress": into(&c.FormOfAddress),
		"team":          func(raw json.RawMessage) error { c.Team = nil; return into(&c.Team)(raw) },
	}
}

// strictly reads a field in which nothing may stand that nobody knows.
func strictly(raw json.RawMessage, target any) error {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	return d.Decode(target)
}

func (c *Clinic) setZone(raw json.RawMessage) error {
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return err
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return fmt.Errorf("%q is not a zone such as America/Panama", name)
	}
	c.Zone = zone
	return nil
}

func (c *Clinic) setHours(raw json.RawMessage) error {
	var days map[string]string
	if err := json.Unmarshal(raw, &days); err != nil {
		return err
	}
	var mistakes []error
	for _, name := range slices.Sorted(maps.Keys(days)) {
		day, ok := weekday(name)
		if !ok {
			mistakes = append(mistakes, fmt.Errorf("unknown day %q", name))
			continue
		}
		spans, err := ParseSpans(days[name])
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", name, err))
		}
		c.Hours[day] = spans
	}
	return errors.Join(mistakes...)
}

func weekday(name string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if strings.EqualFold(day.String(), name) {
			return day, true
		}
	}
	return 0, false
}

var phoneForm = regexp.MustCompile(`^\+\d[\d ()-]{6,20}$`)

// mistakes lists what a clinic cannot go without, or cannot be like.
func (c Clinic) mistakes() []error {
	var found []error
	report := func(format string, args ...any) { found = append(found, fmt.Errorf(format, args...)) }
	for _, f := range []struct{ name, value string }{
		{"name", c.Name}, {"address.street", c.Address.Street}, {"address.city", c.Address.City}, {"emergency", c.Emergency},
	} {
		if strings.TrimSpace(f.value) == "" {
			report("%s: is empty", f.name)
		}
	}
	if l := c.CrisisLine; !l.IsZero() && (strings.TrimSpace(l.Name) == "" || strings.TrimSpace(l.Phone) == "") {
		report("crisisLine: needs a name and a phone")
	}
	if len(c.Phones) == 0 {
		report("phones: at least one is needed")
	}
	for _, p := range c.Phones {
		if !phoneForm.MatchString(string(p)) {
			report("phones: %q is not like +507 200-0101", p)
		}
	}
	if a, err := mail.ParseAddress(c.Email); err != nil || a.Address != c.Email {
		report("email: %q is not an e-mail address", c.Email)
	}
	for _, l := range []struct{ name, value string }{
		{"booking", c.Links.Booking}, {"video", c.Links.Video}, {"map", c.Links.Map},
	} {
		if u, err := url.Parse(l.value); err != nil || u.Scheme != "https" || u.Host == "" {
			report("links.%s: %q is not an https address", l.name, l.value)
		}
	}
	return append(found, c.Agenda.mistakes()...)
}

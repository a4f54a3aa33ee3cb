package clinic

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Load reads a clinic's file: a JSON object whose fields replace those of [Default], and tell what
// the default does not tell; see [Example]. What is wrong is reported all at once, as [Mistakes].
//
// Days that "hours" leaves out keep their hours; "phones", "team" and "crisisLine" are replaced
// as a whole, and null is none. Where there are "doctors" and no "team", it is their professions.
// Of a clinic in another country, or where nothing says in which, the default's country, law and numbers
// for people in danger are not known.
// Services are content, see [ReadContent].
func Load(r io.Reader) (Clinic, error) {
	s, root, err := readSheet(r)
	if err != nil {
		return Clinic{}, err
	}
	c := Default()
	s.fields(root, clinicFields(&c, s))
	said, _ := root.value.(object)
	ownNumbers(&c, said)
	ownBackground(&c, said)
	if said["team"] == nil && len(c.Doctors) > 0 {
		c.Team = slices.Compact(slices.Sorted(slices.Values(eachOf(c.Doctors, func(d Doctor) string { return d.Profession }))))
	}
	s.reportFlaws("", c.flaws())
	if len(s.mistakes) > 0 {
		slices.SortStableFunc(s.mistakes, func(a, b Mistake) int { return cmp.Compare(a.Line, b.Line) })
		return Clinic{}, s.mistakes
	}
	return c, nil
}

// Longest texts of a file, in characters.
const (
	longestName = 120
	longestFact = 300
)

// clinicFields says how each field of the file is taken over.
func clinicFields(c *Clinic, s *sheet) map[string]func(*node) {
	known := map[string]func(*node){
		"name": s.into(&c.Name, longestName), "tagline": s.into(&c.Tagline, longestFact), "email": s.into(&c.Email, maxContactEmail),
		"emergency": s.into(&c.Emergency, longestName), "privacyLaw": s.into(&c.PrivacyLaw, longestName),
		"privacyAuthority": s.into(&c.PrivacyAuthority, longestFact),
		"theme":            func(n *node) { setTheme(c, s, n) },
		"country":          func(n *node) { setCountry(c, s, n) },
		"founded":          func(n *node) { c.Founded = s.whole(n, 1800, 2100) },
		"experience":       func(n *node) { c.Experience = s.whole(n, 1, 200) },
		"address": func(n *node) {
			c.Address.Building, c.Address.Floor, c.Address.Position = "", "", nil
			s.fields(n, map[string]func(*node){
				"street": s.into(&c.Address.Street, longestName), "city": s.into(&c.Address.City, longestName),
				"building": s.maybe(&c.Address.Building), "floor": s.maybe(&c.Address.Floor),
				"position": func(n *node) { c.Address.Position = s.position(n) },
			})
			for _, field := range []string{"street", "city"} {
				if told, _ := n.value.(object); told[field] == nil {
					c.kept = append(c.kept, "address."+field)
				}
			}
		},
		"links": func(n *node) {
			s.fields(n, map[string]func(*node){
				"booking": s.into(&c.Links.Booking, maxAddress), "video": s.into(&c.Links.Video, maxAddress), "map": s.into(&c.Links.Map, maxAddress),
			})
		},
		"social": func(n *node) { setSocial(c, s, n) },
		"phones": func(n *node) {
			c.Phones = nil
			for _, p := range s.textsOrNone(n) {
				c.Phones = append(c.Phones, Phone(p))
			}
		},
		"team": func(n *node) { c.Team = s.textsOrNone(n) },
		"zone": func(n *node) { setZone(c, s, n) }, "hours": func(n *node) { setHours(c, s, n) },
		"agenda": func(n *node) { setAgenda(c, s, n) }, "crisisLine": func(n *node) { setCrisisLine(c, s, n) },
		"numbersChecked": func(n *node) { setNumbersChecked(c, s, n) },
		"formOfAddress": func(n *node) {
			text, _ := n.value.(string)
			if err := c.FormOfAddress.UnmarshalText([]byte(text)); err != nil {
				s.report(n, "%s", err)
			}
		},
	}
	maps.Copy(known, toldFields(c, s))
	return known
}

// position reads a place on the map; both of its numbers have to be there.
func (s *sheet) position(n *node) *Position {
	at := Position{Latitude: math.NaN(), Longitude: math.NaN()}
	s.fields(n, map[string]func(*node){
		"latitude":  func(n *node) { at.Latitude = s.degrees(n, 90) },
		"longitude": func(n *node) { at.Longitude = s.degrees(n, 180) },
	})
	if fields, isObject := n.value.(object); isObject && (fields["latitude"] == nil || fields["longitude"] == nil) {
		s.report(n, "needs a latitude and a longitude, such as 8.9824 and -79.5199")
	}
	return &at
}

// degrees gives a number between -most and most.
func (s *sheet) degrees(n *node, most float64) float64 {
	number, isNumber := n.value.(json.Number)
	value, err := number.Float64()
	if !isNumber || err != nil || math.Abs(value) > most {
		s.report(n, "is no number of degrees from %g to %g", -most, most)
	}
	return value
}

// maxAddress is how long an address of the web may be, in characters.
const maxAddress = 2000

// maybe gives a reader of words that may be empty.
func (s *sheet) maybe(target *string) func(*node) {
	return func(n *node) {
		if *target = ""; n.value != "" {
			*target = s.words(n, longestName)
		}
	}
}

// textsOrNone gives a list of words; null is none.
func (s *sheet) textsOrNone(n *node) []string {
	if n.value == nil {
		return nil
	}
	return s.texts(n)
}

func setSocial(c *Clinic, s *sheet, n *node) {
	addresses, known := map[string]string{}, map[string]func(*node){}
	for _, network := range Networks {
		known[network] = func(n *node) { addresses[network] = s.words(n, maxAddress) }
	}
	s.fields(n, known)
	c.Social = nil
	for _, network := range Networks {
		if address := addresses[network]; address != "" {
			c.Social = append(c.Social, SocialLink{network, address})
		}
	}
}

func setZone(c *Clinic, s *sheet, n *node) {
	name, _ := n.value.(string)
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		s.report(n, "%q is not a zone such as America/Panama", name)
		return
	}
	c.Zone = zone
}

func setHours(c *Clinic, s *sheet, n *node) {
	known := map[string]func(*node){}
	days, _ := n.value.(object)
	for _, name := range slices.Concat(weekdays, inOrder(days)) {
		if day, ok := weekday(name); ok {
			known[name] = func(n *node) {
				c.Hours[day], c.hoursTold[day] = s.spans(n), true
			}
		}
	}
	s.fields(n, known)
}

// spans gives the opening hours of a day.
func (s *sheet) spans(n *node) []Span {
	text, isText := n.value.(string)
	if !isText {
		s.report(n, `is no text like "08:00-12:00, 13:00-19:00"`)
	}
	spans, err := ParseSpans(text)
	if err != nil {
		s.report(n, "%s", err)
	}
	return spans
}

// day gives a date, or "" after saying that it is none.
func (s *sheet) day(n *node, layouts ...string) (day time.Time, layout string) {
	text, _ := n.value.(string)
	for _, layout := range layouts {
		if day, err := time.Parse(layout, text); err == nil {
			return day, layout
		}
	}
	s.report(n, "%s is not like 2026-12-25", quotedValue(n.value))
	return time.Time{}, ""
}

func quotedValue(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "it"
	}
	return string(text)
}

var phoneForm = regexp.MustCompile(`^\+\d[\d ()-]{6,20}$`)

// flaws lists what a clinic cannot go without, or cannot be like, by the path in its file.
func (c Clinic) flaws() []flaw {
	var found flaws
	for _, f := range []struct{ name, value string }{
		{"name", c.Name}, {"address.street", c.Address.Street}, {"address.city", c.Address.City},
	} {
		if strings.TrimSpace(f.value) == "" {
			found.report(f.name, "is empty")
		}
	}
	if l := c.CrisisLine; !l.IsZero() && (strings.TrimSpace(l.Name) == "" || strings.TrimSpace(l.Phone) == "") {
		found.report("crisisLine", "needs a name and a phone")
	}
	if len(c.Phones) == 0 {
		found.report("phones", "at least one is needed")
	}
	for _, p := range c.Phones {
		if !phoneForm.MatchString(string(p)) {
			found.report("phones", "%q is not like +507 200-0101", p)
		}
	}
	if a, err := mail.ParseAddress(c.Email); err != nil || a.Address != c.Email {
		found.report("email", "%q is not an e-mail address", c.Email)
	}
	links := []struct{ name, value string }{{"links.booking", c.Links.Booking}, {"links.video", c.Links.Video}, {"links.map", c.Links.Map}}
	for _, l := range c.Social {
		if l.Address != noAccount {
			links = append(links, struct{ name, value string }{"social." + l.Network, l.Address})
		}
	}
	for _, l := range links {
		if u, err := url.Parse(l.value); err != nil || u.Scheme != "https" || u.Host == "" {
			found.report(l.name, "%q is not an https address", l.value)
		}
	}
	return append(found, c.Agenda.flaws()...)
}

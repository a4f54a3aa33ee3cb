package clinic

import (
	_ "embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

//go:embed example.json
var example []byte

// Example is a clinic's file in which everything is told, with comments.
func Example() []byte { return slices.Clone(example) }

// placeholderPhone is a number that belongs to nobody, like those of [Default] and the example.
var placeholderPhone = regexp.MustCompile(`(200|6000)-?01\d\d$`)

// Placeholders are the facts that are still those of [Default], or belong to nobody, by the path in
// the clinic's file.
func (c Clinic) Placeholders() []Fact {
	standard := Default()
	var found []Fact
	report := func(path, value string, is bool) {
		if is {
			found = append(found, Fact{Path: path, Value: value})
		}
	}
	report("name", c.Name, c.Name == standard.Name)
	report("tagline", c.Tagline, c.Tagline == standard.Tagline)
	report("address", c.Address.String(), c.Address == standard.Address)
	for _, p := range append(slices.Clone(c.Phones), c.WhatsApp) {
		report("phones", string(p), placeholderPhone.MatchString(string(p)))
	}
	report("email", c.Email, isExample(c.Email[strings.LastIndex(c.Email, "@")+1:]))
	for _, link := range []struct{ path, address string }{
		{"links.booking", c.Links.Booking}, {"links.video", c.Links.Video}, {"links.map", c.Links.Map},
	} {
		u, err := url.Parse(link.address)
		report(link.path, link.address, err == nil && isExample(u.Hostname()))
	}
	report("hours", keptHours(c), keptHours(c) != "")
	report("team", List(c.Team), slices.Equal(c.Team, standard.Team))
	return append(found, c.Kept()...)
}

// Kept are the [Clinic.Placeholders] that are not to be told from a fact by their value, since the
// clinic may be where the default is: the zone, and the rest of an address of which a part is told.
func (c Clinic) Kept() []Fact {
	values := map[string]string{"zone": c.Zone.String(), "address.street": c.Address.Street, "address.city": c.Address.City}
	var found []Fact
	for _, path := range c.kept {
		found = append(found, Fact{Path: path, Value: values[path]})
	}
	return found
}

// keptHours are the hours of the days that no file tells; empty if there are none.
func keptHours(c Clinic) string {
	var days []string
	for _, day := range weekFromMonday {
		if !c.hoursTold[day] {
			days = append(days, DayName(day)+", "+c.Hours.Of(day))
		}
	}
	return strings.Join(days, "; ")
}

// Configured are the links that lead somewhere: the others are empty.
func (l Links) Configured() Links {
	for _, link := range []*string{&l.Booking, &l.Video, &l.Map} {
		if u, err := url.Parse(*link); err != nil || isExample(u.Hostname()) {
			*link = ""
		}
	}
	return l
}

// openMap is the map of everybody.
const openMap = "https://www.openstreetmap.org/"

// MapURL is the clinic's map, or else the map of everybody: at the clinic's position, or where it finds
// the address.
func (c Clinic) MapURL() string {
	if configured := c.Links.Configured().Map; configured != "" {
		return configured
	}
	if at := c.Address.Position; at != nil {
		return fmt.Sprintf("%s?mlat=%f&mlon=%f#map=17/%[2]f/%[3]f", openMap, at.Latitude, at.Longitude)
	}
	query := url.Values{"query": {c.Address.Street + ", " + c.Address.City}}
	return openMap + "search?" + query.Encode()
}

// around is how much of the map is seen beside the clinic, in degrees.
const around = 0.003

// MapFrame is a map for a frame: the clinic's, or else the map of everybody around its position; empty
// where neither is told.
func (c Clinic) MapFrame() string {
	at := c.Address.Position
	if configured := c.Links.Configured().Map; configured != "" || at == nil {
		return configured
	}
	query := url.Values{
		"bbox":   {fmt.Sprintf("%f,%f,%f,%f", at.Longitude-around, at.Latitude-around, at.Longitude+around, at.Latitude+around)},
		"layer":  {"mapnik"},
		"marker": {fmt.Sprintf("%f,%f", at.Latitude, at.Longitude)},
	}
	return openMap + "export/embed.html?" + query.Encode()
}

func isExample(host string) bool { return host == "example" || strings.HasSuffix(host, ".example") }

// Package clinic is what the clinic says about itself: its name, how to reach it,
// when it is open and what it treats. Everything that speaks for the clinic takes the
// facts from here.
package clinic

import (
	"slices"
	"strings"
	"time"

	"bitacora/domain/palette"
)

// Clinic is the facts of one clinic. Texts are Spanish.
type Clinic struct {
	Name    string
	Tagline string
	// FormOfAddress is how every text speaks to visitors.
	FormOfAddress FormOfAddress
	Address       Address
	Phones        []Phone
	Email         string
	Background
	// Theme is the colours of the site.
	Theme palette.Theme
	// Emergency is the country's emergency number, for what a clinic cannot treat; empty where it is
	// not known.
	Emergency string
	// CrisisLine is whom somebody in a crisis can talk to; zero if none is known.
	CrisisLine CrisisLine
	// NumbersChecked is the day on which Emergency and CrisisLine were last checked, as a
	// midnight of UTC; zero if nobody knows.
	NumbersChecked time.Time
	Links          Links
	// Social are the clinic's accounts at social networks, in the order of [Networks].
	Social []SocialLink
	// Zone is the business zone; days, months and opening hours are counted in it.
	Zone  *time.Location
	Hours Hours
	// hoursTold are the days whose hours a file tells; those of the others are the default's.
	hoursTold [7]bool
	// kept are the paths of what else a file leaves out that only the default can say.
	kept []string
	// Agenda is how appointments are laid out over the hours.
	Agenda Agenda
	// NoticeVersion is that of the notice about personal data in the clinic's [Content]: beside the
	// site's form, in the chat, and before the chat asks for a contact.
	NoticeVersion string
	// Services are those of the clinic's [Content].
	Services []Service
	// Team names the professions of the team, not the people.
	Team []string
	Told
}

// Address is where the clinic is.
type Address struct {
	Street   string
	Building string
	Floor    string
	City     string
	// Position is where that is; nil if it is not told.
	Position *Position
}

// Position is a place on the map, in degrees (WGS 84).
type Position struct{ Latitude, Longitude float64 }

// String is the address on one line, without the city.
func (a Address) String() string {
	return strings.Join(nonEmpty(a.Street, a.Building, a.Floor), ", ")
}

// StreetLine is street and building.
func (a Address) StreetLine() string { return strings.Join(nonEmpty(a.Street, a.Building), ", ") }

// Line is the address as a line of its own, where the floor is capitalized.
func (a Address) Line() string {
	return strings.Join(nonEmpty(a.Street, a.Building, capitalised(a.Floor)), ", ")
}

// TheCity is the city as a sentence has it: with the article of "Ciudad de …".
func (a Address) TheCity() string {
	if strings.HasPrefix(a.City, "Ciudad ") {
		return "la " + a.City
	}
	return a.City
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// Phone is a telephone number as people write it, "+507 200-0101".
type Phone string

// E164 is the number without its punctuation, "+5072000101", as a tel: link has it.
func (p Phone) E164() string {
	return strings.Map(func(r rune) rune {
		if r == '+' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, string(p))
}

// Numbers are phones as people write them.
func Numbers(phones []Phone) []string {
	return eachOf(phones, func(p Phone) string { return string(p) })
}

// Contacts are the phones, the e-mail address and the postal address that the clinic gives everybody,
// its own and those of the crisis line.
func (c Clinic) Contacts() []string {
	others := nonEmpty(c.Address.String(), c.Address.StreetLine(), c.Email, string(c.WhatsApp), c.CrisisLine.Phone, c.CrisisLine.WhatsApp)
	return append(others, Numbers(c.Phones)...)
}

// Links are the clinic's pages outside its own site.
type Links struct {
	Booking string
	Video   string
	Map     string
}

// All lists the links.
func (l Links) All() []string { return []string{l.Booking, l.Video, l.Map} }

// SocialLink is an account at a social network.
type SocialLink struct{ Network, Address string }

// noAccount is the address of an account that there is not yet.
const noAccount = "#"

// Networks are those whose signs the site has.
var Networks = []string{"Facebook", "Instagram", "Twitter", "YouTube", "LinkedIn"}

// Service finds a service by its slug.
func (c Clinic) Service(slug string) (s Service, ok bool) { return serviceOf(c.Services, slug) }

// Specialties are the services that are specialties.
func (c Clinic) Specialties() []Service { return c.services(true) }

// FurtherServices are the services that are no specialties.
func (c Clinic) FurtherServices() []Service { return c.services(false) }

func (c Clinic) services(specialty bool) []Service {
	return slices.DeleteFunc(slices.Clone(c.Services), func(s Service) bool { return s.Specialty != specialty })
}

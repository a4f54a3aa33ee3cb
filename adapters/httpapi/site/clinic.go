package site

import (
	"slices"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

// specialAhead is how many days ahead the site tells of days with other hours.
const specialAhead = 6 * 7

// shownElsewhere are the facts that the site does not show among the others.
var shownElsewhere = []string{"whatsapp", "exceptions", "doctorDays", "founded", "experience", "bookingUrl", "countryName", "privacyLaw", "privacyAuthority", "emergency"}

// clinicOf is what the site is told of the clinic at an instant.
func clinicOf(facts clinic.Clinic, now time.Time) contract.Clinic {
	c := contract.Clinic{
		Name: facts.Name, Tagline: facts.Tagline, FormOfAddress: contract.ClinicFormOfAddress(facts.FormOfAddress.String()), Email: facts.Email, Emergency: facts.Emergency,
		Phones: contract.List(facts.Phones, func(p clinic.Phone) contract.Phone { return contract.Phone{Label: string(p), Href: "tel:" + p.E164()} }),
		Hours:  contract.OpeningDays(facts.Hours), Zone: facts.Zone.String(), Offsets: offsets(facts.Zone, now.AddDate(2, 0, 0)),
		SpecialDays: contract.DaysOf(clinic.Stretches(facts.Calendar().Ahead(now, specialAhead))),
		Facts:       []contract.Fact{}, Languages: present(facts.Languages), PriceRange: contract.Optional(facts.PriceRange()),
		Locale: facts.Locale(), PrivacyLaw: facts.LawInWords(), Founded: contract.Optional(facts.Founded), Experience: contract.Optional(facts.Experience),
		NoticeVersion: facts.NoticeVersion, RequestDays: clinic.RequestDays, Images: map[string]contract.Picture{},
	}
	c.Address.Street, c.Address.Building, c.Address.Floor, c.Address.City = facts.Address.Street, facts.Address.Building, facts.Address.Floor, facts.Address.City
	if at := facts.Address.Position; at != nil {
		c.Address.Position = &struct {
			Latitude  float64 `json:"latitude"`
			Longitude float64 `json:"longitude"`
		}{at.Latitude, at.Longitude}
	}
	links := facts.Links.Configured()
	c.Links.Booking, c.Links.Video, c.Links.Map, c.Links.MapPage = links.Booking, links.Video, facts.MapFrame(), facts.MapURL()
	c.Links.Social = contract.List(facts.Social, func(l clinic.SocialLink) contract.SocialLink {
		return contract.SocialLink{Name: l.Network, Href: l.Address}
	})
	if facts.Country != "" {
		c.Country = &contract.Country{Code: facts.Country, Name: facts.Says("countryName")}
	}
	if facts.WhatsApp != "" {
		c.Whatsapp = &contract.Phone{Label: string(facts.WhatsApp), Href: facts.WhatsApp.WhatsAppURL()}
	}
	for _, f := range facts.Facts() {
		if f.Optional && !slices.Contains(shownElsewhere, f.Key) {
			c.Facts = append(c.Facts, contract.Fact{Key: f.Key, Name: f.Name, Value: f.Value})
		}
	}
	c.Payment.Methods, c.Payment.Currencies = present(facts.Payment.Methods), present(facts.Payment.Currencies)
	return c
}

// offsets are how far a zone's clock runs ahead of UTC until an instant, before 2000 as then: since when, in
// milliseconds since 1970, and by how many milliseconds.
func offsets(zone *time.Location, until time.Time) [][]int64 {
	list := [][]int64{}
	for at := time.Date(2000, 1, 1, 0, 0, 0, 0, zone); !at.IsZero() && at.Before(until); _, at = at.ZoneBounds() {
		_, ahead := at.Zone()
		list = append(list, []int64{at.UnixMilli(), int64(ahead) * 1000})
	}
	list[0][0] = 0
	return list
}

// present is a list that is there, if only empty.
func present(texts []string) []string { return append([]string{}, texts...) }

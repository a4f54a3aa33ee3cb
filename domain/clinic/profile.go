package clinic

import "strings"

// Profile is how the site presents one of those who treat patients.
type Profile struct {
	// Slug names the person in addresses.
	Slug string
	// Name is with the form of address, "Dra. Irina Solanilla".
	Name string
	// Title is the profession, Specialty what she does of it.
	Title, Specialty string
	// Bio is one sentence for the list of all.
	Bio string
	// Order is the place in the list, 1 first.
	Order int
	// Specialties, Training and Affiliations are lines of the page about the person.
	Specialties, Training, Affiliations []string
	// Service is the slug of the service that the page leads to; empty for none.
	Service string
	// PageTitle and PageDescription are for search engines; empty: made of the others.
	PageTitle, PageDescription string
	// Text is the profile. Who has none has no page.
	Text
}

// HasPage says whether there is a page about the person.
func (p Profile) HasPage() bool { return p.Markdown != "" }

// Staffed is a clinic with the people of its pages, each for the service that the page leads to, where its file names
// nobody.
func Staffed(c Clinic, profiles []Profile) Clinic {
	if len(c.Doctors) > 0 {
		return c
	}
	for _, p := range profiles {
		d := Doctor{Name: c.Fill(p.Name), Profession: strings.ToLower(c.Fill(p.Title))}
		if p.Service != "" {
			d.Services = []string{p.Service}
		}
		c.Doctors = append(c.Doctors, d)
	}
	return c
}

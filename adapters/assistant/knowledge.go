package assistant

import "bitacora/domain/clinic"

// Knowledge is what the assistant answers from.
type Knowledge struct {
	Clinic clinic.Clinic
	// Profiles are the people of the site's pages.
	Profiles []clinic.Profile
	// Posts are those that the blog shows.
	Posts []clinic.Post
	// Answers are what the clinic answers to which questions.
	Answers []clinic.Answer
	// SiteURL is the site's own address, "https://clinica.example", under which posts are
	// linked.
	SiteURL string
}

// ownKnowledge is what the program knows of a clinic before there is any content.
func ownKnowledge(c clinic.Clinic) Knowledge {
	return Knowledge{Clinic: c, Answers: clinic.DefaultContent().Answers}
}

// Knowing is the assistant with other knowledge: it has learned the same, and shares what is
// known of the provider.
func (a *Assistant) Knowing(k Knowledge) (*Assistant, error) {
	other := *a
	other.meanings = &knownMeanings{}
	var err error
	if other.embedded, err = a.embedded.knowing(k); err != nil {
		return nil, err
	}
	return &other, nil
}

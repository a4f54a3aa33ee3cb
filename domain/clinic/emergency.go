package clinic

import (
	"cmp"
	"time"
)

// CrisisLine is who listens, at any hour, to somebody who thinks of ending their life. The
// zero value is none.
type CrisisLine struct {
	// Name is how people know it, "Línea 147 del MIDES".
	Name string
	// Phone and WhatsApp are as people dial them, "147"; WhatsApp may be empty.
	Phone    string
	WhatsApp string
	// About says in a few words what it offers, "gratuita y confidencial", AboutEnglish the same
	// in English; both may be empty.
	About        string
	AboutEnglish string
}

// IsZero says that there is none.
func (l CrisisLine) IsZero() bool { return l == CrisisLine{} }

// Panama's line, of its Ministry of Social Development.
func defaultCrisisLine() CrisisLine {
	return CrisisLine{
		Name: "Línea 147 del MIDES", Phone: "147", WhatsApp: "6534-2546",
		About: "gratuita, confidencial, las 24 horas", AboutEnglish: "free, confidential, 24 hours a day",
	}
}

// numbersLast is for how many years the check of the emergency numbers is believed.
const numbersLast = 1

// NumbersDue says that the emergency numbers were not checked for a year, or nobody knows when.
func (c Clinic) NumbersDue(now time.Time) bool {
	return !now.Before(c.NumbersChecked.AddDate(numbersLast, 0, 0))
}

func setCrisisLine(c *Clinic, s *sheet, n *node) {
	if c.CrisisLine = (CrisisLine{}); n.value == nil {
		return
	}
	l := &c.CrisisLine
	s.fields(n, map[string]func(*node){
		"name": s.into(&l.Name, longestName), "phone": s.into(&l.Phone, longestName), "whatsapp": s.maybe(&l.WhatsApp),
		"about": s.maybe(&l.About), "aboutEnglish": s.maybe(&l.AboutEnglish),
	})
}

func setNumbersChecked(c *Clinic, s *sheet, n *node) {
	if day, layout := s.day(n, time.DateOnly); layout != "" {
		c.NumbersChecked = day
	}
}

// ownNumbers forgets what [Default] knows of who helps where a configuration file says otherwise: the
// crisis line of one country helps nobody in another, and a check of other numbers says nothing of these.
func ownNumbers(c *Clinic, said object) {
	standard := Default()
	elsewhere := !isInPanama(c, said) || c.Emergency != standard.Emergency
	if said["crisisLine"] == nil && elsewhere {
		c.CrisisLine = CrisisLine{}
	}
	if said["numbersChecked"] == nil && (elsewhere || c.CrisisLine != standard.CrisisLine) {
		c.NumbersChecked = time.Time{}
	}
}

// EmergencyInWords is the emergency number as it follows "al".
func (c Clinic) EmergencyInWords() string { return cmp.Or(c.Emergency, "número de emergencias") }

// EmergencyRoom is where somebody goes who cannot wait for a dentist, as it follows "un" or "al", in the
// words of the country.
func (c Clinic) EmergencyRoom() string {
	if c.Country == "PA" {
		return "cuarto de urgencias"
	}
	return "servicio de urgencias"
}

// EmergencyInEnglish is the emergency number as it follows "call".
func (c Clinic) EmergencyInEnglish() string { return cmp.Or(c.Emergency, "the emergency number") }

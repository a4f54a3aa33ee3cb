package clinic

import (
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Fact is one thing that a clinic tells of itself.
type Fact struct {
	// Key names it in texts, as {{key}}.
	Key string
	// Path is where it stands in the clinic's file.
	Path string
	// Name is what it is about, and Value what is so; Spanish.
	Name, Value string
	// Optional: not every clinic tells it.
	Optional bool
}

// placeholder is what a text may name of a clinic.
type placeholder struct {
	say func(Clinic) string
	// optional: it may not be told, and is empty then.
	optional bool
}

// facts are all that a clinic can tell, in the order in which they are told: to texts, to providers,
// to the site and to who checks the file.
var facts = []struct {
	Fact
	placeholder
}{
	{Fact{Key: "clinicName", Path: "name", Name: "Clínica"}, always(func(c Clinic) string { return c.Name })},
	{Fact{Key: "tagline", Path: "tagline", Name: "Lema"}, always(func(c Clinic) string { return c.Tagline })},
	{Fact{Key: "founded", Path: "founded", Name: "Año de fundación"}, ifTold(func(c Clinic) string { return number(c.Founded) })},
	{Fact{Key: "experience", Path: "experience", Name: "Años de experiencia"}, ifTold(func(c Clinic) string { return number(c.Experience) })},
	{Fact{Key: "countryName", Path: "country", Name: "País"}, ifTold(func(c Clinic) string { return countries[c.Country] })},
	{Fact{Key: "privacyLaw", Path: "privacyLaw", Name: "Ley de datos personales"}, ifTold(func(c Clinic) string { return c.PrivacyLaw })},
	{Fact{Key: "privacyAuthority", Path: "privacyAuthority", Name: "Autoridad de datos personales"}, ifTold(func(c Clinic) string { return c.PrivacyAuthority })},
	{Fact{Key: "address", Path: "address", Name: "Dirección"}, always(func(c Clinic) string { return c.Address.String() })},
	{Fact{Key: "city", Path: "address.city", Name: "Ciudad"}, always(func(c Clinic) string { return c.Address.City })},
	{Fact{Key: "mapUrl", Path: "links.map", Name: "Mapa"}, always(Clinic.MapURL)},
	{Fact{Key: "directions", Path: "directions", Name: "Cómo llegar"}, ifTold(func(c Clinic) string { return sentence(c.Directions) })},
	{Fact{Key: "landmarks", Path: "landmarks", Name: "Puntos de referencia"}, ifTold(func(c Clinic) string { return sentence(c.Landmarks) })},
	{Fact{Key: "transit", Path: "transit", Name: "Transporte público"}, ifTold(func(c Clinic) string { return sentence(c.Transit) })},
	{Fact{Key: "parking", Path: "parking", Name: "Estacionamiento"}, ifTold(func(c Clinic) string { return sentence(c.Parking) })},
	{Fact{Key: "accessibility", Path: "accessibility", Name: "Accesibilidad"}, ifTold(func(c Clinic) string { return sentence(c.Accessibility) })},
	{Fact{Key: "phones", Path: "phones", Name: "Teléfonos"}, always(func(c Clinic) string { return strings.Join(Numbers(c.Phones), " o ") })},
	{Fact{Key: "whatsapp", Path: "whatsapp", Name: "WhatsApp"}, ifTold(func(c Clinic) string { return string(c.WhatsApp) })},
	{Fact{Key: "email", Path: "email", Name: "Correo"}, always(func(c Clinic) string { return c.Email })},
	{Fact{Key: "bookingUrl", Path: "links.booking", Name: "Reservas"}, ifTold(func(c Clinic) string { return c.Links.Configured().Booking })},
	{Fact{Key: "emergency", Path: "emergency", Name: "Emergencias"}, ifTold(func(c Clinic) string { return c.Emergency })},
	{Fact{Key: "hours", Path: "hours", Name: "Horario"}, always(func(c Clinic) string { return c.Hours.String() })},
	{Fact{Key: "exceptions", Path: "exceptions", Name: "Días especiales"}, ifTold(exceptionsInWords)},
	{Fact{Key: "payment", Path: "payment.methods", Name: "Formas de pago"}, ifTold(func(c Clinic) string { return c.Payment.String() })},
	{Fact{Key: "insurers", Path: "insurers", Name: "Seguros"}, ifTold(insurersInWords)},
	{Fact{Key: "consultation", Path: "prices.consultation", Name: "Precio de la consulta"}, ifTold(func(c Clinic) string {
		if c.Consultation == nil {
			return ""
		}
		return c.Consultation.String()
	})},
	{Fact{Key: "prices", Path: "prices.services", Name: "Precios"}, ifTold(pricesInWords)},
	{Fact{Key: "team", Path: "team", Name: "Equipo"}, always(func(c Clinic) string { return List(members(c)) })},
	{Fact{Key: "doctors", Path: "doctors", Name: "Quién atiende"}, ifTold(doctorsInWords)},
	{Fact{Key: "doctorDays", Path: "doctors[].days", Name: "Días de cada especialista"}, ifTold(doctorDays)},
	{Fact{Key: "languages", Path: "languages", Name: "Idiomas"}, ifTold(func(c Clinic) string { return List(namesOf(c.Languages, 0)) })},
	{Fact{Key: "sedation", Path: "sedation", Name: "Sedación"}, ifTold(func(c Clinic) string { return sentence(c.Sedation) })},
	{Fact{Key: "children", Path: "children", Name: "Niñas y niños"}, ifTold(func(c Clinic) string {
		if c.Children == nil {
			return ""
		}
		return c.Children.String()
	})},
}

func always(say func(Clinic) string) placeholder { return placeholder{say, false} }

func ifTold(say func(Clinic) string) placeholder { return placeholder{say, true} }

// placeholders are what texts may name, as they write it: every fact, and other forms of some. What
// stands in for an untold fact makes it one that every text may name.
var placeholders = func() map[string]placeholder {
	all := map[string]placeholder{
		"{{phone1}}":           always(func(c Clinic) string { return string(c.Phones[0]) }),
		"{{phone2}}":           always(func(c Clinic) string { return string(c.Phones[len(c.Phones)-1]) }),
		"{{street}}":           always(func(c Clinic) string { return c.Address.Street }),
		"{{streetLine}}":       always(func(c Clinic) string { return c.Address.StreetLine() }),
		"{{addressLine}}":      always(func(c Clinic) string { return c.Address.Line() }),
		"{{theCity}}":          always(func(c Clinic) string { return c.Address.TheCity() }),
		"{{privacyLaw}}":       always(Clinic.LawInWords),
		"{{privacyAuthority}}": always(Clinic.AuthorityInWords),
		"{{emergency}}":        always(Clinic.EmergencyInWords),
		"{{services}}":         always(func(c Clinic) string { return List(lowerTitles(c.Services)) }),
		"{{requestDays}}":      always(func(Clinic) string { return strconv.Itoa(RequestDays) }),
		"{{erasureDays}}":      always(func(Clinic) string { return strconv.Itoa(ErasureDays) }),
		"{{phone1Url}}":        always(func(c Clinic) string { return "tel:" + c.Phones[0].E164() }),
		"{{whatsappUrl}}":      ifTold(whatsAppURL),
		"{{breaks}}":           ifTold(func(c Clinic) string { return c.Hours.Breaks() }),
		"{{phonesEnglish}}":    always(func(c Clinic) string { return strings.Join(Numbers(c.Phones), " or ") }),
		"{{hoursEnglish}}":     always(func(c Clinic) string { return c.Hours.InEnglish() }),
		"{{emergencyEnglish}}": always(Clinic.EmergencyInEnglish),
		"{{languagesEnglish}}": ifTold(func(c Clinic) string { return joined(namesOf(c.Languages, 1), "and") }),
	}
	for _, f := range facts {
		if _, worded := all["{{"+f.Key+"}}"]; !worded {
			all["{{"+f.Key+"}}"] = f.placeholder
		}
	}
	return all
}()

// TextFact is a fact that every text may name, and what stands in its place now.
type TextFact struct{ Name, Value string }

// TextFacts are all facts that every text may name, by name.
func (c Clinic) TextFacts() []TextFact {
	var list []TextFact
	for _, name := range slices.Sorted(maps.Keys(placeholders)) {
		if p := placeholders[name]; !p.optional {
			list = append(list, TextFact{name, p.say(c)})
		}
	}
	return list
}

// OptionalPlaceholders are what a text may name that a clinic may not tell, in order.
func OptionalPlaceholders() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(placeholders)), func(name string) bool { return !placeholders[name].optional })
}

// Facts are what the clinic tells of itself, without what it does not tell. Exceptions are as
// [Clinic.From] leaves them.
func (c Clinic) Facts() []Fact {
	told, _ := c.sorted()
	return told
}

// Untold are the facts that the clinic could tell and does not.
func (c Clinic) Untold() []Fact {
	_, untold := c.sorted()
	return untold
}

func (c Clinic) sorted() (told, untold []Fact) {
	for _, f := range facts {
		f.Optional = f.optional
		if f.Value = f.say(c); f.Value != "" {
			told = append(told, f.Fact)
		} else {
			untold = append(untold, f.Fact)
		}
	}
	return told, untold
}

// Says is a fact in words; empty if it is not told, or is none.
func (c Clinic) Says(key string) string {
	if p, known := placeholders["{{"+key+"}}"]; known {
		return p.say(c)
	}
	return ""
}

// members are the people of the team, or else its professions.
func members(c Clinic) []string {
	if len(c.Doctors) > 0 {
		return eachOf(c.Doctors, Doctor.inTeam)
	}
	return c.Team
}

func lowerTitles(services []Service) []string {
	return eachOf(services, func(s Service) string { return strings.ToLower(s.Title) })
}

// Fill puts a text into the clinic's form of address, see [FormOfAddress.In], and replaces the names
// of its facts, {{phones}} and the like. A fact that is
// not told leaves nothing; [Answer.Of] says what to say instead.
func (c Clinic) Fill(text string) string {
	return c.fill(text, func(fact string) string { return fact })
}

// inAddress are the braces of a name as they are written in the address of a link.
var inAddress = strings.NewReplacer("%7B%7B", "{{", "%7D%7D", "}}")

// FillHTML is [Clinic.Fill] for a text that is HTML, also for the addresses of its links.
func (c Clinic) FillHTML(text string) string {
	return c.fill(inAddress.Replace(text), html.EscapeString)
}

// alternatives separates texts of which only the first that names nothing untold is shown.
const alternatives = " || "

// FillFirst is [Clinic.Fill] for the first alternative of a text that names nothing untold; empty if
// there is none.
func (c Clinic) FillFirst(text string) string {
	for one := range strings.SplitSeq(text, alternatives) {
		if c.tells(one) {
			return c.Fill(one)
		}
	}
	return ""
}

// OnlyTold are the lines of a text that name nothing untold.
func (c Clinic) OnlyTold(text string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return !c.tells(inAddress.Replace(line)) })
	return strings.Join(lines, "\n")
}

func (c Clinic) fill(text string, as func(fact string) string) string {
	return placeholderForm.ReplaceAllStringFunc(c.FormOfAddress.In(text), func(name string) string {
		if p, known := placeholders[name]; known {
			return as(p.say(c))
		}
		return name
	})
}

// tells says whether the clinic tells all facts that a text names.
func (c Clinic) tells(text string) bool {
	return !slices.ContainsFunc(placeholderForm.FindAllString(text, -1), func(name string) bool {
		p, known := placeholders[name]
		return known && p.say(c) == ""
	})
}

// namesOptional says whether a text names a fact that a clinic may not tell.
func namesOptional(text string) bool {
	return slices.ContainsFunc(placeholderForm.FindAllString(text, -1), func(name string) bool { return placeholders[name].optional })
}

// With is the clinic with the services of a content, their texts filled, and the version of its
// notice.
func (c Clinic) With(content Content) Clinic {
	c.NoticeVersion = content.Notice.Version
	c.Services = slices.Clone(content.Services)
	for i, s := range c.Services {
		c.Services[i].Title, c.Services[i].Description = c.Fill(s.Title), c.Fill(s.Description)
	}
	return c
}

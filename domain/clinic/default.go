package clinic

import (
	"time"

	"bitacora/domain/palette"
)

// Default is the clinic as it is described without a configuration file. Its numbers
// and .example addresses are placeholders that belong to nobody.
func Default() Clinic {
	return Clinic{
		Name:       "Clínica Dental Regency",
		Tagline:    "Al servicio de la Ciudad de Panamá desde 2005",
		Address:    Address{Street: "Vía España", Building: "Edificio Plaza Regency", Floor: "piso 9", City: "Ciudad de Panamá", Position: cityCentre},
		Phones:     []Phone{"+507 200-0101", "+507 6000-0101"},
		Email:      "citas@clinica-regency.example",
		Background: Background{Country: "PA", PrivacyLaw: "Ley 81 de 2019", PrivacyAuthority: defaultAuthority, Founded: 2011, Experience: 15},
		Theme:      palette.Default,
		Emergency:  "911",
		CrisisLine: defaultCrisisLine(), NumbersChecked: time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC),
		Links: Links{
			Booking: "https://reservas.clinica-regency.example/",
			Video:   "https://video.clinica-regency.example/bienvenida",
			Map:     "https://mapas.clinica-regency.example/plaza-regency",
		},
		Social:   []SocialLink{{"Facebook", noAccount}, {"Instagram", noAccount}, {"Twitter", noAccount}, {"YouTube", noAccount}},
		Zone:     mustZone("America/Panama"),
		Hours:    defaultHours(),
		Agenda:   defaultAgenda(),
		Services: DefaultContent().Services, NoticeVersion: DefaultContent().Notice.Version,
		Team: []string{
			"ortodoncista con formación en odontología láser",
			"dos endodoncistas",
			"periodoncista e implantólogo",
			"dos rehabilitadores orales",
			"cirujano maxilofacial",
		},
	}
}

// cityCentre is that of Panama City, whose map the default's contact page shows. It is one value, since
// addresses are compared.
var cityCentre = &Position{Latitude: 8.9824, Longitude: -79.5199}

// defaultAuthority is Panama's.
const defaultAuthority = "la Autoridad Nacional de Transparencia y Acceso a la Información (ANTAI), que en Panamá vela por la protección de los datos personales"

func defaultHours() Hours {
	weekday, saturday := []Span{{8 * 60, 19 * 60}}, []Span{{9 * 60, 15 * 60}}
	return Hours{
		time.Monday: weekday, time.Tuesday: weekday, time.Wednesday: weekday,
		time.Thursday: weekday, time.Friday: weekday, time.Saturday: saturday,
	}
}

func mustZone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("clinic: " + err.Error())
	}
	return zone
}

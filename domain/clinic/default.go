package clinic

import "time"

// Default is the clinic as it is described without a configuration file. Its numbers
// and .example addresses are placeholders that belong to nobody.
func Default() Clinic {
	return Clinic{
		Name:      "Clínica Dental Regency",
		Tagline:   "Al servicio de la Ciudad de Panamá desde 2005",
		Address:   Address{Street: "Vía España", Building: "Edificio Plaza Regency", Floor: "piso 9", City: "Ciudad de Panamá"},
		Phones:    []Phone{"+507 200-0101", "+507 6000-0101"},
		Email:     "citas@clinica-regency.example",
		Emergency: "911",
		Links: Links{
			Booking: "https://reservas.clinica-regency.example/",
			Video:   "https://video.clinica-regency.example/bienvenida",
			Map:     "https://mapas.clinica-regency.example/plaza-regency",
		},
		Zone:     mustZone("America/Panama"),
		Hours:    defaultHours(),
		Services: defaultServices(),
		Team: []string{
			"ortodoncista con formación en odontología láser",
			"dos endodoncistas",
			"periodoncista e implantólogo",
			"dos rehabilitadores orales",
			"cirujano maxilofacial",
		},
	}
}

func defaultHours() Hours {
	weekday, saturday := []Span{{8 * 60, 19 * 60}}, []Span{{9 * 60, 15 * 60}}
	return Hours{
		time.Monday: weekday, time.Tuesday: weekday, time.Wednesday: weekday,
		time.Thursday: weekday, time.Friday: weekday, time.Saturday: saturday,
	}
}

func defaultServices() []Service {
	return []Service{
		{"muelas-del-juicio", "Muelas del juicio", "Valoramos y extraemos las muelas del juicio con anestesia local y un control posterior.", true},
		{"periodoncia", "Periodoncia", "Tratamos las encías y el hueso que sostienen los dientes: sangrado, inflamación y movilidad.", true},
		{"endodoncia", "Endodoncia", "El tratamiento de conducto conserva un diente cuyo nervio está dañado o infectado.", true},
		{"ortodoncia", "Ortodoncia", "Alineamos los dientes y corregimos la mordida con brackets o alineadores, para jóvenes y adultos.", true},
		{"implantes-dentales", "Implantes dentales", "Reponemos dientes perdidos con una raíz de titanio y una corona a la medida.", true},
		{"rehabilitacion-oral", "Rehabilitación oral", "Devolvemos la función y la estética de la boca con coronas, puentes y prótesis.", true},
		{"diseno-sonrisa", "Diseño de sonrisa", "Planificamos la sonrisa de forma digital con carillas y otros tratamientos estéticos; la primera consulta de diseño es gratuita.", true},
		{"limpieza-dental", "Limpieza dental", "Retiramos el sarro y las manchas, y revisamos dientes y encías.", false},
		{"blanqueamiento-dental", "Blanqueamiento dental", "Aclaramos el tono de los dientes bajo supervisión profesional.", false},
		{"odontologia-general", "Odontología general", "Revisiones, caries y resinas del color del diente.", false},
		{"cirugia-maxilofacial", "Cirugía maxilofacial", "Extracciones complejas y cirugía de la boca y los maxilares.", false},
		{"odontologia-laser", "Odontología láser", "Tratamientos de encías y tejidos blandos con láser.", false},
	}
}

func mustZone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("clinic: " + err.Error())
	}
	return zone
}

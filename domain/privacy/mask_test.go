package privacy

import "testing"

func TestMaskContacts(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"mobile":             {"llámame al 6123-4567 porfa", "llámame al [teléfono] porfa"},
		"mobile with spaces": {"6123 4567", "[teléfono]"},
		"country code":       {"es +507 6123-4567", "es [teléfono]"},
		"00 prefix":          {"0050761234567", "[teléfono]"},
		"landline":           {"(507) 264-1234.", "[teléfono]."},
		"foreign":            {"+1 (305) 555-0134", "[teléfono]"},
		"e-mail":             {"escribe a Ana.Pérez+x@correo.example.com, gracias", "escribe a [correo], gracias"},
		"identity":           {"mi cédula 8-123-4567", "mi cédula [documento]"},
		"identity, foreign":  {"E-8-123456", "[documento]"},
		"short numbers":      {"tengo 32 años y 2 muelas, a las 10:30", "tengo 32 años y 2 muelas, a las 10:30"},
		"date":               {"el 15/08/2026 a las 10:20", "el 15/08/2026 a las 10:20"},
		"date with dashes":   {"el 21-11-2026 o el 2026-11-22 10:30", "el 21-11-2026 o el 2026-11-22 10:30"},
		"card":               {"4111 1111 1111 1111", "[teléfono]"},
		"price":              {"cuesta 1,250.00?", "cuesta 1,250.00?"},
		"already masked":     {"[teléfono] y [correo]", "[teléfono] y [correo]"},
		"two":                {"6123-4567 o 264-1234", "[teléfono] o [teléfono]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := MaskContacts(tt.text)
			if got != tt.want {
				t.Errorf("MaskContacts(%q) = %q, want %q", tt.text, got, tt.want)
			}
			if again := MaskContacts(got); again != got {
				t.Errorf("masking twice gave %q, then %q", got, again)
			}
		})
	}
}

func TestPublicContactsStay(t *testing.T) {
	public := []string{"+507 200-0101", "citas@clinica.example"}
	tests := map[string]string{
		"Llámanos al +507 200-0101 o a Citas@clinica.example.": "Llámanos al +507 200-0101 o a Citas@clinica.example.",
		"Al +5072000101, y yo al 6123-4567":                    "Al +5072000101, y yo al [teléfono]",
		"citas@otra.example":                                   "[correo]",
	}
	for text, want := range tests {
		if got := MaskContacts(text, public...); got != want {
			t.Errorf("MaskContacts(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMaskName(t *testing.T) {
	for _, tt := range []struct{ text, name, want string }{
		{"Sería limpieza para Ana Ruiz, el lunes", "Ana Ruiz", "Sería limpieza para [nombre], el lunes"},
		{"Solo el Sol", "Sol", "Solo el [nombre]"},
		{"Ana Ana y Ánana", "Ana", "[nombre] [nombre] y Ánana"},
		{"Hola", "", "Hola"},
		{"R. (Ruiz)", "R.", "[nombre] (Ruiz)"},
	} {
		got := MaskName(tt.text, tt.name)
		if got != tt.want || MaskName(got, tt.name) != got {
			t.Errorf("MaskName(%q, %q) = %q, want %q", tt.text, tt.name, got, tt.want)
		}
	}
}

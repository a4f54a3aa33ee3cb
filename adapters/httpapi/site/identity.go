package site

import (
	"bytes"
	"html"

	"bitacora/domain/clinic"
)

// builtLanguage is how the build's page says in which language it is.
var builtLanguage = []byte(`<html lang="es"`)

// identified is the build's page as that of a clinic: in its country's language.
func identified(page []byte, c clinic.Clinic) []byte {
	return bytes.Replace(page, builtLanguage, []byte(`<html lang="`+html.EscapeString(c.Locale())+`"`), 1)
}

package password

import (
	"errors"
	"strings"
	"testing"
)

func TestWeakPasswordsAreRefused(t *testing.T) {
	for password, want := range map[string]error{
		"una frase bastante larga":     nil,
		"caballo bateria grapa lluvia": nil,
		"Xk7#qpL2vbNz":                 nil,
		"una ventana grande y azul":    nil,
		"gomez-Xk7#qpL2vbNz":           nil,
		"日本語の長い合言葉です今日は":               nil,

		"corta":                   ErrLength,
		"password1234":            ErrCommon,
		"P@ssw0rd1234":            ErrCommon,
		"123456789012":            ErrCommon,
		"qwertyuiop12":            ErrCommon,
		"1qaz2wsx3edc":            ErrCommon,
		"iloveyou1234":            ErrCommon,
		"administrator":           ErrCommon,
		"Contraseña2026":          ErrCommon,
		"contrasena123":           ErrCommon,
		"bienvenido123":           ErrCommon,
		"Noviembre2026":           ErrCommon,
		"holaholahola":            ErrCommon,
		"teamoteamo12":            ErrCommon,
		"aaaaaaaaaaaa":            ErrCommon,
		"ññññññññññññ":            ErrCommon,
		strings.Repeat("ab1!", 8): ErrCommon,
		strings.Repeat("日", 20):   ErrCommon,

		"ana.gomez2026":             ErrOwn,
		"Ana Gómez 2026":            ErrOwn,
		"zemog2026-gomez":           ErrOwn,
		"anagomezanagomez":          ErrOwn,
		"ana.gomez@regency.example": ErrOwn,
		"ClinicaDentalRegency":      ErrOwn,
		"clínica regency #1":        ErrOwn,
		"Regency2026!!":             ErrOwn,
	} {
		hashed, err := New(password, "ana.gomez@regency.example", "Clínica Dental Regency")
		if !errors.Is(err, want) || (err == nil) != (hashed != "") {
			t.Errorf("%q: got %v, want %v", password, err, want)
		}
	}
}

func TestShortNamesAreNoReasonToRefuse(t *testing.T) {
	if _, err := New("manzana verde y madura", "ana@clinica.example", "Clínica"); err != nil {
		t.Error(err)
	}
}

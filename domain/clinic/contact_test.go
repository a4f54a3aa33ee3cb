package clinic

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestContactMessageIsKeptAsPeopleSeeIt(t *testing.T) {
	got, err := ContactMessage{
		Name: " Ana\u200b  María\r\n", Email: " ana@correo.example ", Phone: "",
		Message: "  Hola 👩‍⚕️,\r\n<b>quiero</b> una cita\u202e\x00\U000E0041 ",
	}.Checked()
	want := ContactMessage{Name: "Ana María", Email: "ana@correo.example", Message: "Hola 👩‍⚕️,\n<b>quiero</b> una cita"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestContactMessageSaysEverythingThatIsWrong(t *testing.T) {
	good := ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: "Quisiera una cita."}
	for name, tt := range map[string]struct {
		change func(*ContactMessage)
		wrong  []string
	}{
		"nothing":                {func(*ContactMessage) {}, nil},
		"everything empty":       {func(m *ContactMessage) { *m = ContactMessage{} }, []string{"email", "message", "name"}},
		"one letter":             {func(m *ContactMessage) { m.Name = " A " }, []string{"name"}},
		"two letters":            {func(m *ContactMessage) { m.Name = "Lí" }, nil},
		"a name too long":        {func(m *ContactMessage) { m.Name = strings.Repeat("á", 201) }, []string{"name"}},
		"no address":             {func(m *ContactMessage) { m.Email = "ana" }, []string{"email"}},
		"no domain":              {func(m *ContactMessage) { m.Email = "ana@correo" }, []string{"email"}},
		"a named address":        {func(m *ContactMessage) { m.Email = "Ana <ana@correo.example>" }, []string{"email"}},
		"two addresses":          {func(m *ContactMessage) { m.Email = "a@b.example, c@d.example" }, []string{"email"}},
		"a header in an address": {func(m *ContactMessage) { m.Email = "a@b.example\nBcc: c@d.example" }, []string{"email"}},
		"any phone":              {func(m *ContactMessage) { m.Phone = "después de las 5" }, nil},
		"a phone too long":       {func(m *ContactMessage) { m.Phone = strings.Repeat("1", 51) }, []string{"phone"}},
		"nine characters":        {func(m *ContactMessage) { m.Message = "123456789 " }, []string{"message"}},
		"ten characters":         {func(m *ContactMessage) { m.Message = "ñandúñandú" }, nil},
		"5000 characters":        {func(m *ContactMessage) { m.Message = strings.Repeat("😀", 5000) }, nil},
		"5001 characters":        {func(m *ContactMessage) { m.Message = strings.Repeat("a", 5001) }, []string{"message"}},
	} {
		m := good
		tt.change(&m)
		_, err := m.Checked()
		var invalid InvalidFields
		errors.As(err, &invalid)
		if got := slices.Sorted(maps.Keys(invalid)); !slices.Equal(got, tt.wrong) {
			t.Errorf("%s: wrong fields %v, want %v", name, got, tt.wrong)
		}
	}
}

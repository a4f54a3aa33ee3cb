package clinic_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/clinic"
	"bitacora/domain/clinic/clinictest"
)

func TestAPairLeavesTheWordOfTheForm(t *testing.T) {
	for text, want := range map[string][2]string{
		"{Llama|Llame} al {{phones}}.":    {"Llama al {{phones}}.", "Llame al {{phones}}."},
		"Si {te|le} duele{, ven|}":        {"Si te duele, ven", "Si le duele"},
		"{{with .A | lower}}{a|b}{{end}}": {"{{with .A | lower}}a{{end}}", "{{with .A | lower}}b{{end}}"},
		"Sin pareja {a} {a|b|c}":          {"Sin pareja {a} {a|b|c}", "Sin pareja {a} {a|b|c}"},
	} {
		for _, form := range clinic.FormsOfAddress {
			if got := form.In(text); got != want[form] {
				t.Errorf("%s, %s: %s", form, text, got)
			}
		}
	}
}

func TestAFileNamesTheFormOfAddress(t *testing.T) {
	for file, want := range map[string]clinic.FormOfAddress{`{}`: clinic.Tu, `{"formOfAddress": "tú"}`: clinic.Tu, `{"formOfAddress": "usted"}`: clinic.Usted} {
		if c, err := clinic.Load(strings.NewReader(file)); err != nil || c.FormOfAddress != want {
			t.Errorf("%s: %v, %v", file, c.FormOfAddress, err)
		}
	}
	if _, err := clinic.Load(strings.NewReader(`{"formOfAddress": "vos"}`)); err == nil || !strings.Contains(err.Error(), `formOfAddress: "vos" is neither "tú" nor "usted"`) {
		t.Errorf("vos: %v", err)
	}
}

// What the assistant quotes, and the site shows, speaks to visitors in one form.
func TestTheContentSpeaksInEitherForm(t *testing.T) {
	content := clinic.DefaultContent()
	for _, form := range clinic.FormsOfAddress {
		told := clinic.Clinic{FormOfAddress: form, Phones: []clinic.Phone{"+507 200-0101"}}
		check := func(name string, texts ...string) {
			for _, text := range texts {
				if found := clinictest.Foreign(form, told.Fill(text)); len(found) > 0 {
					t.Errorf("%s, %s: %v", form, name, found)
				}
			}
		}
		for _, s := range content.Services {
			check(s.Slug, s.Title, s.Description, s.Markdown)
		}
		for _, p := range content.Posts {
			check(p.Slug, append(slices.Clone(p.Topics), p.Title, p.Excerpt, p.Markdown)...)
		}
		for _, a := range content.Answers {
			check(a.Slug, a.Text)
		}
		for _, p := range content.Profiles {
			check(p.Slug, p.Name, p.Title, p.Specialty, p.Bio, p.PageTitle, p.PageDescription, p.Markdown)
			check(p.Slug, slices.Concat(p.Specialties, p.Training, p.Affiliations)...)
		}
		for _, p := range content.Pages {
			check(p.Name, textsIn(told.Texts(p.Texts))...)
		}
		for _, s := range content.Services {
			check(s.Slug, textsIn(told.Texts(s.Page))...)
		}
		check("notice", content.Notice.Title, content.Notice.Description, content.Notice.Markdown)
	}
}

// textsIn are all texts of a page.
func textsIn(value any) []string {
	switch value := value.(type) {
	case string:
		return []string{value}
	case []any:
		var all []string
		for _, one := range value {
			all = append(all, textsIn(one)...)
		}
		return all
	case map[string]any:
		return textsIn(slices.Collect(maps.Values(value)))
	}
	return nil
}

package site

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/render"
	"bitacora/domain/clinic"
	"bitacora/webapp"
)

var linkedData = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

// pageOf is a page of a clinic shortly before Christmas 2026, and what search engines read of it.
func pageOf(t *testing.T, facts clinic.Clinic, route string) (page string, item map[string]any) {
	t.Helper()
	bundle, err := webapp.Pages()
	if err != nil {
		t.Fatalf("npm run build comes first: %v", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newContentVersion("", shown(t), facts, "", false, time.Date(2026, 12, 20, 17, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := pages.Render(t.Context(), route, e.dataOf(route, "https://clinica.example"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range linkedData.FindAllStringSubmatch(rendered.Head, -1) {
		var items []map[string]any
		if err := json.Unmarshal([]byte(m[1]), &items); err != nil {
			items = make([]map[string]any, 1)
			if err := json.Unmarshal([]byte(m[1]), &items[0]); err != nil {
				t.Fatalf("%v: %s", err, m[1])
			}
		}
		for _, one := range items {
			if one["@type"] == "Dentist" {
				item = one
			}
		}
	}
	return html.UnescapeString(inWords.ReplaceAllString(rendered.HTML, "")), item
}

// inWords is the markup that stands between the words of one sentence.
var inWords = regexp.MustCompile(`<!-- -->|</?span[^>]*>`)

var toldToEngines = []string{
	"priceRange", "paymentAccepted", "currenciesAccepted", "contactPoint", "specialOpeningHoursSpecification",
}

func TestPagesShowWhatTheClinicTells(t *testing.T) {
	facts, err := clinic.Load(strings.NewReader(strings.Replace(string(clinic.Example()), "America/Panama", "Europe/Madrid", 1)))
	if err != nil {
		t.Fatal(err)
	}
	contact, item := pageOf(t, facts, "/contact")
	for _, f := range facts.Facts() {
		if f.Optional && !slices.Contains(shownElsewhere, f.Key) && !strings.Contains(contact, f.Value) {
			t.Errorf("the contact page does not tell of %s: %s", f.Key, f.Value)
		}
	}
	home, _ := pageOf(t, facts, "/")
	for _, page := range []string{contact, home} {
		for _, want := range []string{"https://wa.me/50760000110", "Jueves 24 de diciembre", "Nochebuena", "8\u00a0a.\u00a0m.\u00a0–\u00a012\u00a0p.\u00a0m.", "Viernes 1 de enero (Año Nuevo): Cerrado"} {
			if !strings.Contains(page, want) {
				t.Errorf("a page does not show %s", want)
			}
		}
		if strings.Contains(page, "Carnaval") && !strings.Contains(page, "Antes de venir") {
			t.Error("a page tells of a day that is more than six weeks ahead")
		}
	}
	for _, name := range toldToEngines {
		if item[name] == nil {
			t.Errorf("search engines do not read %s", name)
		}
	}
	said, err := json.Marshal(item)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"@type":"OpeningHoursSpecification","closes":"12:00","opens":"08:00","validFrom":"2026-12-24","validThrough":"2026-12-24"}`,
		`{"@type":"OpeningHoursSpecification","closes":"00:00","opens":"00:00","validFrom":"2026-12-25","validThrough":"2026-12-25"}`,
		`"paymentAccepted":"efectivo, Visa, Mastercard, Yappy, transferencia ACH"`, `"currenciesAccepted":"USD, PAB"`, `"priceRange":"$35 - $1,200"`,
		`"availableLanguage":["es","en","pt"]`,
	} {
		if !strings.Contains(string(said), want) {
			t.Errorf("search engines do not read %s in\n%s", want, said)
		}
	}
}

// TestAccountsAreThoseThatTheFileNames: the default's lead nowhere, and no other clinic has them.
func TestAccountsAreThoseThatTheFileNames(t *testing.T) {
	nowhere := []contract.SocialLink{{Name: "Facebook", Href: "#"}, {Name: "Instagram", Href: "#"}, {Name: "Twitter", Href: "#"}, {Name: "YouTube", Href: "#"}}
	for file, want := range map[string][]contract.SocialLink{
		`{}`:               nowhere,
		`{"social": {}}`:   {},
		`{"name": "Otra"}`: {},
		`{"name": "Otra", "social": {"YouTube": "https://y.test/otra", "Facebook": "https://f.test/otra"}}`: {{Name: "Facebook", Href: "https://f.test/otra"}, {Name: "YouTube", Href: "https://y.test/otra"}},
	} {
		facts, err := clinic.Load(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, clinicOf(facts, time.Now()).Links.Social); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// TestSearchEnginesReadThePeopleOfThePage: whom the page about the clinic shows, and nobody else.
func TestSearchEnginesReadThePeopleOfThePage(t *testing.T) {
	facts, err := clinic.Load(bytes.NewReader(clinic.Example()))
	if err != nil {
		t.Fatal(err)
	}
	about, item := pageOf(t, facts, "/about")
	people, _ := item["employee"].([]any)
	if profiles := clinic.DefaultContent().Profiles; len(people) != len(profiles) {
		t.Errorf("%d of %d people: %v", len(people), len(profiles), people)
	}
	for _, person := range people {
		if name, _ := person.(map[string]any)["name"].(string); name == "" || !strings.Contains(about, name) {
			t.Errorf("%v is not on the page", person)
		}
	}
	if _, item := pageOf(t, facts, "/contact"); item["employee"] != nil {
		t.Errorf("the contact page tells of %v", item["employee"])
	}
}

func TestPagesShowNothingThatIsNotTold(t *testing.T) {
	contact, item := pageOf(t, clinic.Default(), "/contact")
	home, _ := pageOf(t, clinic.Default(), "/")
	for _, f := range clinic.Default().Untold() {
		if label := ">" + f.Name + "</dt>"; strings.Contains(contact, label) {
			t.Errorf("the contact page tells of %s", f.Name)
		}
	}
	if strings.Contains(contact+home, "wa.me") || strings.Contains(contact, "Antes de venir") {
		t.Error("a page tells what the clinic does not")
	}
	for _, name := range toldToEngines {
		if item == nil || item[name] != nil {
			t.Errorf("search engines read %s: %v", name, item[name])
		}
	}
}

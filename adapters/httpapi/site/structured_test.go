package site

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/markdown"
	"bitacora/adapters/render"
	"bitacora/domain/clinic"
	"bitacora/webapp"
)

// vocabulary is what of schema.org the site uses: the properties that each type may have there, and
// those without which search engines have no use for it.
var vocabulary = map[string]struct{ may, must string }{
	"Dentist": {"slogan email areaServed image hasMap potentialAction openingHoursSpecification specialOpeningHoursSpecification foundingDate geo knowsLanguage sameAs review " +
		"priceRange paymentAccepted currenciesAccepted contactPoint employee description telephone address", "name url"},
	"PostalAddress":             {"addressCountry", "streetAddress addressLocality"},
	"GeoCoordinates":            {"", "latitude longitude"},
	"ReserveAction":             {"", "name target"},
	"OpeningHoursSpecification": {"dayOfWeek validFrom validThrough", "opens closes"},
	"ContactPoint":              {"contactType availableLanguage", "telephone"},
	"Person":                    {"url jobTitle", "name"},
	"BreadcrumbList":            {"", "itemListElement"},
	"ListItem":                  {"", "position name item"},
	"MedicalProcedure":          {"image relevantSpecialty duration offers", "name description url"},
	"Offer":                     {"", "priceSpecification"},
	"PriceSpecification":        {"maxPrice", "minPrice priceCurrency"},
	"FAQPage":                   {"", "mainEntity"},
	"Question":                  {"", "name acceptedAnswer"},
	"Answer":                    {"", "text"},
	"Physician":                 {"description medicalSpecialty parentOrganization knowsLanguage identifier", "name url telephone address"},
	"Review":                    {"", "author reviewRating reviewBody"},
	"Rating":                    {"", "ratingValue bestRating worstRating"},
	"BlogPosting":               {"description mainEntityOfPage inLanguage", "headline datePublished image author publisher"},
}

// What the values of some properties must be like.
var (
	addresses = []string{"url", "sameAs", "image", "item", "target", "hasMap", "mainEntityOfPage", "@id", "relevantSpecialty", "medicalSpecialty"}
	valueForm = map[string]*regexp.Regexp{
		"opens": regexp.MustCompile(`^\d\d:\d\d$`), "closes": regexp.MustCompile(`^\d\d:\d\d$`),
		"validFrom": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`), "validThrough": regexp.MustCompile(`^\d{4}-\d\d-\d\d$`),
		"datePublished": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`), "addressCountry": regexp.MustCompile(`^[A-Z]{2}$`),
		"duration": regexp.MustCompile(`^PT\d+M$`), "priceCurrency": regexp.MustCompile(`^[A-Z]{3}$`),
		"foundingDate": regexp.MustCompile(`^\d{4}$`), "headline": regexp.MustCompile(`^.{1,110}$`),
		"dayOfWeek": regexp.MustCompile(`^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$`),
	}
	// shownValues are those that must stand on the page: search engines take it amiss otherwise. Not
	// among them is what puts together what is shown: the range of the prices, the ways to pay.
	shownValues = []string{"telephone", "streetAddress", "email", "slogan", "headline", "foundingDate", "jobTitle", "text", "reviewBody"}
)

// structured checks the items of one page.
type structured struct {
	t     *testing.T
	route string
	// seen is the text of the page.
	seen string
	ids  []string
	refs []string
}

func (s *structured) check(path string, value any) {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			s.t.Errorf("%s: %s is empty", s.route, path)
		}
		for _, one := range v {
			s.check(path, one)
		}
	case map[string]any:
		s.item(path, v)
	case string:
		s.text(path[strings.LastIndexByte(path, '.')+1:], path, v)
	case nil, bool:
		s.t.Errorf("%s: %s is %v", s.route, path, v)
	}
}

func (s *structured) item(path string, item map[string]any) {
	kind, _ := item["@type"].(string)
	if id, isID := item["@id"].(string); isID && len(item) == 1 {
		s.refs = append(s.refs, id)
		return
	} else if isID {
		s.ids = append(s.ids, id)
	}
	known, ok := vocabulary[kind]
	if !ok {
		s.t.Errorf("%s: %s is of type %q", s.route, path, kind)
		return
	}
	for _, must := range strings.Fields(known.must) {
		if item[must] == nil {
			s.t.Errorf("%s: %s, a %s, has no %s", s.route, path, kind, must)
		}
	}
	for name := range item {
		if !strings.HasPrefix(name, "@") && !slices.Contains(strings.Fields(known.may+" "+known.must), name) {
			s.t.Errorf("%s: %s, a %s, has a %s", s.route, path, kind, name)
		}
	}
	for name, value := range item {
		if name != "@type" && name != "@context" {
			s.check(path+"."+name, value)
		}
	}
	if kind == "BreadcrumbList" {
		for i, one := range item["itemListElement"].([]any) {
			if got := one.(map[string]any)["position"]; got != float64(i+1) {
				s.t.Errorf("%s: the crumb %d has the position %v", s.route, i+1, got)
			}
		}
	}
}

func (s *structured) text(name, path, value string) {
	if strings.TrimSpace(value) == "" || strings.ContainsAny(value, "{}") || strings.Contains(value, "undefined") {
		s.t.Errorf("%s: %s is %q", s.route, path, value)
	}
	if u, err := url.Parse(value); slices.Contains(addresses, name) && (err != nil || u.Scheme != "https" || u.Host == "") {
		s.t.Errorf("%s: %s is no absolute address: %s", s.route, path, value)
	}
	if form := valueForm[name]; form != nil && !form.MatchString(value) {
		s.t.Errorf("%s: %s is %q", s.route, path, value)
	}
	if slices.Contains(shownValues, name) && !strings.Contains(s.seen, plainText(value)) {
		s.t.Errorf("%s: %s is not to be seen on the page: %s", s.route, path, value)
	}
}

var elements = regexp.MustCompile(`<[^>]*>`)

// plainText is a text without markup, and with spaces where there is any white space.
func plainText(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(elements.ReplaceAllString(text, " "))), " ")
}

// foreignContent is a clinic's that has nothing in common with the default's, but for its pictures.
func foreignContent() (clinic.Content, error) {
	files := os.DirFS("../../../cmd/bitacora/testdata/foreign/content")
	content, err := clinic.ReadContent(files, clinic.Content{})
	if err != nil {
		return content, err
	}
	content.Pictures = nil
	return markdown.Content(content)
}

func TestSearchEnginesReadWhatThePagesShow(t *testing.T) {
	foreign, err := os.ReadFile("../../../cmd/bitacora/testdata/foreign/clinic.json")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := webapp.Pages()
	if err != nil {
		t.Fatalf("npm run build comes first: %v", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		t.Fatal(err)
	}
	routes, err := pages.Routes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"default": "{}", "foreign": string(foreign), "telling all": string(clinic.Example())} {
		facts, err := clinic.Load(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		content := clinic.DefaultContent()
		if name == "foreign" {
			if content, err = foreignContent(); err != nil {
				t.Fatal(err)
			}
		}
		e, err := newContentVersion("", content, facts, "", false, time.Date(2026, 12, 1, 17, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Clone(routes)
		for _, a := range e.pages {
			all = append(all, a.path)
		}
		slices.Sort(all)
		kinds := map[string]int{}
		for _, route := range slices.Compact(all) {
			page, err := pages.Render(t.Context(), route, e.dataOf(route, "https://clinica.test"))
			if err != nil || page.Status != 200 {
				t.Fatalf("%s: %d, %v", route, page.Status, err)
			}
			s := &structured{t: t, route: name + " " + route, seen: plainText(strings.ReplaceAll(page.HTML, "<!-- -->", ""))}
			for _, m := range linkedData.FindAllStringSubmatch(page.Head, -1) {
				var item map[string]any
				if err := json.Unmarshal([]byte(m[1]), &item); err != nil || item["@context"] != "https://schema.org" {
					t.Fatalf("%s: %v: %s", route, err, m[1])
				}
				kinds[fmt.Sprint(item["@type"])]++
				for _, name := range []string{"duration", "offers", "review", "sameAs"} {
					if item[name] != nil {
						kinds[name]++
					}
				}
				s.check(fmt.Sprint(item["@type"]), item)
			}
			for _, ref := range s.refs {
				if !slices.Contains(s.ids, ref) {
					t.Errorf("%s: %s is on no item of the page", s.route, ref)
				}
			}
		}
		for _, kind := range []string{"Dentist", "BreadcrumbList", "MedicalProcedure", "FAQPage", "Physician", "BlogPosting"} {
			if kinds[kind] == 0 {
				t.Errorf("%s: no page has a %s: %v", name, kind, slices.Sorted(maps.Keys(kinds)))
			}
		}
		// How long a visit is, is known where the chat books; only one of the clinics tells prices of services.
		if chat := facts.Links.Configured().Booking == ""; (kinds["duration"] > 0) != chat || (kinds["offers"] > 0) != (name == "telling all") {
			t.Errorf("%s: %v", name, kinds)
		}
		// The default's patients are made up, and its accounts lead nowhere.
		if (kinds["review"] > 0) != (name == "foreign") || (kinds["sameAs"] > 0) != (name != "default") {
			t.Errorf("%s: %v", name, kinds)
		}
	}
}

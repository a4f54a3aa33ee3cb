package clinic

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	oneService     = "---\ntitle: \"Uno\"\nslug: uno\ndescription: 'La de ''hoy'''\nicon: fa-tooth\norder: 1\n---\n\nTexto.\n"
	onePost        = "---\ntitle: P\nslug: p\nexcerpt: \"E\"\npublishedAt: 2026-11-03T09:00:00-05:00\ntopics: [encías]\n---\nx\n"
	oneTestimonial = "[\n {\"id\": \"a\", \"name\": \"A\",\n \"comment\": \"Bien\",\n \"rating\": 5, \"location\": \"x\"}\n]\n"
)

// corpus are files that are accepted, or refused with messages in order: a text, or one in which something
// is replaced. A message begins with its line, and ends before the known names.
var corpus = []struct{ file, text, old, new, want string }{
	{"services/uno.md", oneService, "", "", ""},
	{"services/uno.md", "", "", "---\r\ntitle: \"Uno\"\r\nslug: uno\r\ndescription: 'La de ''hoy'''\r\nicon: fa-tooth\r\norder: 1\r\n---\r\n\r\nTexto.\r\n", ""},
	{"services/uno.md", "", "", "\ufeff---\ntitle: \"Uno\"\nslug: uno\ndescription: 'La de ''hoy'''\nicon: fa-tooth\norder: 1\n---\n\nTexto.\n", `1: begins with no line "---"`},
	{"services/uno.md", "", "", "", `1: begins with no line "---"`},
	{"services/uno.md", "", "", "---\ntitle: \"Uno\"\nslug: uno\ndescription: 'La de ''hoy'''\nicon: fa-tooth\norder: 1\n", `7: has no second line "---" that ends its head`},
	{"services/uno.md", "", "", "title: x\n", `1: begins with no line "---"`},
	{"services/uno.md", oneService, "icon: fa-tooth", "icom: fa-tooth", "5: icom: is no field of such a file; did you mean icon?"},
	{"services/uno.md", oneService, "icon: fa-tooth", "icon fa-tooth", `5: "icon fa-tooth" is not like "name: value"`},
	{"services/uno.md", oneService, "order: 1", "order: 1\norder: 2", "7: order: is there twice"},
	{"services/uno.md", oneService, "order: 1", `order: "1"`, `6: order: "\"1\"" is not a whole number`},
	{"services/uno.md", oneService, "order: 1", "order: 99999999999999999999", `6: order: "99999999999999999999" is not a whole number`},
	{"services/uno.md", oneService, "order: 1", "order: 0", "6: order: 0 is not a place from 1 on"},
	{"services/uno.md", oneService, "order: 1", "order: 1\nfeatured: yes", `7: featured: "yes" is neither true nor false`},
	{"services/uno.md", oneService, "order: 1", "order: 1\n# comment\n\nfeatured: true", ""},
	{"services/uno.md", oneService, `title: "Uno"`, `title: "Uno`, `2: title: is not a text in "…" on one line`},
	{"services/uno.md", oneService, `title: "Uno"`, "title: 'Uno", "2: title: is not a text in '…' on one line"},
	{"services/uno.md", oneService, `title: "Uno"`, "title: *uno", `2: title: put what begins with '*' into "…"`},
	{"services/uno.md", oneService, `title: "Uno"`, "title: &uno Uno", `2: title: put what begins with '&' into "…"`},
	{"services/uno.md", oneService, `title: "Uno"`, "title: <<: *x", `2: title: put what contains ": " or " #" into "…"`},
	{"services/uno.md", oneService, `title: "Uno"`, "<<: *base", "2: <<: is no field of such a file"},
	{"services/uno.md", oneService, `title: "Uno"`, "title: |", `2: title: put what begins with '|' into "…"`},
	{"services/uno.md", oneService, `title: "Uno"`, "title: {a: b}", `2: title: put what begins with '{' into "…"`},
	{"services/uno.md", oneService, `title: "Uno"`, "title: Uno # nota", `2: title: put what contains ": " or " #" into "…"`},
	{"services/uno.md", oneService, `title: "Uno"`, "title:\tUno", ""},
	{"services/uno.md", oneService, `title: "Uno"`, "\ttitle: Uno", ""},
	{"services/uno.md", oneService, `title: "Uno"`, "title: \xff", ""},
	{"services/uno.md", oneService, `title: "Uno"`, `title: "{{nada}}"`, "2: title: {{nada}} is no fact of the clinic"},
	{"services/uno.md", oneService, `title: "Uno"`, `title: "{a|b"`, "2: title: has a brace that is of no fact like {{phones}} and of no pair like {puedes|puede}"},
	{"services/uno.md", oneService, `title: "Uno"`, `title: ""`, "2: title: is empty"},
	{"services/uno.md", oneService, `title: "Uno"`, "title: null", ""},
	{"services/uno.md", oneService, `title: "Uno"`, `title: "\u00bf\"Uno\""`, ""},
	{"services/uno.md", oneService, "slug: uno", "slug: dos", "3: slug: belongs into a file named dos.md"},
	{"services/uno.md", oneService, "slug: uno", "slug: Uno", "3: slug: \"Uno\" is not like diseno-sonrisa\n3: slug: belongs into a file named Uno.md"},
	{"services/uno.md", oneService, "icon: fa-tooth", "icon: fa-tooth\nimageUrl: //x", `6: imageUrl: "//x" is not a path of the site like /images/x.webp`},
	{"services/uno.md", oneService, "---\n\nTexto", "---\n---\n\nTexto", ""},
	{"services/uno.md", oneService, "Texto.", "En\n\n{{nada}}.", "11: text: {{nada}} is no fact of the clinic"},
	{"services/uno.md", oneService, "\n\nTexto.", "", "8: text: is empty"},
	{"posts/p.md", onePost, "", "", ""},
	{"posts/p.md", onePost, "topics: [encías]", `topics: ["encías", "a, b"]`, ""},
	{"posts/p.md", onePost, "topics: [encías]", "topics: encías", `6: topics: "encías" is not a list like [encías, prevención]`},
	{"posts/p.md", onePost, "topics: [encías]", "topics: []", ""},
	{"posts/p.md", onePost, "topics: [encías]", "topics: [encías, dientes]", ""},
	{"posts/p.md", onePost, "topics: [encías]", `topics: [encías, "a, b"]`, `6: topics: is not a text in "…" on one line`},
	{"posts/p.md", onePost, "topics: [encías]", `topics: ["encías", 3]`, ""},
	{"posts/p.md", onePost, "2026-11-03T09:00:00-05:00", "2026-11-03", `5: publishedAt: "2026-11-03" is not an instant like 2026-11-03T09:00:00-05:00`},
	{"posts/p.md", onePost, "publishedAt: 2026-11-03T09:00:00-05:00\n", "", "1: publishedAt: is missing"},
	{"posts/p.md", onePost, "topics: [encías]", "topics: [encías]\nimageUrl: /img/x.webp", ""},
	{"privacidad.md", "", "", "---\ntitle: T\nversion: 1\ndescription: D\n---\nx\n", ""},
	{"privacidad.md", "", "", "---\ntitle: T\nversion:\n---\n{{fax}}\n", "3: version: is empty\n1: description: is empty\n5: text: {{fax}} is no fact of the clinic"},
	{"testimonials.json", oneTestimonial, "", "", ""},
	{"testimonials.json", "", "", "[]", ""},
	{"testimonials.json", "", "", "{}", "1: is no list like […]"},
	{"testimonials.json", "", "", "", "1: ends too early"},
	{"testimonials.json", "", "", "[", "1: ends too early"},
	{"testimonials.json", "", "", "[\n {\"id\": \"a\", \"name\": \"A\",\n \"comment\": \"Bien\",\n \"rating\": 5, \"location\": \"x\"}", "4: ends too early"},
	{"testimonials.json", "", "", "[\n {\"id\": \"a\", \"name\": \"A\",\n \"comment\": \"Bien\",\n \"rating\": 5, \"location\": \"x\"}\n]\n[]", "6: goes on after its end"},
	{"testimonials.json", oneTestimonial, `"name"`, `"nane"`, "2: [0].nane: is no field; did you mean name?\n2: [0].name: is empty"},
	{"testimonials.json", oneTestimonial, `"name"`, `"Name"`, "2: [0].Name: is no field; did you mean name?\n2: [0].name: is empty"},
	{"testimonials.json", oneTestimonial, `"A"`, "7", `2: [0].name: is no text like "…"`},
	{"testimonials.json", oneTestimonial, `"A"`, "null", "2: [0].name: is empty"},
	{"testimonials.json", oneTestimonial, `"A",`, `"A"`, `3: invalid character '"' after object key:value pair`},
	{"testimonials.json", oneTestimonial, "5", "6", "4: [0].rating: is no whole number from 0 to 5"},
	{"testimonials.json", oneTestimonial, "5", "4.5", "4: [0].rating: is no whole number from 0 to 5"},
	{"testimonials.json", oneTestimonial, "5", "1e999", "4: [0].rating: is no whole number from 0 to 5"},
	{"testimonials.json", oneTestimonial, `"Bien"`, `""`, "3: [0].comment: is empty"},
	{"testimonials.json", oneTestimonial, `"Bien"`, `"Bien`, "3: invalid character '\\n' in string literal"},
	{"testimonials.json", oneTestimonial, `"a"`, `"A b"`, `2: [0].id: "A b" is not like diseno-sonrisa`},
	{"testimonials.json", oneTestimonial, `"location": "x"`, `"location": "x", "imageUrl": "x"`, `4: [0].imageUrl: "x" is not a path of the site like /images/x.webp`},
	{"testimonials.json", oneTestimonial, `"location": "x"`, `"location": "x", "imageUrl": null`, ""},
	{"testimonials.json", oneTestimonial, `"location"`, `"name"`, "2: [0].location: is empty\n4: [0].name: is there twice"},
	{"testimonials.json", oneTestimonial, `"id"`, `"//": "nota", "id"`, ""},
	{"testimonials.json", oneTestimonial, `{"id"`, `[{"id"`, "6: ends too early"},
	{"testimonials.json", "", "", "[\n[[[[[[[[[[[[[[[[[[[[", "2: is nested too deeply"},
	{"testimonials.json", "", "", "[7]", `1: [0]: is no object like {"comment": …}`},
	{"testimonials.json", "", "", "\ufeff[]", "1: invalid character 'ï' looking for beginning of value"},
	{"testimonials.json", "", "", "[{\"id\": \"a\", \"name\": \"\xff\", \"comment\": \"x\", \"location\": \"x\"}]", ""},
	{"images/images.json", "", "", "{}", `1: hero/1: alt: say in a sentence what is seen on it, or "decorative": true`},
	{"images/images.json", "", "", "[]", `1: is no object like {"hero/1": {"alt": "…"}}`},
	{"images/images.json", "", "", `{"hero/1": {"decorative": true, "focus": [0, 0.5]}}`, ""},
	{"images/images.json", "", "", `{"hero/1": {"decorative": 1}}`, "1: hero/1.decorative: is neither true nor false"},
	{"images/images.json", "", "", "{\n\"hero/1\": {\"alt\": 3}}", `2: hero/1.alt: is no text like "…"`},
	{"images/images.json", "", "", "{\"hero/1\": {\"decorative\": true,\n\"focus\": [\"a\", 1]}}", "2: hero/1.focus[0]: is no number"},
	{"images/images.json", "", "", `{"hero/1": {"decorative": true, "focus": 0.5}}`, "1: hero/1.focus: is no list like […]"},
	{"images/images.json", "", "", `{"hero/1": {"decorative": true, "focos": []}}`, "1: hero/1.focos: is no field; did you mean focus?"},
	{"images/images.json", "", "", `{"hero/1": {"decorative": true}`, "1: ends too early"},
	{"images/images.json", "", "", `{"hero/1": {"decorative": true}} {}`, "1: goes on after its end"},
	{"images/images.json", "", "", "{\"hero/1\": {\"decorative\": true},\n\"hero/1\": {\"decorative\": true}}", "2: hero/1: is there twice"},
	{"images/images.json", "", "", `{"hero/1": {"decorative": true}, "hero/7": {}}`, "1: hero/7: there is no such picture in images/; did you mean hero/1?"},
	{"images/images.json", "", "", `{"hero/1": 7}`, `1: hero/1: is no object like {"alt": …}`},
	{"pages/not-found.json", "", "", "[]", `1: is no object like {"heading": …}`},
	{"pages/not-found.json", "", "", "7", `1: is no object like {"heading": …}`},
	{"pages/not-found.json", "", "", "{", "1: ends too early"},
	{"pages/not-found.json", "", "", "{}x", "1: goes on after its end"},
	{"clinic.json", "", "", "{}", ""},
	{"clinic.json", "", "", "", "line 1: ends too early"},
	{"clinic.json", "", "", "[]", `line 1: is no object like {"accessibility": …}`},
	{"clinic.json", "", "", `"x"`, `line 1: is no object like {"accessibility": …}`},
	{"clinic.json", "", "", `{"name": "A"} {}`, "line 1: goes on after its end"},
	{"clinic.json", "", "", `{"name": "A",}`, "line 1: invalid character '}' looking for beginning of object key string"},
	{"clinic.json", "", "", `{"name": "A" "email": 1}`, `line 1: invalid character '"' after object key:value pair`},
	{"clinic.json", "", "", `{"name": "A`, "line 1: ends too early"},
	{"clinic.json", "", "", "{\"name\": \"A\nB\"}", "line 1: invalid character '\\n' in string literal"},
	{"clinic.json", "", "", `{"name": "A\nB"}`, `line 1: name: "A\nB" has line breaks, double spaces, invisible signs or one of {}|<>`},
	{"clinic.json", "", "", "{\"name\": \"A\tB\"}", "line 1: invalid character '\\t' in string literal"},
	{"clinic.json", "", "", "\ufeff{}", "line 1: invalid character 'ï' looking for beginning of value"},
	{"clinic.json", "", "", `{"name": "A\ud800"}`, ""},
	{"clinic.json", "", "", `{"name": "A", "nane": 1}`, "line 1: nane: is no field; did you mean name?"},
	{"clinic.json", "", "", "{\"name\": \"A\",\r\n\"name\": \"B\"}", "line 2: name: is there twice"},
	{"clinic.json", "", "", `{"//": 1, "//": [2], "name": "A"}`, ""},
	{"clinic.json", "", "", `{"name": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}`, "line 1: is nested too deeply"},
	{"clinic.json", "", "", `{"founded": 1e999}`, "line 1: founded: is no whole number from 1800 to 2100"},
	{"clinic.json", "", "", `{"founded": 20260000000000000000000}`, "line 1: founded: is no whole number from 1800 to 2100"},
	{"clinic.json", "", "", `{"founded": 2005.0}`, "line 1: founded: is no whole number from 1800 to 2100"},
	{"clinic.json", "", "", `{"founded": -1}`, "line 1: founded: is no whole number from 1800 to 2100"},
	{"clinic.json", "", "", `{"name": null}`, `line 1: name: is no text like "…"`},
	{"clinic.json", "", "", `{"parking": null, "phones": null}`, "line 1: phones: at least one is needed"},
	{"clinic.json", "", "", `{"phones": ["1", "2"]}`, "line 1: phones: \"1\" is not like +507 200-0101\nline 1: phones: \"2\" is not like +507 200-0101"},
	{"clinic.json", "", "", `{"phones": "+507 200-0101"}`, "line 1: phones: is no list like […]"},
	{"clinic.json", "", "", `{"address": "x"}`, `line 1: address: is no object like {"building": …}`},
	{"clinic.json", "", "", `{"address": {"street": "Calle 1"}}`, ""},
	{"clinic.json", "", "", `{"hours": {"lunes": "8-9"}}`, "line 1: hours.lunes: is no field"},
	{"clinic.json", "", "", `{"hours": {"monday": "8-9"}}`, `line 1: hours.monday: "8-9" is not like 08:00-19:00`},
	{"clinic.json", "", "", `{"hours": {"Monday": "08:00-09:00"}}`, ""},
	{"clinic.json", "", "", `{"agenda": {"visits": 7}}`, `line 1: agenda.visits: is no object like {"endodoncia": {"minutes": 60, "chairs": 1}}`},
	{"clinic.json", "", "", `{"agenda": {"visits": {"x": {"minutes": 1, "chairs": 1}}}}`, "line 1: agenda.visits.x.minutes: is no whole number from 5 to 480"},
	{"clinic.json", "", "", `{"prices": {"currency": "USD", "services": []}}`, `line 1: prices.services: is no object like {"ortodoncia": {"from": 900}}`},
	{"clinic.json", "", "", "{\"name\": \"A\xff\"}", ""},
	{"clinic.json", "", "", `{"name": "A", /* no */ "email": "a@b.example"}`, "line 1: invalid character '/' looking for beginning of object key string"},
	{"clinic.json", "", "", "{'name': 'A'}", "line 1: invalid character '\\''"},
	{"clinic.json", "", "", `{name: "A"}`, "line 1: invalid character 'n'"},
	{"clinic.json", "", "", `{"country": "AR"}`, ""},
	{"clinic.json", "", "", `{"doctors": [{}]}`, `line 1: doctors[0]: needs a "profession" like "ortodoncista"`},
	{"clinic.json", "", "", `{"exceptions": [{"date": "12-24"}, {"date": "12-24"}]}`, "line 1: exceptions[1]: 12-24 is there twice"},
	{"clinic.json", "", "", `{"theme": {"primary": 3}}`, `line 1: theme.primary: "" is not like "#145354"`},
	{"clinic.json", "", "", `{"crisisLine": {"name": "x"}}`, "line 1: crisisLine: needs a name and a phone"},
	{"clinic.json", "", "", `{"crisisLine": null, "links": {"map": "http://x"}}`, `line 1: links.map: "http://x" is not an https address`},
	{"clinic.json", "", "", `{"languages": ["es", "es", "xx"]}`, "line 1: languages[1]: \"es\" is there twice\nline 1: languages[2]: \"xx\" is no known code; did you mean ar?"},
	{"answers/a.md", "", "", "## a\n- ¿x?\nSí.\n", ""},
	{"answers/a.md", "", "", "## a\r\nservice: endodoncia\r\n- ¿x?\r\nSí.\r\n", ""},
	{"answers/a.md", "", "", "\ufeff## a\n- ¿x?\nSí.\n", "1: stands before the first answer, which begins with a line like \"## limpieza-duele\"\n2: stands before the first answer, which begins with a line like \"## limpieza-duele\"\n3: stands before the first answer, which begins with a line like \"## limpieza-duele\""},
	{"answers/a.md", "", "", "## a\nservice: nada\n- ¿x?\nSí.\n", `2: a: service: there is no service "nada"; leave out the line, or the answer`},
	{"answers/a.md", "", "", "## a\nservise: x\n- ¿x?\nSí.\n", "2: servise: is no field of an answer"},
	{"answers/a.md", "", "", "## a\n- ¿x?\nSí.\n---\nslug: b\n", ""},
	{"answers/a.md", "", "", "## a\n- ¿x?\nSí.\nEnglish: Yes.\n- ¿y?\n", "5: stands after the English answer, which is the last line"},
	{"answers/a.md", "", "", "## a\n\n\n", "1: slug: has no question; one is a line like \"- ¿Duele?\"\n1: text: is empty"},
	{"answers/a.md", "", "", "x\n## a\n- ¿x?\nSí.\n", `1: stands before the first answer, which begins with a line like "## limpieza-duele"`},
	{"answers/a.md", "", "", "## a\nopen: yes\n- ¿x?\n", "2: open: \"yes\" is neither true nor false\n1: text: is empty"},
	{"answers/a.md", "", "", "## a\n- ¿x?\n\xff\n", ""},
	{"answers/a.md", "", "", "## a\n- ¿x?\n- ¿X?\nSí.\n", `3: "¿X?" is asked at a already`},
	{"answers/a.md", "", "", "## a\n- ¿x?\n## a\n- ¿y?\nSí. || No. || Nada.\n", "1: text: is empty\n3: slug: \"a\" is there twice\n5: text: names no fact before || that may not be told, so that what follows is never said\n5: text: has || twice"},
}

func TestFilesAreAcceptedOrRefusedAsInTheCorpus(t *testing.T) {
	base := DefaultContent()
	base.Answers = nil
	known := regexp.MustCompile("; the known ones are .*")
	for _, c := range corpus {
		text := strings.Replace(c.text, c.old, c.new, 1)
		folder := fstest.MapFS{c.file: {Data: []byte(text)}}
		if c.file == pictureTexts {
			folder["images/hero/1.jpg"] = &fstest.MapFile{}
		}
		_, err := ReadContent(folder, base)
		if c.file == "clinic.json" {
			_, err = Load(strings.NewReader(text))
		}
		got := ""
		if err != nil {
			got = strings.ReplaceAll("\n"+err.Error(), "\n"+c.file+":", "\n")[1:]
			got = known.ReplaceAllString(got, "")
		}
		if got != c.want {
			t.Errorf("%s\n%q\ngot  %s\nwant %s", c.file, text, got, c.want)
		}
	}
}

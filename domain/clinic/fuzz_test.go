package clinic

import (
	"errors"
	"net/mail"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"
	"unicode/utf8"
)

// FuzzLoad: a file of facts is refused or gives a clinic that can be reached and shown.
func FuzzLoad(f *testing.F) {
	f.Add(`{"name": "Otra", "email": "a@b.example", "phones": ["+507 200-0101"], "zone": "America/Bogota"}`)
	f.Add(`{"hours": {"monday": "08:00-12:00, 13:00-19:00", "sunday": ""}, "numbersChecked": "2026-11-21"}`)
	f.Add(`{"agenda": {"leadMinutes": 120, "days": 45, "visits": {"endodoncia": {"minutes": 60, "chairs": 2}}, "closed": ["2026-12-25"]}}`)
	f.Add(`{"links": {"map": "https://mapas.example/\r\nX: y"}, "crisisLine": null, "team": null}`)
	f.Add(`{"address": {"street": "", "city": "x"}}`)
	f.Add(`{"email": "\"a b\"@x.example\r\nExpires: never"}`)
	f.Add("{\"zone\": \"../../etc/passwd\"}")
	f.Add(string(Example()))
	f.Add(`{"prices": {"currency": "USD", "services": {"x": {"from": 1e99}}}, "exceptions": [{"date": "02-29", "until": "02-28"}], "doctors": [[], {"days": [1]}]}`)
	f.Fuzz(func(t *testing.T, file string) {
		c, err := Load(strings.NewReader(file))
		if err != nil {
			return
		}
		if c.Zone == nil || len(c.Phones) == 0 {
			t.Errorf("accepted without a zone or a phone: %+v", c)
		}
		if _, err := mail.ParseAddress(c.Email); err != nil || strings.ContainsAny(c.Email, "\r\n") {
			t.Errorf("e-mail %q: %v", c.Email, err)
		}
		for _, link := range c.Links.All() {
			if !strings.HasPrefix(strings.ToLower(link), "https://") || strings.ContainsFunc(link, unicode.IsControl) {
				t.Errorf("link %q", link)
			}
		}
		for _, p := range c.Phones {
			if !strings.HasPrefix(p.E164(), "+") || strings.ContainsAny(string(p), "\r\n<>\"") {
				t.Errorf("phone %q", p)
			}
		}
		for _, day := range c.Hours {
			checkSpans(t, day)
		}
		for _, e := range c.Exceptions {
			checkSpans(t, e.Spans)
		}
		for _, f := range c.From(time.Date(2026, 12, 24, 9, 0, 0, 0, c.Zone)).Facts() {
			if !utf8.ValidString(f.Value) || strings.ContainsAny(f.Value, "\r\n") || strings.Contains(f.Value, "{{") {
				t.Errorf("%s is %q", f.Key, f.Value)
			}
		}
	})
}

// FuzzParseSpans: opening hours are refused, or in order, apart and within the day.
func FuzzParseSpans(f *testing.F) {
	for _, text := range []string{"08:00-12:00, 13:00-19:00", "", "00:00-24:00", "8:00-9:00", "24:00-08:00", "08:00-08:00", "08:00-12:00,11:00-13:00", "-", ","} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if spans, err := ParseSpans(text); err == nil {
			checkSpans(t, spans)
		}
	})
}

func checkSpans(t *testing.T, spans []Span) {
	t.Helper()
	end := 0
	for _, s := range spans {
		if s.Opens < end || s.Closes <= s.Opens || s.Closes > 24*60 {
			t.Errorf("spans %v", spans)
		}
		end = s.Closes
	}
}

// FuzzContent: files of content are refused, or written and read as the same again.
func FuzzContent(f *testing.F) {
	service := "---\ntitle: \"Endodoncia\"\nslug: endodoncia\ndescription: 'La de ''siempre'''\nicon: fa-tooth\norder: 3\nspecialty: true\n---\nUn texto.\n"
	post := "---\ntitle: Encías\nslug: post\nexcerpt: \"Por qué: \\\"sangran\\\"\"\npublishedAt: 2026-11-03T09:00:00-05:00\ntopics: [encías, \"a\"]\n---\n# Hola\n"
	files := DefaultContent().Files()
	f.Add(service, post, "[]")
	f.Add(service, strings.ReplaceAll(post, "\n", "\r\n"), string(files[testimonialFile]))
	f.Add("---\n---", "---\n: \n---\n", `[{"id": 1}]`)
	f.Add("", "---", "[")
	base := DefaultContent()
	base.Answers = nil
	f.Fuzz(func(t *testing.T, service, post, testimonials string) {
		read, err := ReadContent(fstest.MapFS{
			serviceFiles + "/endodoncia.md": {Data: []byte(service)}, postFiles + "/post.md": {Data: []byte(post)},
			testimonialFile: {Data: []byte(testimonials)},
		}, base)
		if err != nil {
			return
		}
		written := read.Files()
		again := fstest.MapFS{}
		for name, text := range written {
			again[name] = &fstest.MapFile{Data: text}
		}
		same, err := ReadContent(again, Content{})
		if err != nil || !reflect.DeepEqual(read, same) {
			t.Errorf("%+v\nbecame\n%+v\n%v", read, same, err)
		}
	})
}

// FuzzContactMessage: what a visitor sends is refused by its fields, or is visible text, of one
// line where that is all that belongs there, and is then accepted as it is.
func FuzzContactMessage(f *testing.F) {
	f.Add("Ana", "ana@example.com", "+507 6123-4567", "Quisiera una cita.")
	f.Add("Ana\r\nBcc: todos@example.com", "ana@example.com", "1\n2", "Un mensaje con\r\ndos líneas")
	f.Add("Ana\r\nBcc: todos@example.com", "ana@example.com\r\nBcc: x@example.com", "1\n2", "Un mensaje\x00 con \u202e marcas \U000e0041")
	f.Add("a\u200d\u200d", "\"a b\"@example.com", "\xff", "   \u200d   1234567890")
	f.Add("Ana", "ana@[127.0.0.1]", "", "1234567890")
	f.Fuzz(func(t *testing.T, name, email, phone, message string) {
		checked, err := ContactMessage{name, email, phone, message}.Checked()
		var fields InvalidFields
		if err != nil {
			if !errors.As(err, &fields) || len(fields) == 0 {
				t.Errorf("refused without a field: %v", err)
			}
			return
		}
		for _, text := range []string{checked.Name, checked.Email, checked.Phone, checked.Message} {
			if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
				t.Errorf("%q is not all visible", text)
			}
		}
		if strings.ContainsAny(checked.Name+checked.Email+checked.Phone, "\r\n") {
			t.Errorf("more than a line: %+v", checked)
		}
		if same, err := checked.Checked(); err != nil || same != checked {
			t.Errorf("%+v became %+v, %v", checked, same, err)
		}
	})
}

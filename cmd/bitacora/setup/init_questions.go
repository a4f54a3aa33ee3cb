package setup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
)

// question asks for a setting, for a fact of the clinic by its path in the clinic's file, or for the
// owner's address.
type question struct {
	key, text, example, standard string
	// due, if not nil, says whether the answers so far make it a question.
	due func(answers) bool
}

// section is a heading with its questions.
type section struct {
	title     string
	questions []question
}

// ownerKey is the address of the account that is made at the end.
const ownerKey = "owner"

// Opening hours that one answer tells for several days.
const (
	weekdaysKey = "hours.weekdays"
	saturdayKey = "hours.saturday"
	sundayKey   = "hours.sunday"
)

// interview is everything that is asked. What is left empty keeps its placeholder, or is not used.
func interview() []section {
	standard := clinic.Default()
	provider := func(a answers) bool { return cmp.Or(a["BITACORA_ASSISTANT"], "embedded") != "embedded" }
	proxied := func(a answers) bool { return a["BITACORA_DOMAIN"] == "" }
	abroad := func(a answers) bool { return a["zone"] != standard.Zone.String() }
	return []section{
		{"The clinic", []question{
			{key: "name", text: "Name", example: "Clínica Dental del Istmo"},
			{key: "tagline", text: "Slogan, in Spanish", example: "Cuidamos tu sonrisa en El Cangrejo"},
			{key: "address.street", text: "Street, with building and floor", example: "Calle D, Torre Marfil, piso 3"},
			{key: "address.city", text: "City", example: "Ciudad de Panamá"},
			{key: "zone", text: "Time zone", standard: standard.Zone.String()},
			{key: "country", text: "Country, by its ISO code", example: "CO", due: abroad},
			{key: "privacyLaw", text: "The country's law on personal data", example: "Ley 1581 de 2012", due: abroad},
			{key: "emergency", text: "The country's emergency number", example: "112", due: abroad},
			{key: "phones", text: "Phones, comma-separated", example: "+507 433-7110, +507 6433-7110"},
			{key: "email", text: "E-mail address that visitors see", example: "citas@istmo-dental.com"},
			{key: weekdaysKey, text: "Open from Monday to Friday (08:00-12:00, 13:00-18:00 with a pause; - for closed)", standard: spansText(standard.Hours[time.Monday])},
			{key: saturdayKey, text: "Open on Saturday", standard: spansText(standard.Hours[time.Saturday])},
			{key: sundayKey, text: "Open on Sunday", standard: closed},
			{key: "team", text: "Professions of the team, in Spanish, comma-separated", example: "ortodoncista, dos endodoncistas"},
			{key: "links.booking", text: "Address of a scheduling form", example: "https://citas.istmo-dental.com/"},
			{key: "links.video", text: "Address of a video about the clinic", example: "https://video.istmo-dental.com/"},
			{key: "links.map", text: "Address of a map", example: "https://maps.app.goo.gl/…"},
		}},
		{"The site", []question{
			{key: "BITACORA_DOMAIN", text: "Names that lead to this machine, for HTTPS without a proxy, comma-separated; empty for none", example: "istmo-dental.com,www.istmo-dental.com"},
			{key: "BITACORA_SITE_URL", text: "Address of the site", example: "https://istmo-dental.com", due: proxied},
			{key: "BITACORA_MONTHLY_LIMIT", text: "Conversations per calendar month; empty for no limit", example: "1000"},
			{key: "BITACORA_RETENTION", text: "How long personal data are kept; empty: until somebody asks", example: "conversations=24mo,leads=36mo,contact-messages=36mo"},
		}},
		{"Safety", []question{
			{key: "BITACORA_BACKUP_DIR", text: "Directory of a backup every night, best on another disk; empty for none", example: "/mnt/backups"},
			{key: "BITACORA_BACKUP_KEEP", text: "Which of them are kept", standard: "daily=7,weekly=4,monthly=6", due: func(a answers) bool { return a["BITACORA_BACKUP_DIR"] != "" }},
			{key: "BITACORA_TRUSTED_PROXIES", text: "Networks of the proxies in front (Caddy, nginx), comma-separated; empty for none", example: "127.0.0.1/32", due: proxied},
		}},
		{"Letters to the staff", []question{
			{key: "BITACORA_MAIL_TO", text: "Who gets them, comma-separated; empty for nobody", example: "ana@istmo-dental.com"},
			{key: "BITACORA_SMTP_URL", text: "Mail server", example: "smtp://user:password@mail.istmo-dental.com:587", due: func(a answers) bool { return a["BITACORA_MAIL_TO"] != "" }},
		}},
		{"The assistant", []question{
			{key: "BITACORA_ASSISTANT", text: "Who reads what visitors write (embedded, openai, anthropic, ollama)", standard: "embedded"},
			{key: "BITACORA_ASSISTANT_MODEL", text: "The provider's model", due: provider},
			{key: "BITACORA_ASSISTANT_URL", text: "The provider's address; empty for its usual one", due: provider},
			{key: "BITACORA_ASSISTANT_KEY", text: "The provider's key", due: provider},
		}},
		{"The dashboard", []question{
			{key: ownerKey, text: "E-mail address of its first account, an owner; empty: later", example: "ana@istmo-dental.com"},
		}},
	}
}

// closed is the answer for a day without hours.
const closed = "-"

// answers are what was answered, by the key of the question. A setting that nobody asks for may be
// among them, too.
type answers map[string]string

// keys are those that answers may have, besides the settings.
func factKeys() (keys []string) {
	for _, s := range interview() {
		for _, q := range s.questions {
			if _, is := settings.Find(q.key); !is {
				keys = append(keys, q.key)
			}
		}
	}
	return keys
}

// check says what is wrong with an answer beside those so far.
func (a answers) check(key, value string) error {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	if _, is := settings.Find(key); is {
		return a.with(key, value).mistakeOf(key)
	}
	if key == ownerKey {
		return accounts.CheckEmail(value)
	}
	if !slices.Contains(factKeys(), key) {
		return fmt.Errorf("%s: is neither a setting nor one of %s", key, strings.Join(factKeys(), ", "))
	}
	_, err := clinic.Load(bytes.NewReader(answers{key: value}.clinicFile()))
	if mistakes, ok := errors.AsType[clinic.Mistakes](err); ok {
		m := mistakes[0]
		m.Line, m.Path = 0, key
		return m
	}
	return err
}

func (a answers) with(key, value string) answers {
	more := answers{key: value}
	for k, v := range a {
		if k != key {
			more[k] = v
		}
	}
	return more
}

// environ are the settings among the answers.
func (a answers) environ() []string {
	list := []string{settings.ConfigVariable + "=" + settings.NoConfig}
	for _, s := range settings.All() {
		for _, name := range []string{s.Name, s.Name + settings.FromFile} {
			if value, is := a[name]; is {
				list = append(list, name+"="+value)
			}
		}
	}
	return list
}

// mistakeOf is what the program would say of one setting.
func (a answers) mistakeOf(name string) error {
	_, err := settings.Load(a.environ())
	for _, one := range each(err) {
		if settings.LeadingName.FindString(one.Error()) == name {
			return one
		}
	}
	return nil
}

// each are the errors that were joined.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

const clinicComment = "The clinic's facts, in Spanish. bitacora clinic example prints every possible fact, bitacora clinic check reports mistakes, placeholders and missing facts."

// answeredDays are the days for which one answer tells the hours.
var answeredDays = map[string][]string{
	weekdaysKey: {"monday", "tuesday", "wednesday", "thursday", "friday"}, saturdayKey: {"saturday"}, sundayKey: {"sunday"},
}

// clinicFile is the clinic's file with what was answered.
func (a answers) clinicFile() []byte {
	file := map[string]any{"//": clinicComment}
	put := func(path string, value any) {
		part, field, inside := strings.Cut(path, ".")
		if !inside {
			file[path] = value
			return
		}
		if file[part] == nil {
			file[part] = map[string]any{}
		}
		file[part].(map[string]any)[field] = value
	}
	for _, key := range factKeys() {
		switch value := a[key]; {
		case value == "" || key == ownerKey:
		case key == "phones" || key == "team":
			put(key, commaList(value))
		case answeredDays[key] != nil:
			for _, day := range answeredDays[key] {
				put("hours."+day, strings.TrimPrefix(value, closed))
			}
		default:
			put(key, value)
		}
	}
	if a["address.street"] != "" {
		put("address.building", "")
		put("address.floor", "")
	}
	var text bytes.Buffer
	if err := command.PrintJSON(&text, file); err != nil {
		panic("init: " + err.Error()) // nothing but texts
	}
	return text.Bytes()
}

// spansText is how a clinic's file has the hours of a day.
func spansText(spans []clinic.Span) string {
	var parts []string
	for _, s := range spans {
		parts = append(parts, fmt.Sprintf("%02d:%02d-%02d:%02d", s.Opens/60, s.Opens%60, s.Closes/60, s.Closes%60))
	}
	return strings.Join(parts, ", ")
}

func commaList(text string) (list []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

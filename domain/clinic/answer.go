package clinic

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"bitacora/domain/spelling"
)

// Answer is what the clinic answers to a question, with the ways in which people ask it.
type Answer struct {
	// Slug names the answer.
	Slug string
	// Topic is what the answer is about, and the name of its file.
	Topic string
	// Service is the slug of the service that it is about; empty if it is about none.
	Service string
	// Aspect is what it tells of its subject, one of [Aspects], by which a question is
	// understood that names no subject ("¿y duele?"); empty if none.
	Aspect string
	// Open says that the clinic has not told the answer: the question can only be passed on.
	Open bool
	// Questions are ways to ask.
	Questions []string
	// Text is what is answered, Spanish and without markup; it may name facts of the clinic,
	// see [Clinic.Fill]. Of an open one it is what can be said all the same, or empty. "A || B" is A
	// where the clinic tells all facts that A names, which answers also an open one, and else B.
	Text string
	// English is the answer for whoever writes in English; empty for none.
	English string
}

// Aspects are what an answer can tell of its subject.
var Aspects = []string{
	"costo", "dolor", "duracion", "edad", "frecuencia", "cuidados", "que-es", "proceso", "riesgos", "comida", "candidato",
	"resultado", "comparacion", "doctor",
}

// Of is the answer as a clinic gives it, by the facts that it tells: either text of a pair, and
// open or not.
func (a Answer) Of(c Clinic) Answer {
	known, unknown, isPair := inPair(a.Text)
	switch told := c.tells(known); {
	case !isPair && !told:
		a.Open = true
	case isPair && told:
		a.Open = false
	}
	a.Text = either(c, known, unknown)
	known, unknown, _ = inPair(a.English)
	a.English = either(c, known, unknown)
	return a
}

func either(c Clinic, known, unknown string) string {
	if c.tells(known) {
		return known
	}
	return unknown
}

// inPair are what is said where facts are told, and where they are not.
func inPair(text string) (known, unknown string, isPair bool) {
	known, unknown, isPair = strings.Cut(text, "||")
	return strings.TrimSpace(known), strings.TrimSpace(unknown), isPair
}

const answerFiles = "answers"

// Lengths, in runes, beyond which an answer is no short message any more.
const (
	MaxQuestion = 200
	MaxAnswer   = 600
)

// literal is what stands in a text in the place of a fact: a phone, an address of the web or of
// e-mail, a time of day.
var literal = regexp.MustCompile(`\d{3,4}[- ]\d{4}|@|https?:|www\.|\d{1,2}:\d{2}`)

func (a Answer) flaws() []flaw {
	var f flaws
	f.slug("slug", a.Slug)
	f.slug("topic", a.Topic)
	if a.Service != "" {
		f.slug("service", a.Service)
	}
	if a.Aspect != "" && !slices.Contains(Aspects, a.Aspect) {
		f.report("aspect", "%q is none of %s", a.Aspect, strings.Join(Aspects, ", "))
	}
	if len(a.Questions) == 0 {
		f.report("slug", "has no question; one is a line like \"- ¿Duele?\"")
		f.is(FlawEmpty, "")
	}
	if !a.Open || a.Text != "" {
		f.pair("text", a.Text)
	}
	if a.English != "" {
		f.pair("english", a.English)
	}
	return f
}

// pair is a text, or two of which the first one names facts that may not be told.
func (f *flaws) pair(field, value string) {
	known, unknown, isPair := inPair(value)
	if !isPair {
		f.said(field, value)
		return
	}
	if !namesOptional(known) {
		f.report(field, "names no fact before || that may not be told, so that what follows is never said")
	}
	if strings.Contains(unknown, "||") {
		f.report(field, "has || twice")
	}
	f.said(field, placeholderForm.ReplaceAllStringFunc(known, withoutOptional))
	f.said(field, unknown)
}

// withoutOptional stands for a fact that may not be told.
func withoutOptional(name string) string {
	if placeholders[name].optional {
		return "…"
	}
	return name
}

// said is a text as it is sent to a visitor.
func (f *flaws) said(field, value string) {
	f.text(field, value, MaxAnswer)
	if fact := literal.FindString(placeholderForm.ReplaceAllString(value, "")); fact != "" {
		f.report(field, "%q stands there as it is; name the fact instead, like {{phones}}, {{hours}} or {{email}}", fact)
		f.is(FlawLiteral, fact)
	}
}

// readAnswers reads answers/<topic>.md. An answer is a section:
//
//	## limpieza-duele
//	service: limpieza-dental
//	aspect: dolor
//
//	- ¿Duele la limpieza?
//	- me va a doler cuando me limpien los dientes
//
//	La mayoría de las personas siente solo vibración.
//
//	English: Most people only feel vibration.
//
// "open: true" says that the clinic has not told the answer. A text may go on with a line "|| …",
// which is said where the clinic does not tell a fact that the text before it names. The services are
// the lines on which answers name theirs, by slug.
func readAnswers(files fs.FS, all *[]Answer) (services map[string]int, err error) {
	if !isThere(files, answerFiles) {
		return nil, nil
	}
	r := answerReader{asked: map[string]string{}, services: map[string]int{}}
	for _, name := range filesLike(files, answerFiles+"/*.md") {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read content: %w", err)
		}
		r.read(name, string(text))
	}
	*all = r.all
	return r.services, errors.Join(r.errs...)
}

type answerReader struct {
	all  []Answer
	errs []error
	file string
	// at is the line of each field of the answer that is being read.
	at map[string]int
	// asked says which answer has a question, by its plain words.
	asked map[string]string
	// services are the lines on which answers name their service, by slug; 0 where they name none.
	services map[string]int
}

func (r *answerReader) read(name, text string) {
	r.file = name
	topic := strings.TrimSuffix(path.Base(name), ".md")
	var a *Answer
	for i, line := range strings.Split(text, "\n") {
		number, line := i+1, strings.TrimSpace(line)
		if slug, begins := strings.CutPrefix(line, "## "); begins {
			r.finish(a)
			a, r.at = &Answer{Slug: strings.TrimSpace(slug), Topic: topic}, map[string]int{"slug": number, "topic": 1}
			continue
		}
		switch {
		case line == "":
		case a == nil:
			r.report(number, errors.New(`stands before the first answer, which begins with a line like "## limpieza-duele"`))
		default:
			r.readLine(a, number, line)
		}
	}
	r.finish(a)
}

func (r *answerReader) readLine(a *Answer, number int, line string) {
	question, asks := strings.CutPrefix(line, "- ")
	english, inEnglish := strings.CutPrefix(line, "English: ")
	switch name, value, named := strings.Cut(line, ": "); {
	case asks && a.Text == "":
		r.ask(a, number, strings.TrimSpace(question))
	case len(a.Questions) == 0 && named:
		r.field(a, number, name, strings.TrimSpace(value))
	case len(a.Questions) == 0:
		r.report(number, fmt.Errorf(`%q is neither like "service: limpieza-dental" nor a question like "- ¿Duele?"`, line))
	case inEnglish:
		a.English, r.at["english"] = english, number
	case a.English != "" && strings.HasPrefix(line, "||"):
		a.English += " " + line
	case a.English != "":
		r.report(number, errors.New(`stands after the English answer, which is the last line`))
	case a.Text == "":
		a.Text, r.at["text"] = line, number
	default:
		a.Text += " " + line
	}
}

func (r *answerReader) field(a *Answer, number int, name, value string) {
	r.at[name] = number
	switch name {
	case "service":
		a.Service = value
	case "aspect":
		a.Aspect = value
	case "open":
		open, err := readFlag(value)
		if a.Open = open; err != nil {
			r.report(number, fmt.Errorf("open: %w", err))
		}
	default:
		r.report(number, fmt.Errorf("%s: is no field of an answer", name))
	}
}

func (r *answerReader) ask(a *Answer, number int, question string) {
	plain := PlainWords(question)
	switch {
	case plain == "":
		r.report(number, questionFlaw(FlawEmpty, question, "the question has no word"))
	case len([]rune(question)) > MaxQuestion:
		r.report(number, questionFlaw(FlawTooLong, question, "the question has more than %d characters", MaxQuestion))
	case r.asked[plain] != "":
		r.report(number, questionFlaw(FlawAsked, r.asked[plain], "%q is asked at %s already", question, r.asked[plain]))
	}
	r.asked[plain] = a.Slug
	a.Questions = append(a.Questions, question)
}

// PlainWords are the words of a text without case, accents and punctuation: two questions with the
// same ones are the same question.
func PlainWords(text string) string {
	return strings.Join(strings.FieldsFunc(spelling.Unaccented(text), notOfWords), " ")
}

func notOfWords(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }

func (r *answerReader) finish(a *Answer) {
	if a == nil {
		return
	}
	if _, twice := r.services[a.Slug]; twice {
		r.report(r.at["slug"], fmt.Errorf("slug: %q is there twice", a.Slug))
	}
	r.services[a.Slug] = r.at["service"]
	for _, f := range a.flaws() {
		r.report(cmp.Or(r.at[f.Field], r.at["slug"]), f)
	}
	r.all = append(r.all, *a)
}

func (r *answerReader) report(line int, err error) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %w", r.file, line, err))
}

// ofServices reports answers about services that there are not. The lines are those of [readAnswers].
func ofServices(all []Answer, services []Service, lines map[string]int) (err error) {
	for _, a := range all {
		if _, known := serviceOf(services, a.Service); a.Service != "" && !known {
			err = errors.Join(err, fmt.Errorf("%s/%s.md:%d: %s: service: there is no service %q; leave out the line, or the answer", answerFiles, a.Topic, max(lines[a.Slug], 1), a.Slug, a.Service))
		}
	}
	return err
}

// answerTexts are answers as the files that hold them, by path.
func answerTexts(all []Answer) map[string][]byte {
	files := map[string][]byte{}
	for _, a := range all {
		name := path.Join(answerFiles, a.Topic+".md")
		var b strings.Builder
		if len(files[name]) > 0 {
			b.WriteString("\n")
		}
		b.WriteString("## " + a.Slug + "\n")
		for _, field := range [][2]string{{"service", a.Service}, {"aspect", a.Aspect}} {
			if field[1] != "" {
				b.WriteString(field[0] + ": " + field[1] + "\n")
			}
		}
		if a.Open {
			b.WriteString("open: true\n")
		}
		b.WriteString("\n")
		for _, q := range a.Questions {
			b.WriteString("- " + q + "\n")
		}
		if a.Text != "" {
			b.WriteString("\n" + pairLines(a.Text) + "\n")
		}
		if a.English != "" {
			b.WriteString("\nEnglish: " + pairLines(a.English) + "\n")
		}
		files[name] = append(files[name], b.String()...)
	}
	return files
}

// pairLines are the texts of a pair, each on a line.
func pairLines(text string) string { return strings.Replace(text, " || ", "\n|| ", 1) }

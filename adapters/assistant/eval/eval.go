// Package eval measures how well an assistant understands, on sentences whose meaning is
// known and that it was not trained on.
package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
)

// Case is one sentence with what it means: a line of an evaluation file, as JSON.
//
//	{"text": "aceptan visa", "intent": "pago"}
//	{"text": "me duele una muela", "intent": "urgencia", "urgent": true}
//	{"text": "¿duele la endodoncia?", "intent": "servicio", "urgent": false}
//	{"text": "61234567", "asked": "contact", "contact": {"phones": ["+50761234567"]}}
type Case struct {
	Text string `json:"text"`
	// Intent is what the sentence is about; empty if it is not judged.
	Intent string `json:"intent"`
	// Urgent is set where urgency is judged: true for an urgent sentence, false for one
	// that only sounds so.
	Urgent *bool `json:"urgent"`
	// Asked is what the dialogue asked before, see [chat.Step].
	Asked chat.Step `json:"asked"`
	// Contact is what the sentence tells of a person; nil if it is not judged.
	Contact *Contact `json:"contact"`
}

// Contact is what a sentence tells of a person.
type Contact struct {
	Phones     []string `json:"phones"`
	Emails     []string `json:"emails"`
	Name       string   `json:"name"`
	Bad        bool     `json:"bad"`
	Correction bool     `json:"correction"`
}

// Read reads the lines of an evaluation file.
func Read(r io.Reader) ([]Case, error) {
	var cases []Case
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var c Case
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("read line %d: %w", n, err)
		}
		if c.Text == "" {
			return nil, fmt.Errorf("read line %d: %w", n, errors.New("no text"))
		}
		cases = append(cases, c)
	}
	return cases, lines.Err()
}

// Subject is the assistant that is measured.
type Subject interface {
	// Read understands as the chat does, with the help of a provider where there is one.
	Read(ctx context.Context, q chat.Question) (chat.Understanding, meaning.Meaning, error)
	Reply(ctx context.Context, q chat.Question) (chat.Reply, error)
}

// limits are intents whose answer is a boundary, as good as a rejection of what is out
// of scope.
var limits = []string{meaning.Unknown, meaning.GoOn, "insulto", "manipulacion"}

// Report is what was measured.
type Report struct {
	Intents []Intent
	// Confused counts the sentences of an intent that were taken for another one.
	Confused []Confusion
	// Answered are the sentences taken for something that the clinic answers; the hits
	// are those taken for the right thing.
	Answered Share
	// Scope are the sentences that are out of scope; the hits were rejected.
	Scope Share
	// Urgency are the urgent sentences, Alarms those that only sound so; the hits were
	// taken for urgent.
	Urgency, Alarms Share
	// Contacts are the sentences whose contact details are judged; the hits were read
	// exactly.
	Contacts Share
	// Missed are the sentences that were not understood, for a person to read.
	Missed []Miss
	// Models counts the replies by the model that gave them.
	Models map[string]int
	// Slowest and Median are times of a reply.
	Slowest, Median time.Duration
}

// Share counts hits.
type Share struct{ Hits, Of int }

// Rate is from 0 to 1; 0 of nothing.
func (s Share) Rate() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Of)
}

func (s *Share) count(hit bool) {
	s.Of++
	if hit {
		s.Hits++
	}
}

// Intent is how well one intent was told from the others.
type Intent struct {
	Name string
	// Of sentences have the intent, Taken were taken for it, Right are both.
	Of, Taken, Right int
}

// F1 is the harmonic mean of precision and recall.
func (i Intent) F1() float64 { return 2 * float64(i.Right) / float64(max(1, i.Of+i.Taken)) }

// Confusion is how often one intent was taken for another.
type Confusion struct {
	Meant, Taken string
	Count        int
}

// Miss is a sentence that was not understood.
type Miss struct{ Text, Want, Got string }

// MacroF1 is the mean of the intents' F1, each intent that occurs counting
// the same.
func (r Report) MacroF1() float64 {
	sum, n := 0.0, 0
	for _, i := range r.Intents {
		if i.Of > 0 {
			sum, n = sum+i.F1(), n+1
		}
	}
	return sum / float64(max(1, n))
}

// Measure asks the subject about every case, at one moment.
func Measure(ctx context.Context, s Subject, cases []Case, at time.Time) (Report, error) {
	m := measuring{report: Report{Models: map[string]int{}}, confused: map[[2]string]int{}}
	var took []time.Duration
	for _, c := range cases {
		q := chat.Question{Text: c.Text, At: at, Asked: c.Asked}
		began := time.Now()
		u, read, err := s.Read(ctx, q)
		if err != nil {
			return Report{}, fmt.Errorf("understand %q: %w", c.Text, err)
		}
		if c.Intent != "" {
			m.judge(c, read)
			q.Understood = u
			reply, err := s.Reply(ctx, q)
			if err != nil {
				return Report{}, fmt.Errorf("reply to %q: %w", c.Text, err)
			}
			took = append(took, time.Since(began))
			m.report.Models[reply.Model]++
		}
		if c.Contact != nil {
			m.judgeContact(c, u)
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		m.report.Median, m.report.Slowest = took[len(took)/2], took[len(took)-1]
	}
	return m.done(), nil
}

type measuring struct {
	report   Report
	confused map[[2]string]int
}

func (m *measuring) judge(c Case, got meaning.Meaning) {
	right := got.Intent == c.Intent
	m.intent(c.Intent).Of++
	m.intent(got.Intent).Taken++
	if right {
		m.intent(c.Intent).Right++
	} else {
		m.confused[[2]string{c.Intent, got.Intent}]++
		m.report.Missed = append(m.report.Missed, Miss{c.Text, c.Intent, got.Intent})
	}
	if got.Intent != meaning.Unknown && got.Intent != meaning.GoOn {
		m.report.Answered.count(right)
	}
	if c.Intent == meaning.Unknown {
		m.report.Scope.count(slices.Contains(limits, got.Intent))
	}
	switch {
	case c.Urgent == nil:
	case *c.Urgent:
		m.report.Urgency.count(got.Urgent)
	default:
		m.report.Alarms.count(got.Urgent)
	}
}

func (m *measuring) judgeContact(c Case, u chat.Understanding) {
	got := Contact{u.Phones, u.Emails, u.Name, u.BadContact, u.Correction && c.Contact.Correction}
	exact := slices.Equal(got.Phones, c.Contact.Phones) && slices.Equal(got.Emails, c.Contact.Emails) &&
		got.Name == c.Contact.Name && got.Bad == c.Contact.Bad && got.Correction == c.Contact.Correction
	m.report.Contacts.count(exact)
	if !exact {
		m.report.Missed = append(m.report.Missed, Miss{c.Text, fmt.Sprintf("%+v", *c.Contact), fmt.Sprintf("%+v", got)})
	}
}

func (m *measuring) intent(name string) *Intent {
	i := slices.IndexFunc(m.report.Intents, func(i Intent) bool { return i.Name == name })
	if i < 0 {
		m.report.Intents = append(m.report.Intents, Intent{Name: name})
		i = len(m.report.Intents) - 1
	}
	return &m.report.Intents[i]
}

func (m *measuring) done() Report {
	slices.SortFunc(m.report.Intents, func(a, b Intent) int { return strings.Compare(a.Name, b.Name) })
	for pair, n := range m.confused {
		m.report.Confused = append(m.report.Confused, Confusion{pair[0], pair[1], n})
	}
	slices.SortFunc(m.report.Confused, func(a, b Confusion) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Meant+" "+a.Taken, b.Meant+" "+b.Taken)
	})
	return m.report
}

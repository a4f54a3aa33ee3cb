// Package eval measures how well an assistant replies, on sets whose meaning is known and that it was not
// trained on.
package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Verdict is what is thought of a reply, or of what was read.
type Verdict int

// The verdicts.
const (
	// Wrong: something else was said than what was to be said.
	Wrong Verdict = iota
	// Honest: not what was to be said, but that it is not known.
	Honest
	Right
)

// Figures are what a frozen set found, by kind and by topic.
type Figures struct {
	Kinds []Kind
	// Missed are those that were not right.
	Missed []Miss
}

// Miss is what was not right, with what was wanted.
type Miss struct{ Text, Want, Got string }

// Kind counts what is of a kind, and of a topic of it where that is not empty.
type Kind struct {
	Name, Topic              string
	Of, Right, Honest, Wrong int
}

// Rate is the share that was right, from 0 to 1.
func (k Kind) Rate() float64 { return float64(k.Right) / float64(max(1, k.Of)) }

func (k *Kind) add(v Verdict) {
	k.Of++
	switch v {
	case Right:
		k.Right++
	case Honest:
		k.Honest++
	default:
		k.Wrong++
	}
}

func (f *Figures) count(kind, topic string, v Verdict, miss Miss) {
	f.at(kind, "").add(v)
	if topic != "" {
		f.at(kind, topic).add(v)
	}
	if v != Right {
		miss.Text = strings.TrimSpace(kind+" "+topic) + ": " + miss.Text
		f.Missed = append(f.Missed, miss)
	}
}

func (f *Figures) at(name, topic string) *Kind {
	i := slices.IndexFunc(f.Kinds, func(k Kind) bool { return k.Name == name && k.Topic == topic })
	if i < 0 {
		i = len(f.Kinds)
		f.Kinds = append(f.Kinds, Kind{Name: name, Topic: topic})
	}
	return &f.Kinds[i]
}

// Of is what a kind came to.
func (f Figures) Of(kind string) Kind { return *f.at(kind, "") }

// Print writes the figures, of the kinds first, then of their topics; with what was missed if that
// is wanted.
func (f Figures) Print(w io.Writer, missed bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "kind\ttopic\tof\tright\thonest\twrong\trate\n")
	kinds := slices.Clone(f.Kinds)
	slices.SortStableFunc(kinds, func(a, b Kind) int { return min(len(a.Topic), 1) - min(len(b.Topic), 1) })
	for _, k := range kinds {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%.3f\n", k.Name, k.Topic, k.Of, k.Right, k.Honest, k.Wrong, k.Rate())
	}
	if err := t.Flush(); err != nil || !missed {
		return err
	}
	for _, m := range f.Missed {
		if _, err := fmt.Fprintf(w, "\n%s\n  wanted %s\n  got    %s\n", m.Text, m.Want, m.Got); err != nil {
			return err
		}
	}
	return nil
}

// Markdown writes the figures as a table: each kind, then those of its topics in which a reply was not right.
func (f Figures) Markdown(w io.Writer) error {
	rows := []string{"| kind | topic | of | right | honest | wrong | right % |", "|---|---|--:|--:|--:|--:|--:|"}
	for _, kind := range f.Kinds {
		if kind.Topic != "" {
			continue
		}
		for _, k := range f.Kinds {
			if k.Name == kind.Name && (k.Topic == "" || k.Right < k.Of) {
				rows = append(rows, fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %.0f |", k.Name, cmp.Or(k.Topic, "**all**"), k.Of, k.Right, k.Honest, k.Wrong, 100*k.Rate()))
			}
		}
	}
	_, err := fmt.Fprintln(w, strings.Join(rows, "\n"))
	return err
}

package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// Print writes the figures, each intent, and the table of confusions; with the sentences
// that were missed if they are wanted.
func (r Report) Print(w io.Writer, missed bool) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	judged := 0
	for _, i := range r.Intents {
		judged += i.Of
	}
	fmt.Fprintf(t, "sentences\t%d\t%d intents\n", judged, len(r.Intents))
	fmt.Fprintf(t, "macro F1\t%.3f\n", r.MacroF1())
	for _, f := range []struct {
		name string
		s    Share
	}{
		{"answered precision", r.Answered}, {"out of scope rejected", r.Scope}, {"urgency recall", r.Urgency},
		{"urgency false alarms", r.Alarms}, {"contact slots exact", r.Contacts},
	} {
		fmt.Fprintf(t, "%s\t%.3f\t%d of %d\n", f.name, f.s.Rate(), f.s.Hits, f.s.Of)
	}
	fmt.Fprintf(t, "time of a reply\t%v median\t%v at most\n", r.Median, r.Slowest)
	for _, model := range slices.Sorted(maps.Keys(r.Models)) {
		fmt.Fprintf(t, "answered by\t%s\t%d\n", model, r.Models[model])
	}
	fmt.Fprintf(t, "\nintent\tof\ttaken for it\tright\tF1\n")
	for _, i := range r.Intents {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3f\n", i.Name, i.Of, i.Taken, i.Right, i.F1())
	}
	fmt.Fprintf(t, "\nmeant\ttaken for\ttimes\n")
	for _, c := range r.Confused {
		fmt.Fprintf(t, "%s\t%s\t%d\n", c.Meant, c.Taken, c.Count)
	}
	if missed {
		fmt.Fprintf(t, "\nwanted\tgot\tsentence\n")
		for _, m := range r.Missed {
			fmt.Fprintf(t, "%s\t%s\t%s\n", m.Want, m.Got, m.Text)
		}
	}
	return t.Flush()
}

package command

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// Progress shows at the terminal how far long work has come: a line that is
// drawn again on a terminal, and a line every few seconds in a file.
type Progress struct {
	what    string
	out     io.Writer
	redraws bool
	began   time.Time
	// Rate, unless 0, is shown as events per second.
	Rate     float64
	shown    time.Time
	anything bool
	// whole says that the end was shown.
	whole bool
}

// NewProgress shows work on standard error, in units like "events".
func NewProgress(what string) *Progress {
	return &Progress{what: what, out: os.Stderr, redraws: IsTerminal(os.Stderr), began: time.Now()}
}

// Show says how much is done; a total of 0 means that nobody knows.
func (p *Progress) Show(done, total int64) {
	every := 10 * time.Second
	if p.redraws {
		every = 100 * time.Millisecond
	}
	whole := done == total
	if time.Since(p.shown) < every && (!whole || p.whole) {
		return
	}
	p.shown, p.whole = time.Now(), whole
	line := fmt.Sprintf("%d %s", done, p.what)
	if total > 0 {
		line = fmt.Sprintf("%3d %%  %d of %d %s", 100*done/total, done, total, p.what)
		if p.Rate > 0 {
			line += fmt.Sprintf(", %.0f/s", p.Rate)
		}
		if left := p.left(done, total); left >= time.Second && done < total {
			line += fmt.Sprintf(", about %v left", left)
		}
	}
	switch {
	case p.redraws:
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
		p.anything = true
	case time.Since(p.began) > every:
		fmt.Fprintln(p.out, line)
	}
}

func (p *Progress) left(done, total int64) time.Duration {
	if done == 0 {
		return 0
	}
	took := time.Since(p.began)
	return time.Duration(float64(took) * float64(total-done) / float64(done)).Round(time.Second)
}

// Done ends the line that was drawn.
func (p *Progress) Done() {
	if p.anything {
		fmt.Fprintln(p.out)
	}
}

// IsTerminal says whether a person is looking.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

package app

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// Reporter shows how far a rebuild has come: to a person, or as JSON.
type Reporter struct {
	Json bool
	Out  io.Writer
}

// Say implements [builds.Reporter].
func (r *Reporter) Say(text string, fields ...any) {
	if !r.Json {
		fmt.Fprintln(r.Out, text)
		return
	}
	line := map[string]any{"message": text}
	for i := 0; i+1 < len(fields); i += 2 {
		line[fields[i].(string)] = fields[i+1]
	}
	_ = json.NewEncoder(r.Out).Encode(line)
}

// Progress implements [builds.Reporter].
func (r *Reporter) Progress(what string, done *atomic.Int64, total int64) (end func()) {
	began := time.Now()
	p := command.NewProgress("events " + what)
	stop, ended := make(chan struct{}), make(chan struct{})
	show := func() {
		n := done.Load()
		rate := float64(n) / time.Since(began).Seconds()
		if !r.Json {
			p.Rate = rate
			p.Show(min(n, total), total)
			return
		}
		line := map[string]any{"step": what, "events": n, "total": total, "eventsPerSecond": rate}
		if rate > 0 {
			line["secondsLeft"] = float64(total-n) / rate
		}
		_ = json.NewEncoder(r.Out).Encode(line)
	}
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				show()
			}
		}
	}()
	return func() {
		close(stop)
		<-ended
		show()
		p.Done()
		n, took := done.Load(), time.Since(began)
		r.Say(fmt.Sprintf("%s %d events in %v, %.0f events/s", what, n, took.Round(time.Millisecond), float64(n)/took.Seconds()),
			"step", what, "events", n, "seconds", took.Seconds())
	}
}

// Compared implements [builds.Reporter].
func (r *Reporter) Compared(v builds.Verification) {
	if r.Json {
		_ = json.NewEncoder(r.Out).Encode(v)
		return
	}
	fmt.Fprintln(r.Out, VerificationText(v))
}

// VerificationText names what differs, and says in a last line what was compared.
func VerificationText(v builds.Verification) string {
	var b strings.Builder
	if v.Rows != nil {
		for _, d := range v.Rows.Differences {
			fmt.Fprintln(&b, d)
		}
	}
	if v.Days != nil {
		for _, d := range v.Days.Differences {
			fmt.Fprintln(&b, d)
		}
	}
	fmt.Fprintf(&b, "build %s against %s at position %d: ", v.Build, v.Against, v.Position)
	if v.Rows != nil {
		fmt.Fprintf(&b, "%d rows in %d groups of day and kind, ", v.Rows.Rows, v.Rows.Groups)
	}
	if v.Days != nil {
		fmt.Fprintf(&b, "%d days counted message by message, ", v.Days.Days)
	}
	if len(v.LeftOut) > 0 {
		fmt.Fprintf(&b, "%d parked conversations left out, ", len(v.LeftOut))
	}
	if v.Differs() {
		b.WriteString("they differ.")
	} else {
		b.WriteString("no difference.")
	}
	fmt.Fprintf(&b, " Held for %.1f s.", v.PausedSeconds)
	return b.String()
}

package doctor

import (
	"fmt"
	"io"
	"net"
	"strconv"
)

// cure is what to do about a finding: a command to type as it stands, after which the finding is gone, or a setting
// that takes the place of the one of its name. A sentence stands where neither can help by itself.
type cure struct {
	Command string `json:"command,omitempty"`
	Setting string `json:"setting,omitempty"`
	Advice  string `json:"advice,omitempty"`
}

// run, set and advise make cures. The tests know each by its format.
func run(format string, args ...any) cure { return cure{Command: fmt.Sprintf(format, args...)} }

func set(format string, args ...any) cure { return cure{Setting: fmt.Sprintf(format, args...)} }

func advise(format string, args ...any) cure { return cure{Advice: fmt.Sprintf(format, args...)} }

// or offers a second way.
func (c cure) or(other cure) cure {
	c.Advice = other.Advice
	return c
}

func (c cure) print(out io.Writer) {
	for _, line := range []struct{ before, text, after string }{
		{"", c.Command, ""}, {"set ", c.Setting, ", and start bitacora serve again"}, {"", c.Advice, ""},
	} {
		if line.text != "" {
			fmt.Fprintf(out, "%18s %s%s%s\n", "→", line.before, line.text, line.after)
		}
	}
}

// freeBeside names an address with the next port that nobody listens on; empty where there is none near.
func (d *doctor) freeBeside(addr string) string {
	host, text, err := net.SplitHostPort(addr)
	port, portErr := strconv.Atoi(text)
	if err != nil || portErr != nil {
		return ""
	}
	for next := port + 1; next <= min(port+100, 1<<16-1); next++ {
		at := net.JoinHostPort(host, strconv.Itoa(next))
		if _, taken, err := d.listening(at); err == nil && !taken {
			return at
		}
	}
	return ""
}

package throttle

import (
	"slices"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	r := Rate{Every: time.Second, Burst: 3, Patience: 2}
	for name, c := range map[string]struct {
		every time.Duration
		want  []Verdict
	}{
		"a burst":      {0, []Verdict{Pass, Pass, Pass, SlowDown, SlowDown, Abuse, Abuse}},
		"as it should": {time.Second, []Verdict{Pass, Pass, Pass, Pass, Pass, Pass, Pass}},
		"hammering":    {500 * time.Millisecond, []Verdict{Pass, Pass, Pass, Pass, Pass, SlowDown, SlowDown, SlowDown, SlowDown, Abuse, SlowDown, Abuse, SlowDown}},
		"much later":   {time.Hour, []Verdict{Pass, Pass}},
	} {
		var needed time.Duration
		var got []Verdict
		for range c.want {
			v, wait := r.Judge(needed)
			got = append(got, v)
			if v != Abuse {
				needed += r.Every
			}
			if v != Pass {
				if later, _ := r.Judge(max(0, needed-wait)); later != Pass {
					t.Errorf("%s: %v after the wait of %v", name, later, wait)
				}
			}
			needed = max(0, needed-c.every)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

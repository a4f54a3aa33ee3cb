package crash

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"time"

	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/contacts"
)

// questions are what the dashboard asks, by path, and what the log adds up to.
var questions = map[string]func(*recomputed) any{
	"kpis":            (*recomputed).kpis,
	"conversations":   (*recomputed).conversations,
	"timeseries":      (*recomputed).timeseries,
	"funnel":          (*recomputed).funnel,
	"heatmap":         (*recomputed).heatmap,
	"topics":          (*recomputed).topics,
	"quality":         (*recomputed).quality,
	"ratings":         (*recomputed).ratings,
	"contacts/counts": (*recomputed).contactCounts,
}

// otherQuestions are asked elsewhere, or are about the same rows.
var otherQuestions = []string{
	"answers", "answers/{id}", "answer-form",
	"agenda", "waiting", "unusual", "contacts", "export", "contacts/export", "live", "conversation/{id}/messages",
	"questions", "contacts/requests", "contacts/{kind}/{id}/person", "contacts/{kind}/{id}/person/copy",
}

// noNumbers are the fields of answers that say what is counted, not how much; and of the series what does not
// come from conversations, whose tests recount it.
var noNumbers = []string{
	"dataThrough", "startDate", "endDate", "visitsSince", "hours", "zone", "interval", "intervals", "partial", "clipped", "future", "openMinutes",
	"questions", "monthlyLimit", "holidays", "refusals", "firstContact",
}

// mustShow holds every number of the dashboard, at every door, against what the log adds up to.
func (c *clients) mustShow(r *recomputed) {
	c.t.Helper()
	contract, err := os.ReadFile("../../../schema/openapi.yaml")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^  /api/dashboard/(.+):\n    get:`).FindAllSubmatch(contract, -1) {
		if path := string(found[1]); questions[path] == nil && !slices.Contains(otherQuestions, path) {
			c.t.Errorf("the numbers of %s are held against nothing", path)
		}
	}
	r = r.of(aYear())
	asked := between(r.first, r.last)
	for _, server := range c.servers {
		var header http.Header
		if err := server.Post("/api/auth/login", map[string]string{"username": programtest.StaffEmail, "password": programtest.StaffSecret}, &header); err != nil {
			c.t.Fatal(err)
		}
		cookie := answer{header: header}.cookie()
		for path, add := range questions {
			var got any
			if err := server.Get("/api/dashboard/"+path+"?interval=day&"+asked, cookie, &got); err != nil {
				c.t.Error(err)
				continue
			}
			if where := differs(path, got, plainly(add(r))); where != "" {
				c.t.Errorf("%s: %s", server.Addr, where)
			}
		}
		if err := server.Get("/api/dashboard/contacts?"+asked, cookie, &header); err != nil || header.Get("X-Total-Count") != fmt.Sprint(len(r.reachable())) {
			c.t.Errorf("%s contacts are listed, the log has %d, %v", header.Get("X-Total-Count"), len(r.reachable()), err)
		}
	}
}

// of leaves out what was said, and who came, on other days.
func (r recomputed) of(first, last time.Time) *recomputed {
	other := func(at time.Time) bool {
		day := at.In(zone).Format(time.DateOnly)
		return day < first.Format(time.DateOnly) || last.Format(time.DateOnly) < day
	}
	r.first, r.last, r.talks, r.contacts = first, last, maps.Clone(r.talks), maps.Clone(r.contacts)
	maps.DeleteFunc(r.talks, func(_ string, t *conv) bool { return other(t.started) })
	maps.DeleteFunc(r.contacts, func(_ contacts.Ref, p *person) bool { return other(p.came) })
	return &r
}

// plainly is a value as its JSON is read.
func plainly(v any) (plain any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &plain)
	}
	if err != nil {
		panic(err)
	}
	return plain
}

// differs says where two answers do; empty for nowhere.
func differs(at string, got, want any) string {
	switch g := got.(type) {
	case map[string]any:
		w, _ := want.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(g)) {
			if slices.Contains(noNumbers, name) {
				continue
			}
			if _, known := w[name]; !known {
				return fmt.Sprintf("%s.%s is %v, and not recomputed", at, name, g[name])
			}
			if where := differs(at+"."+name, g[name], w[name]); where != "" {
				return where
			}
		}
		for name := range w {
			if _, shown := g[name]; !shown {
				return at + "." + name + " is not answered"
			}
		}
		return ""
	case []any:
		w, _ := want.([]any)
		if len(g) != len(w) {
			return fmt.Sprintf("%s has %d entries, the log adds up to %d", at, len(g), len(w))
		}
		for i := range g {
			if where := differs(fmt.Sprintf("%s[%d]", at, i), g[i], w[i]); where != "" {
				return where
			}
		}
		return ""
	case float64:
		if w, ok := want.(float64); ok && math.Abs(g-w) <= 1e-9*max(1, math.Abs(w)) {
			return ""
		}
	default:
		if got == want {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, the log adds up to %v", at, got, want)
}

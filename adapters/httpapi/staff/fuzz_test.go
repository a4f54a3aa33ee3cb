package staff

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
)

// FuzzQuery: the query of a dashboard's address is refused with a sentence, or asks for bounded
// pages and valid texts, and the address of a next page asks for what follows.
func FuzzQuery(f *testing.F) {
	f.Add("startDate=2026-11-01&endDate=2026-11-30&limit=10&offset=5&cursor=1760000000000-c_1&lead=true&q=encías")
	f.Add("limit=1001&offset=-1&hour=24&minDuration=NaN&maxDuration=1e400&weekday=08")
	f.Add("cursor=9999999999999-message-m-1&limit=100&minDuration=0x1p-2&maxDuration=1_000")
	f.Add("q=%00&topic=%ff&flag=crisis&rated=positive&ratedTopic=x;y")
	now := time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	refused := func(err error) bool {
		var problem *web.Problem
		var period analytics.PeriodError
		return errors.As(err, &problem) && problem.Status == http.StatusBadRequest || errors.As(err, &period)
	}
	f.Fuzz(func(t *testing.T, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		cohort, err := cohortOf(values, clinic.Default(), now)
		if err != nil && !refused(err) {
			t.Error(err)
		}
		if text := cohort.Filter.Search + cohort.Filter.Topic + cohort.Filter.Model; err == nil && (!utf8.ValidString(text) || strings.ContainsRune(text, 0)) {
			t.Errorf("filters %q", text)
		}
		page, errPage := parsePage(values)
		if errPage != nil && !refused(errPage) {
			t.Error(errPage)
		}
		contacts, errContacts := parseContactPage(values)
		if errContacts != nil && !refused(errContacts) {
			t.Error(errContacts)
		}
		if err != nil {
			return
		}
		if errPage == nil && page.After != nil {
			next, err := url.Parse(nextPage("/x", question{Cohort: cohort, values: values}, 10, *page.After))
			if err != nil {
				t.Fatal(err)
			}
			again, err := parsePage(next.Query())
			if err != nil || !reflect.DeepEqual(again.After, page.After) || again.Offset != 0 || again.Limit != 10 {
				t.Errorf("%+v became %+v, %v", page, again, err)
			}
			if same, err := cohortOf(next.Query(), clinic.Default(), now); err != nil || !reflect.DeepEqual(same, cohort) {
				t.Errorf("%+v became %+v, %v", cohort, same, err)
			}
		}
		if errContacts == nil && contacts.after != nil {
			r := httptest.NewRequest(http.MethodGet, "/x", nil)
			r.URL.RawQuery = query
			next, err := url.Parse(contacts.next(r, contactQuestion{Contacts: analytics.Contacts{Period: cohort.Period}}, *contacts.after))
			if err != nil {
				t.Fatal(err)
			}
			if again, err := parseContactPage(next.Query()); err != nil || !reflect.DeepEqual(again, contacts) {
				t.Errorf("%+v became %+v, %v", contacts, again, err)
			}
		}
	})
}

// FuzzExport: what a visitor wrote stays one cell that no spreadsheet computes, and one text of
// one JSON object.
func FuzzExport(f *testing.F) {
	for _, text := range []string{"hola", "=1+1", " \t=cmd|' /C calc'!A0", "a\r\n=1", "\"x\",y", "＝1", "\u200b@x", "'", "\x00=1", "\ufeff-1", "\xff+", "\u2028=1", "\u00ad=1"} {
		f.Add(text)
	}
	fields := []exportField[string]{
		{"text", "Texto", func(s string) any { return s }},
		{"list", "Lista", func(s string) any { return []string{s, s} }},
	}
	f.Fuzz(func(t *testing.T, text string) {
		var file strings.Builder
		out := bufio.NewWriter(&file)
		if err := errors.Join(writeWorkbook(out, fields, time.UTC)(text), out.Flush()); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.String(), "\ufeff"))).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != len(fields) {
			t.Fatalf("%q became %q, %v", text, rows, err)
		}
		for _, cell := range rows[1] {
			seen := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) })
			if strings.IndexAny(seen, "=+-@＝＋－＠") == 0 {
				t.Errorf("a spreadsheet computes %q", cell)
			}
		}
		file.Reset()
		if err := errors.Join(writeLines(out, fields, time.UTC)(text), out.Flush()); err != nil {
			t.Fatal(err)
		}
		var line struct {
			Text string
			List []string
		}
		if err := json.Unmarshal([]byte(file.String()), &line); err != nil || strings.Count(file.String(), "\n") != 1 || utf8.ValidString(text) && line.Text != text {
			t.Errorf("%q became %q, %v", text, file.String(), err)
		}
	})
}

package httpapi

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/dossier"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
	"bitacora/domain/subjects"
	"bitacora/domain/waiting"
)

// nowhere stands for tables and letters that hold nothing of anybody: what becomes of those is
// tried with the whole program.
type nowhere struct{}

func (nowhere) Withdraw(context.Context, []string, int64, bool) (done, waiting []string, err error) {
	return []string{build}, nil, nil
}

func (nowhere) Return(context.Context, []string) error { return nil }

func (nowhere) Forget(context.Context, []string) (int, error) { return 0, nil }

// withPersons lets the staff's calls find, copy, restrict and erase.
func (s *testServer) withPersons() {
	log := s.db.Log()
	s.config.Staff.Persons = &subjects.Register{
		Log: log, Index: log, Tasks: log, Tables: nowhere{}, Letters: nowhere{}, Bookings: s.chat, Answers: s.config.Staff.Teaching, Now: s.clock.Now,
		Public: func(context.Context) ([]privacy.Identifier, error) { return nil, nil },
		Names:  func(context.Context) (map[string]string, error) { return map[string]string{"s1": anaEmail}, nil },
		Sleep:  func(context.Context, time.Duration) bool { return true },
	}
	s.withNewsletter()
	s.config.Staff.Waiting = &waiting.Register{Log: log, Source: postgres.Signals{Log: log}, Public: s.config.Staff.Persons.Public, Calendar: clinic.Default().Calendar(), Now: s.clock.Now}
	s.config.Staff.Teaching.TellsOf = s.config.Staff.Persons.TellsOf
	s.config.Staff.WriteCopy = func(w io.Writer, c subjects.Copy, format string) (string, error) {
		return dossier.FileName(c, format, clinic.Default()), dossier.Write(w, c, format, clinic.Default())
	}
}

func (b *browser) person(ref contacts.Ref) (p contract.Person) {
	b.h.t.Helper()
	b.get(changePath(ref, "person")).into(http.StatusOK, &p)
	return p
}

func TestStaffHandsOverRestrictsAndErases(t *testing.T) {
	h := newTestServer(t)
	lead, other := h.leaves("s1", "+50769001111"), h.leaves("s2", "+50769002222")
	later := h.leaves("s3", "+50769001111")
	h.project()
	staff := h.staff()

	p := staff.person(lead)
	if len(p.Records) != 2 || p.Records[0].ID != later.ID || p.Records[0].FoundBy != contract.PersonRecordFoundByPhone ||
		contract.Deref(p.Records[0].FoundIn) != lead.ID || p.Records[1].Texts != 2 {
		t.Fatalf("found %+v", p)
	}
	for format, kind := range map[string]string{"html": "text/html", "json": "application/json"} {
		a := staff.get(changePath(lead, "person/copy?format="+format))
		if a.Code != http.StatusOK || !strings.HasPrefix(a.Header().Get("Content-Type"), kind) || !strings.Contains(a.Header().Get("Content-Disposition"), "attachment") ||
			!strings.Contains(a.Body.String(), "Ana s1") || strings.Contains(a.Body.String(), "Ana s2") {
			t.Errorf("%s: %d %v %.300s", format, a.Code, a.Header(), a.Body)
		}
	}
	staff.get(changePath(lead, "person/copy?format=pdf")).refused(http.StatusBadRequest)

	var restricted contract.Person
	staff.post(changePath(lead, "person/restriction"), contract.PersonRestriction{On: true}).into(http.StatusOK, &restricted)
	if !restricted.Records[0].Restricted || !restricted.Records[1].Restricted {
		t.Errorf("restricted %+v", restricted)
	}
	if e := staff.get("/api/dashboard/conversation/" + lead.ID + "/messages").refused(http.StatusForbidden); !strings.HasPrefix(e.Message, "Restringido por pedido de la persona") {
		t.Errorf("the transcript is refused with %q", e.Message)
	}
	if list, _ := staff.contacts("q=6900-1111"); len(list) != 0 {
		t.Errorf("by the phone is found %s", names(list))
	}
	list, _ := staff.contacts("")
	for _, c := range list {
		if hidden := c.Name == nil && c.Phone == nil; c.Restricted != hidden || c.Restricted == (c.ID == other.ID) {
			t.Errorf("listed %+v", c)
		}
	}
	if a := staff.get(contactsPath + "/export"); strings.Contains(a.Body.String(), "Ana s1") || !strings.Contains(a.Body.String(), "Ana s2") {
		t.Errorf("the export holds %s", a.Body)
	}
	staff.post(changePath(lead, "notes"), contract.NewContactNote{ID: "n1", Text: "llamar"}).refused(http.StatusForbidden)
	staff.post(changePath(lead, "person/restriction"), contract.PersonRestriction{}).into(http.StatusOK, &restricted)
	if list, _ := staff.contacts("q=6900-1111"); restricted.Records[0].Restricted || len(list) != 2 {
		t.Errorf("lifted %+v, listed %s", restricted, names(list))
	}

	erase := func(body contract.PersonErasure) answer { return staff.post(changePath(lead, "person/erasure"), body) }
	for _, wrong := range []string{"", "Ana s2", lead.ID, "ana s1"} {
		if e := erase(contract.PersonErasure{Confirmation: wrong}).refused(http.StatusBadRequest); !strings.Contains(e.Message, "no se borró nada") {
			t.Errorf("%q is refused with %q", wrong, e.Message)
		}
	}
	var report contract.ErasureReport
	erase(contract.PersonErasure{Confirmation: " Ana  s1 ", Only: new(true)}).into(http.StatusOK, &report)
	if report.Records != 1 || len(report.Waiting) != 0 || !report.ProvableBy.Equal(report.ErasedAt.Add(24*time.Hour)) {
		t.Errorf("report %+v", report)
	}
	for _, c := range first(staff.contacts("")) {
		if c.Erased != (c.ID == lead.ID) {
			t.Errorf("listed %+v", c)
		}
	}
	var again contract.ErasureReport
	erase(contract.PersonErasure{Confirmation: " Ana  s1 ", Only: new(true)}).into(http.StatusOK, &again)
	if again.Records != 1 || again.Pending || !again.ErasedAt.Equal(report.ErasedAt) {
		t.Errorf("repeated %+v, first %+v", again, report)
	}
	told := h.events(lead.Stream())
	if last, ok := told[len(told)-1].Payload.(*event.SubjectErased); !ok || last.By == "" || last.Reason != event.ReasonRequest {
		t.Errorf("the log ends with %+v", told[len(told)-1])
	}
	if got := h.activity(); !strings.HasPrefix(got, "SubjectErased SubjectRestricted") || strings.Count(got, "SubjectExported") != 4 {
		t.Errorf("the activity is %s", got)
	}
}

func first[A, B any](a A, _ B) A { return a }

// activity is what owners see of what everybody did, the newest first.
func (s *testServer) activity() string {
	s.t.Helper()
	_, owner := s.sign("duena@clinica.example", "owner")
	var entries []contract.AuditEntry
	owner.get("/api/audit").into(http.StatusOK, &entries)
	var what []string
	for _, e := range entries {
		if strings.HasPrefix(e.What, "Subject") {
			what = append(what, e.What)
		}
	}
	return strings.Join(what, " ")
}

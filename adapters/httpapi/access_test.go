package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"bitacora/adapters/httpapi/contract"
	people "bitacora/domain/staff"
)

// sign gives somebody an account with a role, and a browser in which they are signed in.
func (s *testServer) sign(email string, role people.Role) (people.Account, *browser) {
	s.t.Helper()
	who, err := s.db.Staff().AddAccount(s.t.Context(), email, anaHash, role)
	if err != nil {
		s.t.Fatal(err)
	}
	b := s.browser()
	if a := b.post("/api/auth/login", contract.Credentials{Username: email, Password: anaPassword}); a.Code != http.StatusOK {
		s.t.Fatalf("sign in: %d %s", a.Code, a.Body)
	}
	return who, b
}

// statuses is what a call of each role is answered with.
type statuses struct{ reader, reception, staff, owner int }

func (s statuses) of(role people.Role) int {
	return map[people.Role]int{people.RoleReader: s.reader, people.RoleReception: s.reception, people.RoleStaff: s.staff, people.RoleOwner: s.owner}[role]
}

var (
	forEveryone   = statuses{200, 200, 200, 200}
	forColleagues = statuses{403, 200, 200, 200}
	forDataOfMany = statuses{403, 403, 200, 200}
	forOwners     = statuses{403, 403, 403, 200}
)

// roleMatrix says how every operation of the staff answers every role. A request of 400 is one
// that got past the gate with an empty body.
var roleMatrix = map[string]statuses{
	"GET /api/auth/user":                                              forEveryone,
	"POST /api/auth/password":                                         {400, 400, 400, 400},
	"GET /api/auth/sessions":                                          forEveryone,
	"POST /api/auth/sessions/end":                                     {204, 204, 204, 204},
	"GET /api/auth/second-factor":                                     forEveryone,
	"POST /api/auth/second-factor/begin":                              forEveryone,
	"POST /api/auth/second-factor/confirm":                            {400, 400, 400, 400},
	"POST /api/auth/second-factor/remove":                             {400, 400, 400, 400},
	"GET /api/accounts":                                               forOwners,
	"POST /api/accounts":                                              {403, 403, 403, 400},
	"POST /api/accounts/{id}/role":                                    {403, 403, 403, 400},
	"POST /api/accounts/{id}/sessions/end":                            {403, 403, 403, 404},
	"POST /api/accounts/{id}/remove":                                  {403, 403, 403, 404},
	"GET /api/audit":                                                  forOwners,
	"GET /api/dashboard/kpis":                                         forEveryone,
	"GET /api/dashboard/timeseries":                                   forEveryone,
	"GET /api/dashboard/funnel":                                       forEveryone,
	"GET /api/dashboard/heatmap":                                      forEveryone,
	"GET /api/dashboard/topics":                                       forEveryone,
	"GET /api/dashboard/quality":                                      forEveryone,
	"GET /api/dashboard/ratings":                                      forEveryone,
	"GET /api/dashboard/reports":                                      forEveryone,
	"GET /api/dashboard/unusual":                                      forEveryone,
	"GET /api/dashboard/live":                                         forEveryone,
	"GET /api/dashboard/waiting":                                      forEveryone,
	"POST /api/dashboard/waiting/{kind}/{id}/attempts":                {403, 400, 400, 400},
	"POST /api/dashboard/waiting/{kind}/{id}/attempts/{attempt}/undo": {403, 404, 404, 404},
	"GET /api/dashboard/questions":                                    forColleagues,
	"POST /api/dashboard/questions/dismissal":                         {403, 404, 404, 404},
	"GET /api/dashboard/answer-form":                                  forColleagues,
	"GET /api/dashboard/answers":                                      forColleagues,
	"POST /api/dashboard/answers":                                     {403, 400, 400, 400},
	"POST /api/dashboard/answers/preview":                             {403, 400, 400, 400},
	"GET /api/dashboard/answers/{id}":                                 {403, 404, 404, 404},
	"POST /api/dashboard/chart-notes/{id}":                            {403, 400, 400, 400},
	"POST /api/dashboard/answers/{id}/undo":                           {403, 404, 404, 404},
	"GET /api/dashboard/conversations":                                forColleagues,
	"GET /api/dashboard/export":                                       forDataOfMany,
	"GET /api/dashboard/conversation/{id}/messages":                   forColleagues,
	"POST /api/dashboard/conversation/{id}/booking":                   {403, 400, 400, 400},
	"GET /api/dashboard/contacts":                                     forColleagues,
	"GET /api/dashboard/contacts/counts":                              forColleagues,
	"GET /api/dashboard/contacts/export":                              forDataOfMany,
	"GET /api/dashboard/contacts/requests":                            forDataOfMany,
	"POST /api/dashboard/contacts/{kind}/{id}/requests/{request}":     {403, 403, 400, 400},
	"POST /api/dashboard/contacts/{kind}/{id}/status":                 {403, 400, 400, 400},
	"POST /api/dashboard/contacts/{kind}/{id}/notes":                  {403, 400, 400, 400},

	"GET /api/dashboard/contacts/{kind}/{id}/person":              {403, 403, 404, 404},
	"GET /api/dashboard/contacts/{kind}/{id}/person/copy":         {403, 403, 400, 400},
	"POST /api/dashboard/contacts/{kind}/{id}/person/restriction": {403, 403, 404, 404},
	"POST /api/dashboard/contacts/{kind}/{id}/person/erasure":     {403, 403, 404, 404},

	"GET /api/dashboard/agenda":                                       forEveryone,
	"POST /api/dashboard/conversation/{id}/booking/{booking}/outcome": {403, 400, 400, 400},
}

// staffOperations are the operations of the contract for which somebody has to be signed in.
func staffOperations(t *testing.T) []string {
	t.Helper()
	doc, err := openAPI()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.Security != nil {
				for _, needs := range *operation.Security {
					if _, ok := needs["staff"]; ok {
						found = append(found, method+" "+path)
					}
				}
			}
		}
	}
	return found
}

func TestEveryOperationOfTheStaffAnswersEveryRole(t *testing.T) {
	operations := staffOperations(t)
	slices.Sort(operations)
	if rows := slices.Sorted(maps.Keys(roleMatrix)); !slices.Equal(operations, rows) {
		t.Fatalf("the contract has the operations\n%s\nand the matrix those\n%s", strings.Join(operations, "\n"), strings.Join(rows, "\n"))
	}
	h := newTestServer(t)
	nobody := h.browser()
	browsers := map[people.Role]*browser{}
	for _, role := range people.Roles {
		_, browsers[role] = h.sign(string(role)+"@clinica.example", role)
	}
	path := strings.NewReplacer("{id}", "x", "{kind}", "lead", "{booking}", "b")
	for _, operation := range operations { // in their order: some find what those before did
		want := roleMatrix[operation]
		method, route, _ := strings.Cut(operation, " ")
		address := path.Replace(route)
		if strings.HasSuffix(route, "/export") {
			address += "?format=csv"
		}
		ask := func(b *browser) answer {
			switch {
			case strings.HasSuffix(route, "/live"):
				// The answer to GET has no end.
				return b.send(http.MethodHead, address, nil, nil)
			case method == http.MethodPost:
				return b.post(address, struct{}{})
			}
			return b.get(address)
		}
		for role, b := range browsers {
			a := ask(b)
			if a.Code != want.of(role) {
				t.Errorf("%s as %s: %d, want %d: %s", operation, role, a.Code, want.of(role), a.Body)
			} else if a.Code == http.StatusForbidden {
				if e := a.refused(http.StatusForbidden); !strings.Contains(e.Message, "no tiene permiso") {
					t.Errorf("%s as %s: %q", operation, role, e.Message)
				}
			}
		}
		if a := ask(nobody); a.Code != http.StatusUnauthorized {
			t.Errorf("%s without a session: %d", operation, a.Code)
		}
	}
}

func TestReadersSearchNoTexts(t *testing.T) {
	h := newTestServer(t)
	_, reader := h.sign("luis@clinica.example", people.RoleReader)
	_, colleague := h.sign(anaEmail, people.RoleStaff)
	for _, question := range []string{"kpis", "timeseries", "funnel", "heatmap", "topics", "quality", "ratings", "reports"} {
		address := "/api/dashboard/" + question + "?q=diabetes"
		reader.get(address).refused(http.StatusForbidden)
		if a := colleague.get(address); a.Code != http.StatusOK {
			t.Errorf("%s: %d %s", question, a.Code, a.Body)
		}
	}
}

func TestARoleHoldsFromTheNextRequestOn(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleStaff)
	var user contract.User
	b.get("/api/auth/user").into(http.StatusOK, &user)
	if user.Role != contract.Role(people.RoleStaff) {
		t.Errorf("signed in as %+v", user)
	}
	if err := h.db.Staff().SetRole(t.Context(), ana.ID, people.RoleReader); err != nil {
		t.Fatal(err)
	}
	b.get("/api/dashboard/conversation/x/messages").refused(http.StatusForbidden)
	b.get("/api/auth/user").into(http.StatusOK, &user)
	if user.Role != contract.Role(people.RoleReader) {
		t.Errorf("after the change %+v", user)
	}
}

package clickhouse

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/enginestest"
)

// TestAnalystStatementsAreRight: the engine parses them, knows every setting, and they are those
// that are documented.
func TestAnalystStatementsAreRight(t *testing.T) {
	db := open(t)
	db.views = "bitacora"
	statements := db.AnalystStatements("a password")
	named := append(access.AddUser("sur", "lucia", "a password"), access.SetPassword("lucia", "another"), access.RemoveUser("lucia"), access.EndQueries("lucia"))
	for _, statement := range slices.Concat(statements, []string{access.Former("sur")}, named) {
		if got := result(t, analyst(t, db), "SELECT formatQuery('"+quoted(statement)+"')"); len(got) != 2 {
			t.Errorf("%s: %v", statement, got)
		}
	}
	known := map[string]bool{}
	for _, row := range result(t, analyst(t, db), "SELECT name FROM system.settings")[1:] {
		known[row[0]] = true
	}
	for line := range strings.Lines(statements[0]) {
		if name := strings.TrimRight(strings.Fields(line)[0], ","); name != "CREATE" && !known[name] {
			t.Errorf("%s is no setting of this engine", name)
		}
	}
	want, err := os.ReadFile("testdata/analysts.sql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), strings.Join(statements, ";\n")+";\n"); diff != "" {
		t.Errorf("differs from testdata/analysts.sql:\n%s", diff)
	}
	// Of a clinic with another database, everything has a name of its own.
	db.views = "sur"
	others := strings.NewReplacer("analysts_bitacora", "analysts_sur", "`bitacora`", "`sur`", "REPLACE analyst ", "REPLACE analyst_sur ", "TO analyst;", "TO analyst_sur;")
	if diff := cmp.Diff(others.Replace(string(want)), strings.Join(db.AnalystStatements("a password"), ";\n")+";\n"); diff != "" {
		t.Errorf("for the database sur:\n%s", diff)
	}
}

// withRoles is a server whose lists of grants and roles are tables of the views' database, "views." in the statements
// that fill them: the engine of tests makes no users. Statements about users are taken down, and not carried out;
// refuse, unless it is nil, may answer one in the server's place.
func withRoles(t *testing.T, refuse func(w http.ResponseWriter, statement string) bool) (db *DB, fill func(...string), did *[]string) {
	t.Helper()
	address := enginestest.ClickHouse(t)
	engine, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	direct := house(t, address, Cluster{})
	views := direct.ViewsDatabase()
	fill = func(list ...string) {
		t.Helper()
		for _, statement := range list {
			if err := direct.nodes[0].exec(t.Context(), strings.ReplaceAll(statement, "views.", views+".")); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	fill("CREATE TABLE views.grants AS system.grants ENGINE = Memory", "CREATE TABLE views.role_grants AS system.role_grants ENGINE = Memory")
	did = new([]string)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: engine.Scheme, Host: engine.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		text := string(body)
		verb, _, _ := strings.Cut(text, " ")
		switch {
		case refuse != nil && refuse(w, text):
			return
		case slices.Contains([]string{"CREATE", "ALTER", "GRANT", "REVOKE", "DROP", "KILL"}, verb):
			*did = append(*did, text)
			return
		}
		text = strings.NewReplacer("system.grants", views+".grants", "system.role_grants", views+".role_grants").Replace(text)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return house(t, strings.Replace(address, engine.Host, strings.TrimPrefix(server.URL, "http://"), 1), Cluster{}), fill, did
}

// TestTheRoleOfAllClinicsLosesTheViews of a clinic whose database has another name.
func TestTheRoleOfAllClinicsLosesTheViews(t *testing.T) {
	db, fill, did := withRoles(t, nil)
	views := db.ViewsDatabase()
	fill("INSERT INTO views.grants (role_name, database) VALUES ('analysts_bitacora', 'bitacora'), ('analysts_sur', '"+views+"')",
		"INSERT INTO views.role_grants (user_name, role_name, granted_role_name) VALUES ('lucia', NULL, 'analysts_bitacora'), (NULL, 'managers', 'analysts_bitacora'), ('pedro', NULL, 'analysts_sur')")
	revoked := func() []string {
		return slices.DeleteFunc(slices.Clone(*did), func(s string) bool { return !strings.HasPrefix(s, "REVOKE") })
	}
	admit := func(want ...string) {
		t.Helper()
		if former, err := db.AdmitAnalysts(t.Context(), ""); err != nil || !slices.Equal(former, want) {
			t.Errorf("of %v, %v; want %v", former, err, want)
		}
	}
	admit()
	if len(revoked()) > 0 {
		t.Errorf("the role has no grant of this clinic, and it did %v", revoked())
	}
	fill("INSERT INTO views.grants (role_name, database) VALUES ('analysts_bitacora', '" + views + "')")
	admit("lucia", "managers")
	if want := "REVOKE SELECT ON `" + views + "`.* FROM analysts_bitacora"; !slices.Equal(revoked(), []string{want}) {
		t.Errorf("it did %v, want %s", revoked(), want)
	}
}

func TestWhereUsersCannotBeMadeItIsSaid(t *testing.T) {
	db := open(t)
	_, err := db.AdmitAnalysts(t.Context(), "")
	if !errors.Is(err, ErrMayNotGrant) {
		t.Errorf("the embedded engine, which has no such users: %v", err)
	}
	if got := db.AnalystStatements(""); strings.Contains(strings.Join(got, "\n"), "CREATE USER") {
		t.Errorf("without a password: %v", got)
	}
}

// TestNamedAnalystsOfAServer are its users with the clinic's role.
func TestNamedAnalystsOfAServer(t *testing.T) {
	db, fill, all := withRoles(t, func(w http.ResponseWriter, statement string) bool {
		there := strings.HasPrefix(statement, "CREATE USER `lucia`")
		if there {
			w.Header().Set("X-ClickHouse-Exception-Code", "493")
			http.Error(w, "Code: 493. DB::Exception: user `lucia` already exists. (ACCESS_ENTITY_ALREADY_EXISTS)", http.StatusInternalServerError)
		}
		return there
	})
	views := db.ViewsDatabase()
	role := access.Role(views)
	fill("INSERT INTO views.role_grants (user_name, role_name, granted_role_name) VALUES ('lucia', NULL, '" + role + "'), ('" + access.User(views) + "', NULL, '" + role + "'), (NULL, 'managers', '" + role + "'), ('pedro', NULL, 'analysts_sur')")
	accounts := db.Accounts()
	if names, err := accounts.List(t.Context()); err != nil || !slices.Equal(names, []string{"lucia"}) {
		t.Errorf("list: %v, %v", names, err)
	}
	for _, c := range []struct {
		name string
		work func() error
		err  error
		did  []string
	}{
		{"add", func() error { return accounts.Add(t.Context(), "ana", "secret") }, nil, []string{"CREATE USER `ana`", "GRANT " + role + " TO"}},
		{"add a user that there is", func() error { return accounts.Add(t.Context(), "lucia", "secret") }, access.ErrExists, nil},
		{"rotate", func() error { return accounts.SetPassword(t.Context(), "lucia", "secret") }, nil, []string{"ALTER USER `lucia`"}},
		{"rotate another clinic's", func() error { return accounts.SetPassword(t.Context(), "pedro", "secret") }, access.ErrUnknown, nil},
		{"revoke", func() error { return accounts.Remove(t.Context(), "lucia") }, nil, []string{"DROP USER `lucia`"}},
		{"revoke another clinic's", func() error { return accounts.Remove(t.Context(), "pedro") }, access.ErrUnknown, nil},
		{"end queries", func() error { return accounts.EndQueries(t.Context(), "lucia") }, nil, []string{"KILL QUERY WHERE"}},
	} {
		*all = nil
		err := c.work()
		var did []string
		for _, statement := range *all {
			did = append(did, strings.Join(strings.Fields(statement)[:3], " "))
		}
		if !errors.Is(err, c.err) || !slices.Equal(did, c.did) {
			t.Errorf("%s: %v, it did %v", c.name, err, did)
		}
	}
}

package clickhouse

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

// analyst connects to the views with nothing but the right to read.
func analyst(t testing.TB, db *DB) driver.Conn {
	t.Helper()
	options := db.options
	options.Auth.Database = db.ViewsDatabase()
	options.Settings = clickhouse.Settings{"readonly": 2, "session_timezone": "America/Panama"}
	conn, err := clickhouse.Open(&options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// visit is a short conversation that began at the given time.
func visit(id string, started time.Time) []event.Recorded {
	conv := event.Conversation{ConversationID: id, ConversationStartedAt: started}
	payloads := []event.Payload{
		&event.ConversationStarted{Conversation: conv, Channel: "web", VisitStartedAt: started},
		&event.VisitorMessageSent{Conversation: conv, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: "¿Aceptan mi seguro?"}},
		&event.AssistantReplied{
			Conversation: conv, Progress: event.Progress{Ordinal: 2, ActiveMillis: 1500}, Text: event.Text{Text: "Depende del plan."},
			Understood: event.Understood{Intent: "seguro", Confidence: .5, RunnerUp: "pago", RunnerUpConfidence: .25},
			Chosen:     event.Chosen{Answer: "seguros", Likelihood: .75, NextAnswer: "pagos", NextLikelihood: .125},
			Model:      "clinica-1", LatencyMillis: 900, TokensIn: 10, TokensOut: 5, Topic: "seguros",
		},
		&event.ReplyRated{Conversation: conv, Ordinal: 2, ReplyTo: "m1", Topic: "seguros", Rating: event.RatedNegative},
		&event.QuestionLabelled{Conversation: conv, Ordinal: 1, MessageID: "m1", Label: event.Label{Kind: event.LabelSkipped}, StaffID: "s"},
		&event.ConsentGiven{Conversation: conv},
		&event.LeadCaptured{Conversation: conv, HasPhone: true},
		&event.AppointmentBooked{Conversation: conv, BookingID: "b1", Source: "chat"},
		&event.AppointmentOutcomeRecorded{Conversation: conv, BookingID: "b1", Outcome: event.OutcomeCame, BookedBy: "chat", BookedAt: started, Slot: started},
		&event.ContactStatusChanged{Contact: event.Contact{Kind: "lead", ContactID: id, ContactAt: started}, Status: "contacted", StaffID: "s"},
		&event.ChatRefused{Month: started.Format("2006-01"), Limit: 1},
		&event.AnswerTaught{Answer: event.Answer{Slug: "seguros"}, Version: 1},
		&event.TranscriptOpened{StaffID: "s", ConversationID: id},
	}
	var events []event.Recorded
	for i, p := range payloads {
		events = append(events, event.Recorded{
			Position: int64(i + 1), ID: event.DerivedID(id, fmt.Sprint(i)), Stream: id,
			OccurredAt: started.Add(time.Duration(i) * time.Millisecond), Payload: p,
		})
	}
	return events
}

func publish(t testing.TB, db *DB, build string) {
	t.Helper()
	if err := db.PublishViews(t.Context(), build); err != nil {
		t.Fatal(err)
	}
}

// answer is a whole result as text.
func answer(t fatal, conn driver.Conn, query string, args ...any) string {
	t.Helper()
	return body(t, conn, "TabSeparatedWithNames", query, args...)
}

// body is a whole result in a format of ClickHouse.
func body(t fatal, conn driver.Conn, format, query string, args ...any) string {
	t.Helper()
	result, err := conn.QueryFormat(context.Background(), format, query, args...)
	if err != nil {
		t.Fatal(query, err)
	}
	defer result.Close()
	text, err := io.ReadAll(result)
	if err != nil {
		t.Fatal(query, err)
	}
	return string(text)
}

func TestDashboardQueriesRunUnchangedOnTheViews(t *testing.T) {
	db := open(t)
	log := projectionstest.Log().Example(3)
	for range 2 {
		for _, e := range log {
			write(t, db, []event.Recorded{e})
		}
	}
	write(t, db, visit("una", projectionstest.Edges[0]))
	publish(t, db, build)
	app, err := db.conn(db.Database(build))
	if err != nil {
		t.Fatal(err)
	}
	reader := analyst(t, db)
	args := map[string][]any{
		"conversations": {named("before_started_at", "2030-01-01 00:00:00"), named("before_id", ""), named("limit", "100"), named("offset", "0")},
		"timeseries":    {named("starts", "[0, 1800000000000]")},
		"refusals":      {named("starts", "[0, 1800000000000]")},
		"messages":      {named("conversation_id", "c0")},
		"contacts": {named("kind", ""), named("status", ""), named("before_came_at", "2030-01-01 00:00:00"),
			named("before_kind", ""), named("before_id", ""), named("limit", "100")},
		"contact_counts":  {named("kind", "lead")},
		"first_questions": {named("conversations", "['c0']"), named("small_talk", "['saludo']")},
		"taught":          {named("slug", "['a']"), named("at", "[1600000000000]"), named("span", "1000000000000")},
		"questions":       {named("below", "0.7"), named("reason", ""), named("state", ""), named("taught", "['x']"), named("taught_at", "[1]"), named("limit", "100")},
	}
	for _, name := range questions(t) {
		for _, filter := range []string{"{}", "{'lead':'false'}"} {
			given := args[name]
			if name != "messages" {
				given = append(given[:len(given):len(given)], named("from", "2020-01-01 05:00:00"), named("to", "2030-01-01 00:00:00"),
					named("filter", filter), named("opening", "[(480,1140)]"))
			}
			query, err := os.ReadFile("queries/" + name + ".sql")
			if err != nil {
				t.Fatal(err)
			}
			want := answer(t, app, overTables(string(query)), given...)
			if got := answer(t, reader, string(query), given...); got != want || filter == "{}" && strings.Count(got, "\n") < 2 {
				t.Errorf("%s, filter %s: the analyst sees\n%s\nthe dashboard\n%s", name, filter, got, want)
			}
		}
	}
}

// templates are not questions: the program fills them in, or asks them of a build's tables.
var templates = []string{"fingerprint", "fingerprint_row", "fingerprint_rows", "reach", "recount"}

// questions are the names of the files that stand behind the dashboard's numbers.
func questions(t testing.TB) []string {
	t.Helper()
	files, err := os.ReadDir("queries")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		if name := strings.TrimSuffix(file.Name(), ".sql"); !slices.Contains(templates, name) {
			names = append(names, name)
		}
	}
	return names
}

// withoutCohort are the questions about no conversations of a period.
var withoutCohort = []string{"messages", "contacts", "contact_counts", "visits_since", "taught", "first_questions", "refusals"}

// ofAnyTime looks dismissals up, which hold beyond every cohort.
const ofAnyTime = "FROM conversations WHERE notEmpty(dismissed_ordinals)"

func TestQuestionsAboutACohortMeanTheSameOne(t *testing.T) {
	for _, name := range questions(t) {
		query, err := os.ReadFile("queries/" + name + ".sql")
		if err != nil {
			t.Fatal(err)
		}
		calls := strings.Count(string(query), "FROM "+cohortCall)
		if calls == 0 != slices.Contains(withoutCohort, name) || calls != strings.Count(string(query), "FROM cohort") ||
			strings.Contains(strings.ReplaceAll(string(query), ofAnyTime, ""), "FROM conversations") {
			t.Errorf("%s.sql asks for %d cohorts, or has one of its own", name, calls)
		}
	}
}

func TestTheDictionaryTellsEveryFilter(t *testing.T) {
	text, err := os.ReadFile(dictionary)
	if err != nil {
		t.Fatal(err)
	}
	conditions := regexp.MustCompile(`\(wanted\['(\w+)'\] = '' OR`).FindAllStringSubmatch(cohortDefinition, -1)
	if len(conditions) == 0 {
		t.Fatal("the cohort has no conditions")
	}
	for _, condition := range conditions {
		if !strings.Contains(string(text), "`"+condition[1]+"`") {
			t.Errorf("the dictionary does not tell of the filter %s", condition[1])
		}
	}
}

func TestThePeriodOfTheCohortIsInUTC(t *testing.T) {
	db := open(t)
	midnight := time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC)
	write(t, db, slices.Concat(visit("before", midnight.Add(-time.Millisecond)), visit("at", midnight)))
	publish(t, db, build)
	reader := analyst(t, db)
	for _, from := range []string{"'2026-11-01 05:00:00'", "toTimeZone(toDateTime('2026-11-01 00:00:00', 'America/Panama'), 'UTC')"} {
		cohort := "cohort(from = " + from + ", to = '2026-12-01', filter = map(), opening = [])"
		if got := answer(t, reader, "SELECT conversation_id FROM "+cohort); got != "conversation_id\nat\n" {
			t.Errorf("%s holds %q", cohort, got)
		}
	}
}

func TestTheCohortRefusesAFilterThatItDoesNotKnow(t *testing.T) {
	db := open(t)
	write(t, db, visit("a", time.Date(2026, 11, 1, 15, 0, 0, 0, time.UTC)))
	publish(t, db, build)
	reader := analyst(t, db)
	for filter, refused := range map[string]bool{
		"'lead', 'true'": false, "'lead', 'false'": false, "'lead', ''": false, "'lead', 'yes'": true, "'lead', 'TRUE'": true, "'lead', 'true|false'": true,
		"'leads', 'true'": true, "'', 'true'": true, "'leads', ''": true, "'lead', 'true', 'topic', 'Pagos', 'Topic', 'x'": true,
		"'hour', 'ten'": true, "'hour', '24'": true, "'hour', '-1'": true, "'hour', '300'": true, "'hour', '0'": false, "'hour', '23'": false, "'hour', '1.5'": true,
		"'weekday', '0'": true, "'weekday', '8'": true, "'weekday', '7'": false, "'weekday', 'lunes'": true,
		"'min_active_ms', '1e3'": true, "'min_active_ms', '1000'": false, "'max_active_ms', '1m'": true, "'max_active_ms', '99999999999999999999'": true,
		"'flag', 'crysis'": true, "'flag', 'crisis'": false, "'rated', 'good'": true, "'rated', 'positive'": false,
		"'rated_topic', 'Pagos'": true, "'rated', 'negative', 'rated_topic', 'Pagos'": false,
		"'topic', 'Pagos (y cuotas)'": false, "'search', 'dos\\nlíneas'": false, "'model', '-'": false, "'unanswered_topic', '-'": false, "'out_of_hours', '1'": true,
	} {
		for _, question := range []string{"SELECT count() FROM ", "SELECT count() FROM messages WHERE conversation_id IN (SELECT conversation_id FROM "} {
			for _, cohort := range []string{
				"cohort(from = '2026-11-01', to = '2026-12-01', filter = map(" + filter + "), opening = [])",
				"cohort_days(from_day = '2026-11-01', to_day = '2026-11-30', filter = map(" + filter + "))",
			} {
				whole := question + cohort
				if strings.Contains(question, "IN (") {
					whole += ") SETTINGS allow_push_predicate_ast_for_distributed_subqueries = 0"
				}
				mustRefuse(t, reader, whole, refused)
			}
		}
	}
	for _, flag := range event.Flags {
		answer(t, reader, "SELECT count() FROM cohort(from = '2026-11-01', to = '2026-12-01', filter = map('flag', '"+flag+"'), opening = [])")
	}
}

func mustRefuse(t *testing.T, reader driver.Conn, question string, refused bool) {
	t.Helper()
	table, err := reader.QueryFormat(t.Context(), "CSV", question)
	if err == nil {
		err = table.Close()
	}
	if (err != nil) != refused || refused && KindOf(err) != fault.Invalid {
		t.Errorf("%s: %v, want it to be refused: %v", question, err, refused)
	}
}

func TestDaysThatAreNoneAreRefused(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := analyst(t, db)
	for days, refused := range map[string]bool{
		"from_day = '2026-11-01', to_day = '2026-11-01'": false, "from_day = today() - 29, to_day = today()": false,
		"from_day = '2026-02-28', to_day = '2026-02-30'": true, "from_day = '2026-13-45', to_day = '2026-11-30'": true,
		"from_day = 'ayer', to_day = '2026-11-30'": true, "from_day = '', to_day = '2026-11-30'": true, "from_day = '2026-11-1', to_day = '2026-11-30'": true,
		"from_day = '1900-01-01', to_day = '2026-11-30'": true, "from_day = '2026-11-30', to_day = '2026-11-01'": true,
		"from_day = '2026-11-01', to_day = '2026-11-30 12:00:00'": true,
	} {
		mustRefuse(t, reader, "SELECT count() FROM cohort_days("+days+", filter = map())", refused)
	}
}

// TestDaysAndInstantsMeanTheSameCohort asks for ranges of days, as the API reads them, of logs whose
// conversations begin beside the ends of days.
func TestDaysAndInstantsMeanTheSameCohort(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := analyst(t, db)
	write(t, db, visit("a", time.Date(2026, 11, 2, 4, 59, 59, 0, time.UTC))) // the last second of the 1st in Panama
	for day, found := range map[string]int{"2026-10-31": 0, "2026-11-01": 1, "2026-11-02": 0} {
		if got := sameCohort(t, db.Reader(build), reader, day, day, analytics.Filter{}); got != found {
			t.Errorf("%s has %d conversations, want %d", day, got, found)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		write(t, db, projectionstest.Log().Draw(t, "log"))
		for range 10 {
			from := projectionstest.Instant().Draw(t, "from").In(panama(t))
			to := from.AddDate(0, 0, rapid.IntRange(0, 390).Draw(t, "days"))
			sameCohort(t, db.Reader(build), reader, from.Format(time.DateOnly), to.Format(time.DateOnly), filter(t))
		}
	})
}

// sameCohort counts the conversations that both find.
func sameCohort(t fatal, program *Reader, analyst driver.Conn, from, to string, f analytics.Filter) int {
	period, err := analytics.ParsePeriod(from, to, time.Date(2028, 3, 1, 12, 0, 0, 0, time.UTC), panama(t))
	if err != nil {
		t.Fatal(err)
	}
	list, err := program.ConversationPage(context.Background(), analytics.Cohort{Period: period, Filter: f, Hours: clinic.Default().Hours}, whole)
	if err != nil {
		t.Fatal(err)
	}
	want := "conversation_id\tlead\tout_of_hours\n"
	for _, found := range list {
		want += fmt.Sprintf("%s\t%v\t%v\n", found.ID, found.Lead, found.OutOfHours)
	}
	var conditions []string
	for name, value := range wanted(f) {
		conditions = append(conditions, "'"+name+"', '"+quoted(value)+"'")
	}
	got := answer(t, analyst, fmt.Sprintf(`SELECT conversation_id, lead, out_of_hours FROM cohort_days(from_day = '%s', to_day = '%s', filter = map(%s))
		ORDER BY started_at DESC, conversation_id DESC`, from, to, strings.Join(conditions, ", ")))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(from, to, f, "(-API +cohort_days)\n", diff)
	}
	return len(list)
}

func TestFreshnessIsThatOfTheLiveBuild(t *testing.T) {
	db := open(t)
	started := time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC)
	log := visit("una", started)
	write(t, db, log)
	if err := db.SetOrigin(t.Context(), build, event.DerivedID("epoch"), 7); err != nil {
		t.Fatal(err)
	}
	note := func(first, last int64) {
		t.Helper()
		if _, err := db.Writer(build).Applied(t.Context(), projections.Range{First: first, Last: last}, log[0].ID); err != nil {
			t.Fatal(err)
		}
	}
	note(1, 4)
	note(9, 12) // a run beyond a gap holds nothing
	publish(t, db, build)
	question := "SELECT build, version, zone, position, stored_at BETWEEN now() - 3600 AND now() + 1 AS lately, last_message_at FROM freshness"
	want := "build\tversion\tzone\tposition\tlately\tlast_message_at\n" + db.Database(build) + "\t7\tAmerica/Panama\t%d\t1\t2026-11-01 00:00:00.002\n"
	if diff := cmp.Diff(fmt.Sprintf(want, 4), answer(t, analyst(t, db), question)); diff != "" {
		t.Error(diff)
	}
	note(5, 8)
	if diff := cmp.Diff(fmt.Sprintf(want, 12), answer(t, analyst(t, db), question)); diff != "" {
		t.Error(diff)
	}
}

func named(name, value string) any { return clickhouse.Named(name, value) }

func TestViewsFollowTheLiveBuild(t *testing.T) {
	db := open(t)
	write(t, db, visit("old", time.Date(2026, 11, 1, 4, 59, 59, 999e6, time.UTC)))
	publish(t, db, build)
	reader := analyst(t, db)
	days := `SELECT conversation_id, toDate(started_at), toStartOfMonth(started_at) FROM conversations`
	want := "conversation_id\ttoDate(started_at)\ttoStartOfMonth(started_at)\nold\t2026-10-31\t2026-10-01\n"
	if diff := cmp.Diff(want, answer(t, reader, days)); diff != "" {
		t.Error(diff)
	}
	create(t, db, "b2")
	publish(t, db, "b2")
	if got := answer(t, reader, "SELECT count() FROM conversations"); got != "count()\n0\n" {
		t.Errorf("the views show another build than the one published: %s", got)
	}
	if got := answer(t, reader, "SELECT count() FROM messages"); got != "count()\n0\n" {
		t.Errorf("the views show another build than the one published: %s", got)
	}
}

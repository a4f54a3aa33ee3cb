package crash

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/programtest"
)

// crashRounds is how often something is killed; npm run crash asks for more.
func crashRounds(t *testing.T, standard int) int {
	asked := os.Getenv("BITACORA_CRASH_ROUNDS")
	if asked == "" {
		return standard
	}
	rounds, err := strconv.Atoi(asked)
	if err != nil {
		t.Fatal(err)
	}
	return rounds
}

// notInTheMix are the event types that no script brings about, and why.
var notInTheMix = map[string]string{
	"ChartNoted":    "a note changes no number: TestNotesOfTheChartAreWrittenSeenAndRemoved",
	"EventSkipped":  "an operator decides it on an event that cannot be applied: TestASkippedEventStaysSkipped",
	"ParkedRetried": "nothing is parked: TestOperatorsAreInTheAudit", "EpochAdopted": "the log is no copy: TestOperatorsAreInTheAudit",
	"LogExported":                "TestOperatorsAreInTheAudit",
	"RetentionApplied":           "an operator's rules, on data that are old: TestRetentionErasesWhatIsOld",
	"AppointmentOutcomeRecorded": "TestTheAgendaShowsWhatStandsInTheLog",
	"ContactAttempted":           "TestAnAttemptIsTakenDownOnceAndTakenBack", "ContactAttemptUndone": "as ContactAttempted",
	"QuestionLabelled":     "TestAnOddQuestionIsListedAndDismissed",
	"StaffPasswordChanged": "TestOwnPasswordIsChanged", "StaffSessionsEnded": "TestOwnSessionsAreSeenAndEnded",
	"SubscriptionRequested": "TestAnAddressCountsOnceItIsConfirmed", "SubscriptionConfirmed": "as SubscriptionRequested",
	"PrivacyRequestReceived": "TestStaffSeesAndFinishesRequests", "PrivacyRequestDone": "as PrivacyRequestReceived", "ConsentWithdrawn": "TestAConsentIsTakenBackAtOnce",
}

// byOperators is why people bring about no rotation and no rebuild; a night that begins during a test may.
const byOperators = "an operator does it beside the people: TestCrash"

// notByPeople are those, and the ones that only operators bring about.
func notByPeople() map[string]string {
	not := maps.Clone(notInTheMix)
	for _, name := range []string{"KeysRotated", "TablesRebuilt", "BuildSwitched"} {
		not[name] = byOperators
	}
	return not
}

// TestCrash kills two programs and the engines that they share, one after the other and all at
// once, while people do all that the clinic's doors are for, and the commands of an operator; and then
// holds what is left, and what came back of backups, against what was acknowledged and against the log, at
// rest and after a restart.
func TestCrash(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	first, second, supervisor := twoPrograms(t)
	people := newClients(t, first, second)
	people.arrive(8, 50*time.Millisecond)
	o := &operatorLoop{people: people, p: first}
	parts := map[string]func(){
		"the first program":  func() { first.Kill("serve"); first.Start() },
		"the second program": func() { second.Kill("serve"); second.Start() },
		"postgres":           func() { kill(supervisor, engines.Postgres) },
		"clickhouse":         func() { kill(supervisor, engines.ClickHouse) },
		"everything": func() {
			first.Kill("serve")
			second.Kill("serve")
			gone := supervisor.PID(engines.Postgres)
			kill(supervisor, engines.Postgres, engines.ClickHouse)
			first.Eventually("postgres is back", time.Minute, func() error {
				if pid := supervisor.PID(engines.Postgres); pid == 0 || pid == gone {
					return errors.New("no new process")
				}
				return people.app.Load().DB.Ping(t.Context())
			})
			first.Start()
			second.Start()
		},
	}
	order := []string{"the first program", "postgres", "clickhouse", "everything", "the second program"}
	const dutiesPerRound = 2
	// A second program that is killed alone: TestThreeServeAndTwoProject.
	rounds := crashRounds(t, len(duties)/dutiesPerRound)
	for round := range rounds {
		time.Sleep(time.Duration(300+rand.IntN(1200)) * time.Millisecond)
		part := order[round%len(order)]
		began := time.Now()
		before := people.acknowledgements()
		var commands []duty
		for range dutiesPerRound {
			commands = append(commands, o.killNext())
		}
		repeated := o.repeat(commands...)
		parts[part]()
		first.Eventually("people are answered after "+part+" was killed", time.Minute, func() error {
			if people.acknowledgements() < before+20 {
				return errors.New("fewer than 20 answers since")
			}
			return nil
		})
		answers, took := people.acknowledgements()-before, time.Since(began)
		for _, command := range commands {
			command.done(<-repeated)
		}
		t.Logf("round %d: %d more answers %v after %s was killed; %v ended after %v", round+1, answers, took.Round(time.Millisecond), part, commands, time.Since(began).Round(time.Millisecond))
	}
	people.leave()
	t.Logf("%d rounds, %d scripts, %d acknowledgements", rounds, people.drawn, people.acknowledgements())
	people.mustAddUp().mustHaveEveryType(t, notInTheMix)
	o.mustBeBack()
	for _, p := range people.servers {
		p.Stop()
		p.Start()
	}
	people.mustAddUp()
}

// twoPrograms are two that share the engines of a third process. To the second the month is full
// soon, and its assistant fails where it is asked for the address.
func twoPrograms(t *testing.T) (first, second *programtest.Program, s enginestest.Supervised) {
	s = enginestest.Supervisor(t)
	at := s.Endpoints()
	shared := append(forTheMix(t),
		"BITACORA_DATABASE_URL="+at.DatabaseURL, "BITACORA_CLICKHOUSE_URL="+at.ClickHouseURL,
		"BITACORA_KEYS_DIR="+filepath.Join(t.TempDir(), "keys"), "BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text(),
	)
	first = programtest.NewEmbedded(t, shared...)
	second = programtest.NewEmbedded(t, append(shared, "BITACORA_MONTHLY_LIMIT=12", "BITACORA_ASSISTANT_DIR="+speechless(t))...)
	first.Start()
	second.Start()
	return first, second, s
}

// speechless is a directory with an answer that cannot be given.
func speechless(t *testing.T) (dir string) {
	dir = t.TempDir()
	texts, err := os.ReadFile("../../../adapters/assistant/data/texts.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	const address = `{{define "ubicacion"}}`
	broken := strings.Replace(string(texts), address, address+"{{index .Phones 99}}", 1)
	if err := os.WriteFile(filepath.Join(dir, "texts.tmpl"), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// kill ends engines at once.
func kill(s enginestest.Supervised, names ...string) {
	for _, name := range names {
		if pid := s.PID(name); pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

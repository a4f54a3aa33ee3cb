package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
	"bitacora/projections/builds"
)

// deed is how a writing command ends in each state, and which events it leaves. A cell is
// "exit-code types: part of its output"; or it names the tests that cover the state, or says after a dash
// why there is no such state.
type deed struct {
	// once is of the first call, again of the same call by somebody who did not see the first one end, and
	// other of a call that wants something else of the same object.
	once, again, other string
	// away and hung are of a call while ClickHouse is away or hangs. Both are empty for a command of the log.
	away, hung string
	// killed is of the same call after the first one was killed with the answer to its last append; the events
	// are those of both.
	killed string
	// prepare makes what the command is about, and gives the arguments of two calls.
	prepare func(d *deeds) (first, other []string)
	// cut is what a killed call leaves, where its last append is not the moment; nil: it is.
	cut func(d *deeds, args []string)
	// stdin is what every call reads.
	stdin string
}

const (
	ofItsOwn   = "- each call is an act of its own"
	noArgument = "- it takes no other argument"
	noEvent    = "- it appends nothing"
	atTheGate  = "- the gate in front of ClickHouse reads the accounts from a file"
	waits      = "1: ClickHouse has not answered for"
)

var deedsOf = map[string]deed{
	"init": {
		once: "TestInitMakesTheOwnersAccount", again: "TestInitChangesNothingThatIsThere", other: "TestInitChangesNothingThatIsThere", killed: "TestCtrlCEndsAQuestion",
	},
	"serve": {
		once: "TestCrash", again: "TestCrash", other: noArgument, away: "TestServesWithoutAClickHouseServer", hung: "TestClickHouseIsDamagedUnderTraffic", killed: "TestCrash",
	},
	"project": {
		once: "TestThreeServeAndTwoProject", again: "TestThreeServeAndTwoProject", other: noArgument, away: "TestCrash", hung: "TestCommandsEndWithTheProcessWhoseEnginesTheyUse", killed: "TestThreeServeAndTwoProject",
	},
	"migrate": {
		once: "0: nothing to do", again: "0: nothing to do", other: noArgument, away: "1: analysts are not admitted", hung: "1: analysts are not admitted", killed: "TestAnUpdateWithoutAWayBackMakesABackupFirst",
		prepare: (*deeds).nothing,
	},
	"import": {
		once: "0 ConversationStarted VisitorMessageSent: 1 imported", again: "0: 0 imported, 1 unchanged", other: "3: 1 in conflict", killed: "0 ConversationStarted VisitorMessageSent: 1 unchanged",
		prepare: func(d *deeds) ([]string, []string) {
			id := d.name("chat")
			file := func(text string) []string {
				path := filepath.Join(d.Dir, d.name("chats")+".jsonl")
				programtest.Write(d.t, path, fmt.Appendf(nil, `{"id": %q, "messages": [{"role": "user", "text": %q, "at": "2026-11-03T10:00:00-05:00"}]}`+"\n", id, text), 0o600)
				return []string{"import", path}
			}
			return file("¿Abren los sábados?"), file("¿Abren los domingos?")
		},
	},
	"demo": {
		once: "0 …: conversations", again: "0: conversations", other: "0 …: conversations", killed: "0 …: conversations",
		prepare: func(d *deeds) ([]string, []string) {
			history := func() []string {
				d.n++
				return []string{"demo", "--seed", strconv.Itoa(d.n), "--months", "1", "--scale", "0.002", "--until", "2026-06-30T12:00:00-05:00"}
			}
			return history(), history()
		},
	},
	"restore": {
		once: "TestABackupComesBackWithoutWhoWasErasedSince", again: "TestARestoreIsRefusedBeforeAnythingIsTouched", other: "TestARestoreIsRefusedBeforeAnythingIsTouched",
		away: "TestADumpOfAnOlderProgramIsRestored", hung: "TestADumpOfAnOlderProgramIsRestored", killed: "TestALogThatNobodyServedComesBack",
	},
	"summary": {
		once: "0: outbox", again: "0: outbox", other: "0: outbox", away: "1: ", hung: "1: ", killed: noEvent,
		prepare: func(*deeds) ([]string, []string) {
			return []string{"summary"}, []string{"summary", "--week", "2026-11-09"}
		},
	},
	"rebuild": {
		once: "0 TablesRebuilt: is live", again: "0 TablesRebuilt: is live", other: "TestCrash", away: waits, hung: waits, killed: "0 TablesRebuilt: is live",
		prepare: func(*deeds) ([]string, []string) { return []string{"rebuild"}, nil },
	},
	"rollback": {
		once: "0 BuildSwitched: is live", again: "0: is live already", other: "1: there is no build to go back to", away: waits, hung: waits, killed: "0 BuildSwitched: is live",
		prepare: func(d *deeds) ([]string, []string) {
			return []string{"rollback", d.kept()}, []string{"rollback", "b999"}
		},
	},
	"staff add": {
		once: "0 StaffAccountAdded: may sign in now", again: "1: has an account already", other: "1: has an account already", killed: "1 StaffAccountAdded: has an account already", stdin: "cuatro gatos bajo un puente\n",
		prepare: func(d *deeds) ([]string, []string) {
			add := []string{"staff", "add", d.name("luis") + "@clinica.example", "--password-stdin"}
			return add, append(slices.Clone(add), "--role", "owner")
		},
	},
	"staff password": {
		once: "0 StaffPasswordChanged: has a new password", again: "0 StaffPasswordChanged: has a new password", other: ofItsOwn, killed: "0 StaffPasswordChanged StaffPasswordChanged: has a new password", stdin: "cinco gatos bajo un puente\n",
		prepare: func(d *deeds) ([]string, []string) {
			return []string{"staff", "password", d.colleague(), "--password-stdin"}, nil
		},
	},
	"staff role": {
		once: "0 StaffRoleChanged: is reader", again: "0: is reader", other: "0 StaffRoleChanged: is owner", killed: "0 StaffRoleChanged: is reader",
		prepare: func(d *deeds) ([]string, []string) {
			who := d.colleague()
			return []string{"staff", "role", who, "reader"}, []string{"staff", "role", who, "owner"}
		},
	},
	"staff remove": {
		once: "0 StaffAccountRemoved: may no longer sign in", again: "1: has no account", other: noArgument, killed: "1 StaffAccountRemoved: has no account",
		prepare: func(d *deeds) ([]string, []string) { return []string{"staff", "remove", d.colleague()}, nil },
	},
	"staff totp reset": {
		once: "0 StaffSecondFactorChanged: with the password alone", again: "0: is asked for no code", other: noArgument, killed: "0 StaffSecondFactorChanged: is asked for no code",
		prepare: func(d *deeds) ([]string, []string) { return []string{"staff", "totp", "reset", d.secured()}, nil },
	},
	"content import": {
		once: "0: The site now has", again: "0: has this content already", other: "0: The site now has", killed: noEvent,
		prepare: func(d *deeds) ([]string, []string) {
			folder := func() []string {
				dir := filepath.Join(d.Dir, d.name("content"))
				programtest.Write(d.t, filepath.Join(dir, "answers", "agua.md"), fmt.Appendf(nil, "## agua\nopen: true\n\n- ¿Tienen agua?\n\nSí, de %d marcas.\n", d.n), 0o600)
				return []string{"content", "import", dir}
			}
			return folder(), folder()
		},
	},
	"log mask": {
		once: "0 TextsMasked: 1 messages of 1 conversations", again: "0: 0 messages of 0 conversations", other: noArgument, killed: "0 TextsMasked: 0 messages of 0 conversations",
		prepare: func(d *deeds) ([]string, []string) {
			v := programtest.NewVisit(d.t, d.a, d.name("unmasked"), time.Date(2026, 11, 10, 15, 0, 0, 0, time.UTC))
			v.Say("zharick por aquí, ¿cuánto cuesta una limpieza?")
			v.Add(&event.LeadCaptured{Conversation: v.About, Name: "Zharick Guainora", Phone: "+50761234567", HasPhone: true})
			return []string{"log", "mask"}, nil
		},
	},
	"log adopt-epoch": {
		once: "TestABackupComesBackElsewhereAndGoesOn", again: ofItsOwn, other: noArgument, away: waits, hung: waits, killed: "- what is left is a further anchor, which a repetition keeps: TestALogRestoredToAnEarlierStateIsNoticed",
		prepare: func(*deeds) ([]string, []string) { return []string{"log", "adopt-epoch"}, nil },
	},
	"parked retry": {
		once: "0 ParkedRetried: applied", again: "0: ", other: noArgument, away: waits, hung: waits, killed: "0 ParkedRetried: ",
		prepare: func(d *deeds) ([]string, []string) {
			position := d.parks("type, 99", `replace(data, '"ordinal":1', '"ordinal":2'), NULL`)
			programtest.Damage(d.t, d.a, position, 1)
			return []string{"parked", "retry"}, nil
		},
	},
	"parked skip": {
		once: "0 EventSkipped ParkedRetried: is passed over", again: "0: is passed over already", other: "0: is passed over already",
		away: "0 EventSkipped: bitacora parked retry", hung: "0 EventSkipped: bitacora parked retry", killed: "0 EventSkipped ParkedRetried: is passed over already",
		prepare: func(d *deeds) ([]string, []string) {
			skip := []string{"parked", "skip", fmt.Sprint(d.parks("'TrialEvent', 1", "'{}', NULL")), "--reason"}
			return append(skip, "of a trial version"), append(slices.Clone(skip), "of another version")
		},
	},
	"projections drop": {
		once: "0: dropped", again: "0: dropped", other: "1: is live", away: waits, hung: waits, killed: "0: dropped",
		prepare: func(d *deeds) ([]string, []string) {
			kept := d.kept()
			return []string{"projections", "drop", kept}, []string{"projections", "drop", d.live()}
		},
		cut: func(d *deeds, args []string) {
			if err := d.a.DB.MoveBuild(d.t.Context(), args[2], builds.Dropped); err != nil {
				d.t.Fatal(err)
			}
		},
	},
	"analyst add": {
		once: "TestAnalystsHaveAccountsOfTheirOwn", again: "TestAnalystsHaveAccountsOfTheirOwn", other: noArgument, away: atTheGate, hung: atTheGate, killed: noEvent,
	},
	"analyst rotate": {
		once: "TestAnalystsHaveAccountsOfTheirOwn", again: ofItsOwn, other: noArgument, away: atTheGate, hung: atTheGate, killed: noEvent,
	},
	"analyst revoke": {
		once: "TestAnalystsHaveAccountsOfTheirOwn", again: "TestAnalystsHaveAccountsOfTheirOwn", other: noArgument, away: atTheGate, hung: atTheGate, killed: noEvent,
	},
	"update apply": {
		once: "TestAnUpdateThatDoesNotServeIsTakenBack", again: "TestAReleaseIsRefusedUnlessItIsSignedAndNewer", other: "TestAReleaseIsRefusedUnlessItIsSignedAndNewer",
		away: "- its backup needs the log, and nothing is changed before that", hung: "- its backup needs the log, and nothing is changed before that",
		killed: "- the link changes in one step, and names a whole release before and after it",
	},
	"cluster refill": {
		once: "TestAClusterCountsOnWithoutANode", again: "TestAClusterCountsOnWithoutANode", other: "TestALostShardIsRebuilt", away: "- the node is named", hung: "- it waits for the node, or is interrupted",
		killed: "- what it has not removed it removes when it is run again",
	},
	"tables reset": {
		once: "TestClickHouseIsDamagedUnderTraffic", again: ofItsOwn, other: noArgument, killed: noEvent,
		away: "- it begins the embedded ClickHouse anew, which is then away anyhow", hung: "TestClickHouseIsDamagedUnderTraffic",
	},
	"backup": {
		once: "0: events are in", again: "1: choose another name", other: "0: events are in", killed: "TestABackupThatWasKilledHasNoName",
		prepare: func(d *deeds) ([]string, []string) {
			first := []string{"backup", d.name("copy-")}
			return first, append(slices.Clone(first), "--to", filepath.Join(d.Dir, d.name("elsewhere")))
		},
	},
	"keys rotate": {
		once: "0 KeysRotated: is destroyed", again: "0 KeysRotated: is destroyed", other: noArgument, killed: "0 KeysRotated KeysRotated: is destroyed",
		prepare: func(*deeds) ([]string, []string) { return []string{"keys", "rotate"}, nil },
		cut: func(d *deeds, _ []string) { // before it is recorded: TestARotationThatIsCutOffAnywhereIsFinished has the other moments
			if _, err := d.a.DB.Log().Rotate(d.t.Context(), nil); err != nil {
				d.t.Fatal(err)
			}
		},
	},
	"keys bundle": {
		once: "0: keys are in", again: "0: keys are in", other: noArgument, killed: noEvent,
		prepare: func(*deeds) ([]string, []string) { return []string{"keys", "bundle"}, nil },
	},
	"keys seal":   {once: "TestKeysAreSealedByCommand", again: "TestKeysAreSealedByCommand", other: noArgument, killed: "TestSealingThatIsCutOffAnywhereIsRepaired"},
	"keys unseal": {once: "TestKeysAreSealedByCommand", again: "TestKeysAreSealedByCommand", other: noArgument, killed: "TestSealingThatIsCutOffAnywhereIsRepaired"},
	"keys restore": {
		once: "TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday", again: "TestAPostgresOfAnOlderDayIsGivenTheKeysOfToday", other: "TestARestoreRefusesKeysThatDoNotFit",
		away: "- its last step is log adopt-epoch, which see", hung: "- its last step is log adopt-epoch, which see", killed: "TestADatabaseAsItWasDuringARotationIsRecovered",
	},
	"privacy restrict": {
		once: "0 SubjectRestricted: is kept and not used", again: "0: is kept and not used", other: "0 SubjectRestricted: may be used again",
		away: "0 SubjectRestricted: pending: tables", hung: "0 SubjectRestricted: pending: tables", killed: "0 SubjectRestricted: is kept and not used",
		prepare: func(d *deeds) ([]string, []string) {
			first := []string{"privacy", "restrict", d.person()}
			return first, append(slices.Clone(first), "--lift")
		},
	},
	"privacy erase": {
		once: "0 SubjectErased: erased: filled-", again: "0: erased: filled-", other: "0: erased: filled-",
		away: "0 SubjectErased: pending: tables", hung: "0 SubjectErased: pending: tables", killed: "0 SubjectErased: erased: filled-",
		prepare: func(d *deeds) ([]string, []string) {
			first := []string{"privacy", "erase", d.person(), "--yes"}
			return first, append(slices.Clone(first), "--reason", "retention")
		},
	},
}

func isTried(cell string) bool { return cell != "" && '0' <= cell[0] && cell[0] <= '9' }

// TestACommandThatIsDoneSaysSo calls every writing command in every state: again, since nobody saw its end;
// with other arguments; while one database is away or hangs; and killed with the answer to its append. What
// the log contains is reported as a success with what is pending, and a repetition doubles nothing.
func TestACommandThatIsDoneSaysSo(t *testing.T) {
	enginestest.Long(t)
	if rows := slices.Sorted(maps.Keys(deedsOf)); !slices.Equal(rows, slices.Sorted(slices.Values(writing))) {
		t.Fatalf("the table has %v, and these commands write: %v", rows, writing)
	}
	mustBeCovered(t)
	d := &deeds{Program: programtest.NewProgram(t), t: t}
	d.Start()
	d.MustRun("demo", "--scale", "0.01")
	d.a = d.App()
	d.Here()
	t.Setenv("BITACORA_KEYS_DIR", d.a.Config.Keys().Dir)
	defer func(patience time.Duration) { app.TablesPatience = patience }(app.TablesPatience)
	app.TablesPatience = time.Second
	for _, name := range writing {
		r := deedsOf[name]
		if r.prepare == nil {
			continue
		}
		d.try(t, name, func() {
			d.repeated(r)
			d.withoutClickHouse(r)
			if isTried(r.killed) {
				d.afterAKill(name, r)
			}
		})
	}
	d.try(t, "without Postgres", d.withoutPostgres)
}

var testNames = regexp.MustCompile(`Test\w+`)

// mustBeCovered holds every cell to a form, and every test that one names to the source.
func mustBeCovered(t *testing.T) {
	there := everyTest(t, root)
	for name, r := range deedsOf {
		cells := []string{r.once, r.again, r.other, r.killed}
		if c := commandNamed(t, name); c.Annotations[command.Needs] != command.NeedsLog || name == "migrate" {
			cells = append(cells, r.away, r.hung)
		} else if r.away+r.hung != "" {
			t.Errorf("%s works on the log alone: TestCommandsOfTheLogNeedNoClickHouse", name)
		}
		for _, cell := range cells {
			named := testNames.FindAllString(cell, -1)
			if !isTried(cell) && !strings.HasPrefix(cell, "- ") && len(named) == 0 {
				t.Errorf("%s: a cell says %q", name, cell)
			}
			for _, test := range named {
				if !there[test] {
					t.Errorf("%s: there is no test %s", name, test)
				}
			}
		}
	}
}

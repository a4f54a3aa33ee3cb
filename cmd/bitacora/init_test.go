package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/envfile"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
)

// begins calls init in an empty directory, with what a script would answer.
func begins(t *testing.T, answers string, args ...string) (string, error) {
	t.Helper()
	t.Setenv(settings.ConfigVariable, "")
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(append([]string{"init"}, args...))
	root.SetIn(strings.NewReader(answers))
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func setBy(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, mistakes, err := envfile.Parse(f)
	if err != nil || len(mistakes) > 0 {
		t.Fatal(err, mistakes)
	}
	values := map[string]string{}
	for _, s := range list {
		values[s.Name] = s.Value
	}
	return values
}

func entries(t *testing.T) (names []string) {
	t.Helper()
	list, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// everyAnswer are those of a clinic of which nothing is made up, in the order of the questions.
var everyAnswer = []string{
	"Odontología del Pacífico", "Tu sonrisa en Quito", `Av. Amazonas N34-451, "La Torre"`, "Quito", "America/Guayaquil", "EC", "Ley Orgánica de 2021", "911", "+593 2 433-7110", "citas@pacifico.test",
	"09:00-13:00, 14:00-18:00", "-", "", "ortodoncista, dos endodoncistas", "https://citas.pacifico.test/", "https://video.pacifico.test/", "https://mapa.pacifico.test/",
	"", "https://pacifico.test", "800", "leads=36mo", "/mnt/elsewhere", "daily=5,monthly=12", "10.0.0.0/8", "ana@pacifico.test", `smtp://ana:p'a$s%23@mail.pacifico.test`, "openai", "gpt-x", "", "sk-$ecret", "",
}

func TestInitWritesWhatWasAnswered(t *testing.T) {
	t.Chdir(t.TempDir())
	out, err := begins(t, strings.Join(everyAnswer, "\n")+"\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if d := cmp.Diff([]string{"bitacora.env", "clinic.json"}, entries(t)); d != "" {
		t.Error(d)
	}
	if about, err := os.Stat("bitacora.env"); err != nil || about.Mode() != 0o600 {
		t.Errorf("%v, %v", about.Mode(), err)
	}
	c, err := settings.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := app.ReadFacts(c.ClinicFile)
	if err != nil {
		t.Fatal(err)
	}
	if made := app.MadeUp(facts); len(made) > 0 || strings.Contains(out, "made up in") {
		t.Errorf("made up: %v\n%s", made, out)
	}
	if facts.Zone.String() != "America/Guayaquil" || facts.Country != "EC" || facts.PrivacyLaw != everyAnswer[6] || facts.Address.String() != everyAnswer[2] || len(facts.Hours[1]) != 2 || len(facts.Hours[6]) != 0 || len(facts.Team) != 2 {
		t.Errorf("facts: %+v", facts)
	}
	values := setBy(t, "bitacora.env")
	for name, want := range map[string]string{"BITACORA_SITE_URL": "https://pacifico.test", "BITACORA_MONTHLY_LIMIT": "800", "BITACORA_RETENTION": "leads=36mo",
		"BITACORA_BACKUP_DIR": "/mnt/elsewhere", "BITACORA_BACKUP_KEEP": "daily=5,monthly=12", "BITACORA_TRUSTED_PROXIES": "10.0.0.0/8", "BITACORA_SMTP_URL": everyAnswer[25], "BITACORA_ASSISTANT": "openai", "BITACORA_ASSISTANT_MODEL": "gpt-x", "BITACORA_ASSISTANT_KEY": "sk-$ecret"} {
		if values[name] != want {
			t.Errorf("%s is %q, not %q", name, values[name], want)
		}
	}
	if len(values["BITACORA_MASTER_KEY"]) != 64 || len(values["BITACORA_WEBHOOK_SECRET"]) < settings.MinWebhookSecret || len(values["BITACORA_ANALYST_PASSWORD"]) < 20 {
		t.Errorf("secrets: %v", values)
	}
	if strings.Contains(out, values["BITACORA_MASTER_KEY"]) || strings.Contains(out, "sk-$ecret") {
		t.Errorf("a secret is told:\n%s", out)
	}
	if !strings.Contains(out, "staff add EMAIL --role owner") || !strings.Contains(out, " serve ") {
		t.Errorf("what comes next is not told:\n%s", out)
	}
}

// TestTheWrittenFileHasEverySetting: whoever takes the mark from a line has set the default.
func TestTheWrittenFileHasEverySetting(t *testing.T) {
	t.Chdir(t.TempDir())
	if out, err := begins(t, "", "--yes"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile("bitacora.env")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("all.env", []byte(strings.ReplaceAll(string(text), "\n#BITACORA_", "\nBITACORA_")), 0o600); err != nil {
		t.Fatal(err)
	}
	values := setBy(t, "all.env")
	for _, s := range settings.All() {
		value, there := values[s.Name]
		if delete(values, s.Name); !there {
			t.Errorf("%s is missing", s.Name)
		}
		if _, answered := setBy(t, "bitacora.env")[s.Name]; !answered && value != s.Standard {
			t.Errorf("%s is %q, not its default", s.Name, value)
		}
		if !strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(string(text), "\n# ", " ")), " "), s.Help) {
			t.Errorf("%s has no help", s.Name)
		}
	}
	if len(values) > 0 {
		t.Errorf("more than the settings: %v", slices.Collect(maps.Keys(values)))
	}
	if _, err := settings.Load([]string{settings.ConfigVariable + "=all.env"}); err != nil {
		t.Error(err)
	}
}

// TestInitRefusesAnAnswerAtOnce: each is the last answer of a script, and nothing is written.
func TestInitRefusesAnAnswerAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	for answers, says := range map[string]string{
		"X\n\n\n\nPanama\n":                  `zone: "Panama" is not a zone`,
		"X\n\n\n\n\nabc\n":                   `phones: "abc" is not like`,
		"X\n\n\n\n\n\nana\n":                 `email: "ana" is not an e-mail address`,
		"X\n\n\n\n\n\n\n9-5\n":               "hours.weekdays: \"9-5\" is not like",
		"X":                                  "the input ended before the questions did",
		strings.Repeat("\n", 14) + "istmo\n": "BITACORA_DOMAIN: ",
		// With a name of its own, the site's address is not asked for.
		strings.Repeat("\n", 14) + "a.test\n-1\n": "BITACORA_MONTHLY_LIMIT: -1 is below 0",
		strings.Repeat("\n", 15) + "istmo\n":      "BITACORA_SITE_URL: ",
		strings.Repeat("\n", 16) + "-1\n":         "BITACORA_MONTHLY_LIMIT: -1 is below 0",
		strings.Repeat("\n", 17) + "visits=1d\n":  "BITACORA_RETENTION: ",
		strings.Repeat("\n", 18) + "/b\nhourly\n": "BITACORA_BACKUP_KEEP",
		strings.Repeat("\n", 19) + "caddy\n":      "BITACORA_TRUSTED_PROXIES",
		strings.Repeat("\n", 20) + "x\nmail:25\n": "BITACORA_SMTP_URL",
		strings.Repeat("\n", 21) + "gpt\n":        "BITACORA_ASSISTANT: ",
		strings.Repeat("\n", 22) + "ana\n":        `"ana" is not an e-mail address`,
	} {
		out, err := begins(t, answers)
		if wrong := new(command.MisuseError); !errors.As(err, wrong) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("%q: %v, want %s\n%s", answers, err, says, out)
		}
		if left := entries(t); len(left) > 0 {
			t.Fatalf("%q left %v", answers, left)
		}
	}
	out, err := begins(t, "", "--yes", "--set", "phones=abc", "--set", "BITACORA_MONTLY_LIMIT=3", "--set", "name", "--set", "BITACORA_ASSISTANT_KEY=hunter2")
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, says := range []string{`phones: "abc"`, "BITACORA_MONTLY_LIMIT: is neither a setting", "--set name: is not like"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	if out, err := begins(t, "", "--yes", "--set", "BITACORA_ASSISTANT=openai"); err == nil || !strings.Contains(err.Error(), "BITACORA_ASSISTANT_MODEL: openai needs") {
		t.Errorf("what contradicts itself: %v\n%s", err, out)
	}
	if left := entries(t); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// TestTheNextCommandsNameASettingsFileElsewhere: without its name they would find another file or none.
func TestTheNextCommandsNameASettingsFileElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("sur", 0o755); err != nil {
		t.Fatal(err)
	}
	for file, named := range map[string]bool{settings.LocalConfig: false, "sur/bitacora.env": true} {
		out, err := begins(t, "", "--yes", "--config", file, "--set", "name=Sur")
		if err != nil || strings.Contains(out, " --config "+file+" serve ") != named {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
	}
}

// TestInitTellsNothingThatNobodyAnswered: a script that does not say where the clinic is has not said that
// it is where the default is.
func TestInitTellsNothingThatNobodyAnswered(t *testing.T) {
	t.Chdir(t.TempDir())
	out, err := begins(t, "", "--yes", "--set", "name=Otra", "--set", "phones=+34 911 234 567", "--set", "hours.saturday=09:00-14:00")
	if err != nil || !strings.Contains(out, "clinic.json: zone, country, emergency.") || !strings.Contains(out, "hours") {
		t.Errorf("%v\n%s", err, out)
	}
	written, err := os.ReadFile("clinic.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"zone", "monday", "sunday", "emergency", "country"} {
		if strings.Contains(string(written), `"`+field+`"`) {
			t.Errorf("%s is told:\n%s", field, written)
		}
	}
}

func TestInitChangesNothingThatIsThere(t *testing.T) {
	t.Chdir(t.TempDir())
	const facts = `{"name": "Clínica del Istmo"}`
	if err := os.WriteFile("clinic.json", []byte(facts), 0o600); err != nil {
		t.Fatal(err)
	}
	// Nothing is asked of what the file tells: the first two answers are the site's names, none, and its address.
	if out, err := begins(t, "\nhttps://istmo.test"+strings.Repeat("\n", 8)); err != nil || !strings.Contains(out, "clinic.json is there, and is kept") {
		t.Fatalf("%v\n%s", err, out)
	}
	before, err := os.ReadFile("bitacora.env")
	if err != nil || !strings.Contains(string(before), "BITACORA_SITE_URL=https://istmo.test") {
		t.Fatalf("%v\n%s", err, before)
	}
	out, err := begins(t, "", "--yes", "--set", "name=Otra")
	if err == nil || !strings.Contains(err.Error(), "bitacora.env is there already: nothing was changed") || !strings.Contains(out, "clinic.json") || !strings.Contains(out, "serve begins it") {
		t.Errorf("%v\n%s", err, out)
	}
	after, err := os.ReadFile("bitacora.env")
	kept, err2 := os.ReadFile("clinic.json")
	if err := errors.Join(err, err2); err != nil || string(before) != string(after) || string(kept) != facts {
		t.Errorf("changed: %v\n%s\n%s", err, after, kept)
	}
	if err := os.WriteFile("clinic.json", []byte(`{"nam": "x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("bitacora.env"); err != nil {
		t.Fatal(err)
	}
	if out, err := begins(t, "", "--yes"); err == nil || !strings.Contains(err.Error(), `nam: `) || len(entries(t)) != 1 {
		t.Errorf("a clinic's file with a mistake: %v\n%s", err, out)
	}
}

// TestInitMakesTheOwnersAccount begins a data directory with the real engines.
func TestInitMakesTheOwnersAccount(t *testing.T) {
	p := programtest.NewEmbedded(t)
	file := filepath.Join(p.Dir, "bitacora.env")
	p.Environ = append(p.Environ, settings.ConfigVariable+"="+file)
	out, err := p.Run("una frase bastante larga\n", "init", "--yes", "--set", "owner=ana@istmo.test", "--password-stdin", "--set", "BITACORA_DATA_DIR="+filepath.Join(p.Dir, "data"))
	if err != nil || !strings.Contains(out, "ana@istmo.test may sign in now, as owner.") {
		t.Fatalf("%v\n%s", err, out)
	}
	if out := p.MustRun("staff", "list"); !strings.Contains(out, "ana@istmo.test") || !strings.Contains(out, "owner") {
		t.Error(out)
	}
	p.Start()
	if err := p.Post("/api/auth/login", map[string]string{"username": "ana@istmo.test", "password": "una frase bastante larga"}, nil); err != nil {
		t.Error(err)
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bitacora/cmd/bitacora/settings"
)

// configOf writes a configuration file and gives the environment that names it.
func configOf(t *testing.T, text string) (file string, environ []string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "bitacora.env")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, []string{settings.ConfigVariable + "=" + file}
}

func TestTheEnvironmentWinsOverTheFile(t *testing.T) {
	_, environ := configOf(t, "BITACORA_MONTHLY_LIMIT=500\nBITACORA_SITE_URL='https://clinica.example'\nBITACORA_MAIL_TO=a@clinica.example,b@clinica.example\n")
	c, err := settings.Load(append(environ, "BITACORA_MONTHLY_LIMIT=9"))
	if err != nil || *c.MonthlyLimit != 9 || c.SiteURL != "https://clinica.example" || len(c.MailTo) != 2 || c.Addr != "127.0.0.1:8080" {
		t.Fatalf("%+v, %v", c, err)
	}
	if c, err := settings.Load(append(environ, "BITACORA_MONTHLY_LIMIT=")); err != nil || c.MonthlyLimit != nil {
		t.Errorf("set to nothing: %v, %v", c.MonthlyLimit, err)
	}
}

func TestTheConfigurationFileIsFound(t *testing.T) {
	file, environ := configOf(t, "BITACORA_MONTHLY_LIMIT=500\n")
	limited := func(environ ...string) bool {
		t.Helper()
		c, err := settings.Load(environ)
		if err != nil {
			t.Fatal(err)
		}
		return c.MonthlyLimit != nil
	}
	if !limited(environ...) {
		t.Error("BITACORA_CONFIG is not read")
	}
	if limited() {
		t.Error("there is a file already")
	}
	t.Chdir(filepath.Dir(file))
	if !limited() {
		t.Error("bitacora.env of the working directory is not read")
	}
	if limited(settings.ConfigVariable + "=" + settings.NoConfig) {
		t.Error("off is not off")
	}
	t.Chdir("/")
	t.Setenv(settings.ConfigVariable, "") // the flag sets it
	if out, err := runs(t, "clinic", "check", "--config", file+".lost"); err == nil || !strings.Contains(err.Error(), file+".lost: no such file") {
		t.Errorf("a file that is not there: %v\n%s", err, out)
	}
}

// TestWrongSettingsAreRefused: each with what the file has in its second line.
func TestWrongSettingsAreRefused(t *testing.T) {
	for line, says := range map[string]string{
		"BITACORA_MONTLY_LIMIT=3":                       "HERE:2: BITACORA_MONTLY_LIMIT: is no setting, did you mean BITACORA_MONTHLY_LIMIT?",
		"MONTHLY_LIMIT=3":                               "HERE:2: MONTHLY_LIMIT: is no setting, did you mean BITACORA_MONTHLY_LIMIT?",
		"POSTGRES_PASSWORD=hunter2":                     "HERE:2: POSTGRES_PASSWORD: is no setting (bitacora serve --help lists them)",
		"BITACORA_CLINIC=clinic.json":                   "did you mean BITACORA_CLINIC_FILE?",
		"BITACORA_ADDR_FILE=/run/addr":                  "BITACORA_ADDR is no secret",
		"BITACORA_ADDR=127.0.0.1:1":                     "HERE:2: BITACORA_ADDR: is set twice, first in HERE:1",
		"BITACORA_CONFIG=other.env":                     "belongs into the environment",
		"BITACORA_MONTHLY_LIMIT=many":                   "HERE:2: BITACORA_MONTHLY_LIMIT: ",
		"BITACORA_MONTHLY_LIMIT=-1":                     "HERE:2: BITACORA_MONTHLY_LIMIT: -1 is below 0",
		"BITACORA_SITE_URL='clinica'":                   `HERE:2: BITACORA_SITE_URL: "clinica" is not an address`,
		"BITACORA_DOMAIN=https://clinica.test":          `HERE:2: BITACORA_DOMAIN: "https://clinica.test" is not a name like`,
		"BITACORA_DOMAIN=192.0.2.7":                     `HERE:2: BITACORA_DOMAIN: "192.0.2.7" is not a name like`,
		"BITACORA_HTTPS_ADDR=443":                       `HERE:2: BITACORA_HTTPS_ADDR: "443" is not an address like`,
		"BITACORA_ACME_DIRECTORY=http://ca.test/acme":   "HERE:2: BITACORA_ACME_DIRECTORY",
		"BITACORA_MONTHLY_LIMIT=3 # per month":          "HERE:2: BITACORA_MONTHLY_LIMIT: put 'single quotes'",
		"BITACORA_MASTER_KEY=hunter2":                   "HERE:2: BITACORA_MASTER_KEY: read master key: want 32 bytes",
		"BITACORA_MASTER_KEY_FILE=/nowhere/key":         "HERE:2: BITACORA_MASTER_KEY_FILE: read the secret: open /nowhere/key: no such file",
		"hunter2":                                       "HERE:2: is no NAME=value",
		"BITACORA_DATABASE_URL=hunter2":                 "HERE:2: BITACORA_DATABASE_URL: not a URL",
		"BITACORA_DATABASE_URL=postgres://u:p@h/b":      "BITACORA_KEYS_DIR or BITACORA_MASTER_KEY: needed",
		"BITACORA_SMTP_URL=smtp://ana:hunter2@mail:587": "HERE:2: BITACORA_SMTP_URL",
	} {
		file, environ := configOf(t, "BITACORA_ADDR=127.0.0.1:8080\n"+line+"\n")
		_, err := settings.Load(environ)
		says = strings.ReplaceAll(says, "HERE", file)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v\nwant %s", line, err, says)
		}
	}
	if _, err := settings.Load([]string{"BITACORA_MONTLY_LIMIT=3"}); err == nil || err.Error() != "BITACORA_MONTLY_LIMIT: is no setting, did you mean BITACORA_MONTHLY_LIMIT?" {
		t.Errorf("the environment: %v", err)
	}
}

// TestADomainIsTheSitesAddress: links, letters and what is refused of a public site follow it.
func TestADomainIsTheSitesAddress(t *testing.T) {
	const domain = "BITACORA_DOMAIN=clinica.test,www.clinica.test"
	c, err := settings.Load([]string{domain})
	if err != nil || c.SiteURL != "https://clinica.test" || !c.Public() || c.OnLoopback() {
		t.Errorf("%q, public %v, on loopback %v: %v", c.SiteURL, c.Public(), c.OnLoopback(), err)
	}
	if c, err := settings.Load([]string{domain, "BITACORA_SITE_URL=https://www.clinica.test"}); err != nil || c.SiteURL != "https://www.clinica.test" {
		t.Errorf("%q, %v", c.SiteURL, err)
	}
	for _, beside := range []string{"BITACORA_SITE_URL=http://clinica.test", "BITACORA_SITE_URL=https://otra.test", "BITACORA_DEMO=on", "BITACORA_THROTTLE=off"} {
		if _, err := settings.Load([]string{domain, beside}); err == nil {
			t.Errorf("%s is taken beside a domain", beside)
		}
	}
}

// TestNamesOfOthersMayBeThere: the environment is not the program's alone.
func TestNamesOfOthersMayBeThere(t *testing.T) {
	environ := []string{"HOME=/root", "BITACORA_SERVICE_HOST=10.0.0.1", "BITACORA_SERVICE_PORT=80", "BITACORA_SERVICE_PORT_HTTP=80", "BITACORA_PORT=tcp://10.0.0.1:80",
		"BITACORA_PORT_80_TCP=tcp://10.0.0.1:80", "BITACORA_PORT_80_TCP_PROTO=tcp", "BITACORA_PORT_80_TCP_PORT=80", "BITACORA_PORT_80_TCP_ADDR=10.0.0.1",
		"BITACORA_METRICS_SERVICE_HOST=10.0.0.2", "BITACORA_METRICS_PORT_9464_TCP_ADDR=10.0.0.2"}
	for _, name := range settings.OfTheTasks {
		environ = append(environ, name+"=1")
	}
	if _, err := settings.Load(environ); err != nil {
		t.Error(err)
	}
	for _, s := range settings.All() {
		if settings.OfKubernetes.MatchString(s.Name) || settings.OfKubernetes.MatchString(s.Name+settings.FromFile) {
			t.Errorf("%s is taken for a variable of Kubernetes", s.Name)
		}
	}
}

// rightSecret is a value that the program accepts.
func rightSecret(name string) string {
	switch {
	case strings.Contains(name, "MASTER_KEY"):
		return strings.Repeat("ab", 32)
	case strings.HasSuffix(name, "_URL"):
		return "smtp://ana:p%23ss%27word@mail.example:587"
	}
	return `it's a "long" $ecret, with # and \ and ñ`
}

var looksSecret = regexp.MustCompile(`_KEY |_KEY_BEFORE |PASSWORD|SECRET |user:password`)

// TestEverySecretMayLieInAFileOfItsOwn is over all of them, from the environment and from the file.
func TestEverySecretMayLieInAFileOfItsOwn(t *testing.T) {
	secrets := 0
	for _, s := range settings.All() {
		if looksSecret.MatchString(s.Name+" "+s.Help) && !s.Secret {
			t.Errorf("%s looks like a secret and is none", s.Name)
		}
		if !s.Secret {
			continue
		}
		secrets++
		t.Run(s.Name, func(t *testing.T) {
			value := rightSecret(s.Name)
			file := filepath.Join(t.TempDir(), "secret")
			// As Docker mounts it.
			if err := os.WriteFile(file, []byte(value+"\n"), 0o444); err != nil {
				t.Fatal(err)
			}
			setting := s.Name + settings.FromFile + "=" + file
			_, fileEnviron := configOf(t, setting+"\n")
			_, otherEnviron := configOf(t, s.Name+settings.FromFile+"=/nowhere\n")
			for _, environ := range [][]string{{setting}, fileEnviron, {setting, s.Name + "="}, append(otherEnviron, setting)} {
				set, mistakes := settings.Read(environ)
				if len(mistakes) > 0 || set.Values[s.Name] != value {
					t.Errorf("%v: %q, %v", environ, set.Values[s.Name], mistakes)
				}
			}
			if _, mistakes := settings.Read([]string{setting, s.Name + "=" + value}); len(mistakes) != 1 || !strings.Contains(mistakes[0].Error(), "is set, too") {
				t.Errorf("told twice: %v", mistakes)
			}
			for content, says := range map[string]string{"": "is empty", "hunter2\nhunter2": "more than one line"} {
				if err := os.WriteFile(file+says[:2], []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				if _, mistakes := settings.Read([]string{setting + says[:2]}); len(mistakes) != 1 || !strings.Contains(fmt.Sprint(mistakes), says) || strings.Contains(fmt.Sprint(mistakes), "hunter2") {
					t.Errorf("%q: %v", content, mistakes)
				}
			}
			if !strings.Contains(settings.SecretNames(), strings.TrimPrefix(s.Name, "BITACORA_")) {
				t.Error("the help does not tell")
			}
		})
	}
	if secrets < 9 {
		t.Errorf("%d secrets", secrets)
	}
}

// TestNoMistakeTellsASecret gives every secret values that cannot be right.
func TestNoMistakeTellsASecret(t *testing.T) {
	for _, s := range settings.All() {
		if !s.Secret {
			continue
		}
		for _, bad := range []string{"hunter2", "smtp://hunter2", "x://ana:hunter2@:bad", "ftp://ana:hunter2@host", "http://ana:hunter2@host:port/x", "%zzhunter2"} {
			_, err := settings.Load([]string{s.Name + "=" + bad, "BITACORA_ASSISTANT=openai"})
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: %v", s.Name, err)
			}
			_, environ := configOf(t, s.Name+"="+bad+" $\n"+s.Name+"S='"+bad+"'\n")
			if _, err := settings.Load(environ); err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s in the file: %v", s.Name, err)
			}
		}
	}
}

func TestAFileWithSecretsIsNotForEverybody(t *testing.T) {
	for _, tt := range []struct {
		text    string
		mode    os.FileMode
		refused bool
	}{
		{"BITACORA_MASTER_KEY=" + strings.Repeat("ab", 32), 0o644, true},
		{"BITACORA_MASTER_KEY=" + strings.Repeat("ab", 32), 0o602, true},
		{"BITACORA_MASTER_KEY=" + strings.Repeat("ab", 32), 0o640, false},
		{"BITACORA_MASTER_KEY=" + strings.Repeat("ab", 32), 0o600, false},
		{"BITACORA_MASTER_KEY=", 0o644, false},
		{"BITACORA_ADDR=127.0.0.1:8080", 0o644, false},
	} {
		file, environ := configOf(t, tt.text+"\n")
		if err := os.Chmod(file, tt.mode); err != nil {
			t.Fatal(err)
		}
		_, err := settings.Load(environ)
		if (err != nil) != tt.refused || tt.refused && !strings.Contains(err.Error(), "chmod o= "+file) {
			t.Errorf("%.20s, %o: %v", tt.text, tt.mode, err)
		}
	}
}

// TestEverySettingHasANameAndHelp: names are told in help, files and documents.
func TestEverySettingHasANameAndHelp(t *testing.T) {
	if n := len(settings.All()); n != reflect.TypeFor[settings.Config]().NumField() {
		t.Errorf("%d settings", n)
	}
	for _, s := range settings.All() {
		if !strings.HasPrefix(s.Name, "BITACORA_") || s.Help == "" {
			t.Errorf("%+v", s)
		}
	}
}

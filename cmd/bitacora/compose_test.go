package main

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const composeFile = "../../docker-compose.yml"

// compose is the part of the Compose specification that the file uses; anything else in
// it is a mistake.
type compose struct {
	Name     string
	Services map[string]service
	Networks map[string]struct{ Internal bool }
	Volumes  map[string]any
	Secrets  map[string]struct{ File string }
}

type service struct {
	Image       string
	User        string
	Restart     string
	ReadOnly    bool               `yaml:"read_only"`
	Environment map[string]*string // without a value: as the shell has it
	Secrets     []string
	Networks    []string
	Volumes     []string
	Ports       []string
	Tmpfs       []string
	Ulimits     map[string]int
	ShmSize     string   `yaml:"shm_size"`
	Memory      string   `yaml:"mem_limit"`
	CPUs        float64  `yaml:"cpus"`
	Processes   int      `yaml:"pids_limit"`
	CapDrop     []string `yaml:"cap_drop"`
	CapAdd      []string `yaml:"cap_add"`
	Security    []string `yaml:"security_opt"`
	Grace       string   `yaml:"stop_grace_period"`
	Build       *struct {
		Context    string
		Labels     map[string]string
		Dockerfile string `yaml:"dockerfile_inline"`
	}
	Healthcheck *struct {
		Test              []string
		Interval, Timeout string
		StartPeriod       string `yaml:"start_period"`
		Retries           int
	}
	DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
}

func readCompose(t *testing.T) compose {
	t.Helper()
	f, err := os.Open(composeFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	var c compose
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestComposeSetsOnlyWhatTheProgramReads loads the settings as the container has them, with a file
// for each secret.
func TestComposeSetsOnlyWhatTheProgramReads(t *testing.T) {
	c := readCompose(t)
	folder := t.TempDir()
	var environ []string
	for name, value := range c.Services["bitacora"].Environment {
		if value == nil {
			value = new(string)
		}
		if secret, ok := mountedSecret(*value); ok {
			file := filepath.Join(folder, secret)
			text := anyPassword
			if strings.HasPrefix(secret, "master_key") {
				text = strings.Repeat("ab", 32)
			} else if strings.HasSuffix(secret, "_url") {
				text = "smtp://host:587"
			}
			if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			*value = file
		}
		if *value != "" {
			environ = append(environ, name+"="+*value)
		}
	}
	settings, err := loadConfig(append(environ, "BITACORA_MAIL_TO=ana@clinica.example", "BITACORA_ASSISTANT=anthropic", "BITACORA_ASSISTANT_MODEL=one"))
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{settings.DatabaseURL, settings.ClickHouseURL} {
		at, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Services[at.Hostname()]; !ok {
			t.Errorf("%s names no service of the file", raw)
		}
		if c.Services["bitacora"].DependsOn[at.Hostname()].Condition != "service_healthy" {
			t.Errorf("the program does not wait for %s", at.Hostname())
		}
	}
}

// mountedSecret is the name of the secret whose file a variable names, always or where it is set.
func mountedSecret(value string) (name string, is bool) {
	found := regexp.MustCompile(`^(?:\$\{\w+:\+)?/run/secrets/(\w+)\}?$`).FindStringSubmatch(value)
	if found == nil {
		return "", false
	}
	return found[1], true
}

// notForCompose are settings that no installation with containers needs, and why.
var notForCompose = map[string]string{
	"BITACORA_CLICKHOUSE_ADDR":    "the image holds no engine",
	"BITACORA_UNCONFINED_ANALYST": "the image holds no engine",
	"BITACORA_DEMO":               "only on a loopback address",
	"BITACORA_THROTTLE":           "off only on a loopback address",
}

// withoutPassword are settings with a password that stand in the file, their password apart.
var withoutPassword = []string{"BITACORA_DATABASE_URL", "BITACORA_CLICKHOUSE_URL"}

// TestComposePassesEverySetting: secrets as files, which a variable of the same name can place
// elsewhere, everything else as it is.
func TestComposePassesEverySetting(t *testing.T) {
	c := readCompose(t)
	passed := c.Services["bitacora"].Environment
	for _, s := range settings() {
		name := s.name
		if s.secret && !slices.Contains(withoutPassword, name) {
			name += fromFile
		}
		value, there := passed[name]
		if _, excepted := notForCompose[s.name]; there == excepted {
			t.Errorf("%s: passed %v, excepted %v", name, there, excepted)
		}
		if name == s.name {
			continue
		}
		if _, open := passed[s.name]; open || value == nil {
			t.Errorf("%s: a secret is no file", s.name)
			continue
		}
		secret, is := mountedSecret(*value)
		file, optional := c.Secrets[secret].File, strings.HasPrefix(*value, "${"+name+":+")
		want := "${" + name + ":-./secrets/" + secret + "}"
		if optional {
			want = "${" + name + ":-/dev/null}"
		}
		if !is || file != want || !slices.Contains(c.Services["bitacora"].Secrets, secret) {
			t.Errorf("%s: is %q, mounted from %q, want %q", name, *value, file, want)
		}
	}
}

// TestComposeConfinesEveryService: npm run compose asks Docker whether it does so.
func TestComposeConfinesEveryService(t *testing.T) {
	c := readCompose(t)
	for name, s := range c.Services {
		program := name == "bitacora"
		for what, holds := range map[string]bool{
			"health check":   s.Healthcheck != nil && s.Healthcheck.Retries > 0,
			"capabilities":   slices.Equal(s.CapDrop, []string{"ALL"}) && (len(s.CapAdd) == 0) == program,
			"new privileges": slices.Contains(s.Security, "no-new-privileges:true"),
			"root":           s.ReadOnly || name == "clickhouse",
			"limits":         s.Memory != "" && s.CPUs > 0 && s.Processes > 0,
			"restart":        s.Restart == "unless-stopped",
			"network":        slices.Contains(s.Networks, "databases") && slices.Contains(s.Networks, "site") == program,
			"secrets":        len(s.Secrets) > 0,
		} {
			if !holds {
				t.Errorf("%s: %s", name, what)
			}
		}
		for _, secret := range s.Secrets {
			if _, ok := c.Secrets[secret]; !ok {
				t.Errorf("%s: secret %s is not declared", name, secret)
			}
		}
	}
	if !c.Networks["databases"].Internal {
		t.Error("the databases' network leads outside")
	}
}

func TestComposePublishesTheSiteAlone(t *testing.T) {
	c := readCompose(t)
	for name, s := range c.Services {
		for _, port := range s.Ports {
			if name != "bitacora" || !strings.HasSuffix(port, ":8080") {
				t.Errorf("%s publishes %s", name, port)
			}
		}
	}
}

func TestComposeBuildsTheProgramFromTheCheckout(t *testing.T) {
	build := readCompose(t).Services["bitacora"].Build
	if build == nil {
		t.Fatal("the program's image is not built here")
	}
	copied := regexp.MustCompile(`(?m)^COPY (?:--\S+ )*(.+) \S+$`)
	for _, line := range copied.FindAllStringSubmatch(build.Dockerfile, -1) {
		for _, path := range strings.Fields(line[1]) {
			if strings.HasPrefix(path, "/") {
				continue
			}
			if _, err := os.Stat("../../" + path); err != nil {
				t.Errorf("the image copies what is not there: %v", err)
			}
		}
	}
	for _, v := range readCompose(t).Services["bitacora"].Volumes {
		volume, at, _ := strings.Cut(v, ":")
		if !strings.HasPrefix(volume, "./") && !strings.Contains(build.Dockerfile, "/owned"+at) {
			t.Errorf("%s belongs to root", at)
		}
	}
	if !strings.Contains(build.Dockerfile, ":nonroot") || readCompose(t).Services["bitacora"].User != "nonroot" {
		t.Error("the program's container runs as root")
	}
	for _, part := range []string{"embedded-postgres", "chdb", "chserver"} {
		if strings.Contains(build.Dockerfile, part) {
			t.Errorf("the image holds an embedded engine: %s", part)
		}
	}
}

func TestComposeVolumesAreDeclared(t *testing.T) {
	c := readCompose(t)
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			if strings.HasPrefix(volume, "./") {
				continue // a folder beside the file
			}
			if _, ok := c.Volumes[volume]; !ok {
				t.Errorf("%s: volume %s is not declared", name, volume)
			}
		}
	}
}

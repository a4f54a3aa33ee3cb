package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"bitacora/cmd/bitacora/settings"
)

const composeFile = "../../docker-compose.yml"

// compose is the part of the Compose specification that the file uses; anything else in
// it is a mistake.
type compose struct {
	Name     string
	Logging  logging `yaml:"x-logging"`
	Services map[string]service
	Networks map[string]struct{ Internal bool }
	Volumes  map[string]any
	Secrets  map[string]struct{ File string }
}

type service struct {
	Image       string
	Profiles    []string
	Hostname    string
	Entrypoint  []string
	Command     []string
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
	Logging     logging
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
	DependsOn map[string]struct {
		Condition string
		Required  *bool
	} `yaml:"depends_on"`
}

// logging is where a container's output goes.
type logging struct {
	Driver  string
	Options map[string]string
}

// program says whether the service runs the one of this checkout.
func (s service) program() bool { return s.Build != nil }

// programs are the services that run it, in the order of their names.
func (c compose) programs() (names []string) {
	for name, s := range c.Services {
		if s.program() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
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

// TestComposeSetsOnlyWhatTheProgramReads loads the settings as each container has them, with a file
// for each secret.
func TestComposeSetsOnlyWhatTheProgramReads(t *testing.T) {
	c := readCompose(t)
	for _, name := range c.programs() {
		s := c.Services[name]
		settings, err := settings.Load(environmentOf(t, s))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		hosts := append(hostsOf(t, settings.DatabaseURL), hostsOf(t, settings.ClickHouseURL)...)
		for _, host := range hosts {
			if _, ok := c.Services[host]; !ok {
				t.Errorf("%s names %s, which is no service of the file", name, host)
			}
			if s.DependsOn[host].Condition != "service_healthy" {
				t.Errorf("%s does not wait for %s", name, host)
			}
		}
	}
}

// environmentOf is what a container of the program begins with where the shell sets nothing.
func environmentOf(t *testing.T, s service) []string {
	t.Helper()
	folder := t.TempDir()
	environ := []string{"BITACORA_MAIL_TO=ana@clinica.example", "BITACORA_ASSISTANT=anthropic", "BITACORA_ASSISTANT_MODEL=one"}
	for name, set := range s.Environment {
		if set == nil {
			continue
		}
		value := *set
		if secret, ok := mountedSecret(value); ok {
			text := anyPassword
			if strings.HasPrefix(secret, "master_key") {
				text = strings.Repeat("ab", 32)
			} else if strings.HasSuffix(secret, "_url") {
				text = "smtp://host:587"
			}
			value = filepath.Join(folder, secret)
			if err := os.WriteFile(value, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasPrefix(value, "${") {
			environ = append(environ, name+"="+value)
		}
	}
	return environ
}

// hostsOf are the hosts of a URL, without their ports.
func hostsOf(t *testing.T, raw string) (hosts []string) {
	t.Helper()
	found := regexp.MustCompile(`^\w+://(?:[^@/]*@)?([^/]+)/`).FindStringSubmatch(raw)
	if found == nil {
		t.Fatalf("%s has no host", raw)
	}
	for _, at := range strings.Split(found[1], ",") {
		host, _, _ := strings.Cut(at, ":")
		hosts = append(hosts, host)
	}
	return hosts
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
	"BITACORA_CLICKHOUSE_ADDR":      "the image holds no engine",
	"BITACORA_UNCONFINED_ANALYST":   "the image holds no engine",
	"BITACORA_DOMAIN":               "the proxy in front ends TLS: several processes may serve behind it",
	"BITACORA_HTTP_ADDR":            "with BITACORA_DOMAIN alone",
	"BITACORA_HTTPS_ADDR":           "with BITACORA_DOMAIN alone",
	"BITACORA_ACME_DIRECTORY":       "with BITACORA_DOMAIN alone",
	"BITACORA_REPLICATE":            "a server of one's own is copied by its own means",
	"BITACORA_REPLICATE_KEYS":       "as BITACORA_REPLICATE",
	"BITACORA_REPLICATE_RECIPIENTS": "as BITACORA_REPLICATE",
	"BITACORA_REPLICATE_DAYS":       "as BITACORA_REPLICATE",
	"BITACORA_DEMO":                 "only on a loopback address",
	"BITACORA_THROTTLE":             "off only on a loopback address",
}

// withoutPassword are settings with a password that stand in the file, their password apart.
var withoutPassword = []string{"BITACORA_DATABASE_URL", "BITACORA_DATABASE_REPLICA_URL", "BITACORA_CLICKHOUSE_URL"}

// TestComposePassesEverySetting: secrets as files, which a variable of the same name can place
// elsewhere, everything else as it is.
func TestComposePassesEverySetting(t *testing.T) {
	c := readCompose(t)
	for _, name := range c.programs() {
		for _, setting := range settings.All() {
			c.checkPassed(t, name, setting)
		}
	}
}

func (c compose) checkPassed(t *testing.T, program string, s settings.Setting) {
	t.Helper()
	of := c.Services[program]
	name := s.Name
	if s.Secret && !slices.Contains(withoutPassword, name) {
		name += settings.FromFile
	}
	value, there := of.Environment[name]
	if _, excepted := notForCompose[s.Name]; there == excepted {
		t.Errorf("%s: %s: passed %v, excepted %v", program, name, there, excepted)
	} else if excepted || name == s.Name {
		return
	}
	if _, open := of.Environment[s.Name]; open || value == nil {
		t.Errorf("%s: %s: a secret is no file", program, s.Name)
		return
	}
	secret, is := mountedSecret(*value)
	file, optional := c.Secrets[secret].File, strings.HasPrefix(*value, "${"+name+":+")
	want := "${" + name + ":-./secrets/" + secret + "}"
	if optional {
		want = "${" + name + ":-/dev/null}"
	}
	if !is || file != want || !slices.Contains(of.Secrets, secret) {
		t.Errorf("%s: %s: is %q, mounted from %q, want %q", program, name, *value, file, want)
	}
}

// TestComposeConfinesEveryService: npm run compose asks Docker whether it does so.
func TestComposeConfinesEveryService(t *testing.T) {
	c := readCompose(t)
	for name, s := range c.Services {
		program, proxy := s.program(), name == "proxy"
		clickhouse := strings.HasPrefix(s.Image, "clickhouse/")
		site := proxy || program && !slices.Equal(s.Command, []string{"project"})
		for what, holds := range map[string]bool{
			"health check":   s.Healthcheck != nil && s.Healthcheck.Retries > 0 && s.Healthcheck.StartPeriod != "",
			"capabilities":   slices.Equal(s.CapDrop, []string{"ALL"}) && (len(s.CapAdd) == 0) == program,
			"new privileges": slices.Contains(s.Security, "no-new-privileges:true"),
			"root":           s.ReadOnly || clickhouse,
			"bounded output": s.Logging.Driver == "local" && s.Logging.Options["max-size"] != "",
			"limits":         s.Memory != "" && s.CPUs > 0 && s.Processes > 0,
			"restart":        s.Restart == "unless-stopped",
			"network":        slices.Contains(s.Networks, "databases") != proxy && slices.Contains(s.Networks, "site") == site,
			"secrets":        len(s.Secrets) > 0 || proxy || strings.HasPrefix(name, "keeper-"),
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
			if name != "bitacora" && name != "proxy" || !strings.HasPrefix(port, "127.0.0.1:") || !strings.HasSuffix(port, ":8080") {
				t.Errorf("%s publishes %s", name, port)
			}
		}
	}
}

// TestComposeIsWholeInARelease: the archive has what the file mounts, and the image is of nothing else.
func TestComposeIsWholeInARelease(t *testing.T) {
	release := archived(t)
	if !release.has("docker-compose.yml") {
		t.Error("a release has no docker-compose.yml")
	}
	c := readCompose(t)
	build := c.Services["bitacora"].Build
	if build == nil {
		t.Fatal("the program's image is not built here")
	}
	instruction := regexp.MustCompile(`(?m)^(COPY|RUN|ADD) (.+) \S+$`)
	for _, line := range instruction.FindAllStringSubmatch(build.Dockerfile, -1) {
		if line[1] != "COPY" || !release.has(line[2]) {
			t.Errorf("the image has more than a release: %s", line[0])
		}
	}
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			file, is := strings.CutPrefix(v, "./")
			file, _, _ = strings.Cut(file, ":")
			if is && file != "clinic" && !release.has(file) {
				t.Errorf("%s mounts %s, which no release has", name, file)
			}
		}
	}
}

func TestComposeRunsTheProgramAsNobody(t *testing.T) {
	bitacora := readCompose(t).Services["bitacora"]
	_, asUser, _ := strings.Cut(bitacora.Build.Dockerfile, "\nUSER nonroot\n")
	for _, v := range bitacora.Volumes {
		volume, at, _ := strings.Cut(v, ":")
		if !strings.HasPrefix(volume, "./") && !strings.Contains(asUser, "WORKDIR "+at+"\n") {
			t.Errorf("%s belongs to root", at)
		}
	}
	if bitacora.User != "nonroot" {
		t.Error("the program's container runs as root")
	}
}

func TestComposeVolumesAreDeclared(t *testing.T) {
	c := readCompose(t)
	kept := map[string]string{}
	for name, s := range c.Services {
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			if file, is := strings.CutPrefix(volume, "./"); is {
				if _, err := os.Stat("../../" + file); err != nil && file != "clinic" {
					t.Errorf("%s: mounts what is not there: %v", name, err)
				}
				continue
			}
			if _, ok := c.Volumes[volume]; !ok {
				t.Errorf("%s: volume %s is not declared", name, volume)
			}
			if other := kept[volume]; other != "" && !s.program() {
				t.Errorf("%s and %s have one volume, %s", name, other, volume)
			}
			kept[volume] = name
		}
	}
}

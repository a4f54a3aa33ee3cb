package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const composeFile = "../../docker-compose.yml"

// compose is the part of the Compose specification that the file uses; anything else in
// it is a mistake.
type compose struct {
	Name     string
	Services map[string]struct {
		Image       string
		User        string
		Restart     string
		ReadOnly    bool               `yaml:"read_only"`
		Environment map[string]*string // without a value: as the shell has it
		Volumes     []string
		Ports       []string
		Tmpfs       []string
		Ulimits     map[string]int
		Build       *struct {
			Context    string
			Dockerfile string `yaml:"dockerfile_inline"`
		}
		Healthcheck *struct {
			Test              []string
			Interval, Timeout string
			Retries           int
		}
		DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
	}
	Volumes map[string]any
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

func TestComposeSetsOnlyWhatTheProgramReads(t *testing.T) {
	c := readCompose(t)
	known := map[string]bool{}
	for i := range reflect.TypeFor[config]().NumField() {
		known[reflect.TypeFor[config]().Field(i).Tag.Get("env")] = true
	}
	filled := regexp.MustCompile(`\$\{[^}]+\}`)
	var environ []string
	for name, value := range c.Services["bitacora"].Environment {
		switch {
		case !known[name]:
			t.Errorf("%s is no variable of the program", name)
		case name == "BITACORA_MASTER_KEY":
			environ = append(environ, name+"="+strings.Repeat("ab", 32))
		case value != nil:
			environ = append(environ, name+"="+filled.ReplaceAllString(*value, "secret"))
		}
	}
	settings, err := loadConfig(environ)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{settings.DatabaseURL, settings.ClickHouseURL} {
		host := regexp.MustCompile(`@([a-z]+):`).FindStringSubmatch(url)
		if host == nil {
			t.Fatalf("no host in %s", url)
		}
		if _, ok := c.Services[host[1]]; !ok {
			t.Errorf("%s names no service of the file", url)
		}
		if c.Services["bitacora"].DependsOn[host[1]].Condition != "service_healthy" {
			t.Errorf("the program does not wait for %s", host[1])
		}
	}
}

// notForCompose are settings that no installation with containers needs, and why.
var notForCompose = map[string]string{
	"BITACORA_CLICKHOUSE_ADDR":    "the image holds no engine",
	"BITACORA_UNCONFINED_ANALYST": "the image holds no engine",
	"BITACORA_DEMO":               "only on a loopback address",
	"BITACORA_THROTTLE":           "off only on a loopback address",
}

func TestComposePassesEverySetting(t *testing.T) {
	passed := readCompose(t).Services["bitacora"].Environment
	for i := range reflect.TypeFor[config]().NumField() {
		name := reflect.TypeFor[config]().Field(i).Tag.Get("env")
		_, there := passed[name]
		if _, excepted := notForCompose[name]; there == excepted {
			t.Errorf("%s: passed %v, excepted %v", name, there, excepted)
		}
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

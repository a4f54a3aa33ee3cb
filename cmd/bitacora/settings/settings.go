package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"bitacora/adapters/envfile"
)

const (
	// ConfigVariable names the configuration file. It says where the settings are, and is none itself.
	ConfigVariable = "BITACORA_CONFIG"
	// NoConfig is what ConfigVariable has for no file at all.
	NoConfig = "off"
	// MetricsOff is what BITACORA_METRICS_ADDR has for no metrics.
	MetricsOff = "off"
	// LocalConfig is the file where a command is called, installedConfig that of an installed program.
	LocalConfig     = "bitacora.env"
	installedConfig = "/etc/bitacora/bitacora.env"
	// FromFile ends the name of a setting whose value is that of a file.
	FromFile = "_FILE"
)

// Setting is how a field of config is set.
type Setting struct {
	Name, Standard, Help string
	Secret               bool
}

// All are those of [Config], in its order.
func All() (list []Setting) {
	for field := range reflect.TypeFor[Config]().Fields() {
		tag := field.Tag
		list = append(list, Setting{tag.Get("env"), tag.Get("envDefault"), tag.Get("help"), tag.Get("secret") != ""})
	}
	return list
}

// SecretNames are the settings that a file of their own can hold.
func SecretNames() string {
	var names []string
	for _, s := range All() {
		if s.Secret {
			names = append(names, strings.TrimPrefix(s.Name, "BITACORA_"))
		}
	}
	return strings.Join(names, ", ")
}

// OfTheTasks are variables that the project's own tasks and tests read.
var OfTheTasks = []string{"BITACORA_API", "BITACORA_CHROMIUM", "BITACORA_CRASH_ROUNDS", "BITACORA_CRASH_SEED", "BITACORA_SIMULATION_SEED"}

// OfKubernetes are variables that Kubernetes puts beside a service called bitacora.
var OfKubernetes = regexp.MustCompile(`^BITACORA_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_[A-Z]+(_PROTO|_PORT|_ADDR)?)?)$`)

// given is what was set, and where.
type given struct {
	Values map[string]string
	// places are those of values from the configuration file, "bitacora.env:12".
	places map[string]string
}

func newGiven() given { return given{map[string]string{}, map[string]string{}} }

// Read joins the environment and the configuration file, over which the environment wins.
func Read(environ []string) (given, []error) {
	environment, file := layer{given: newGiven()}, layer{given: newGiven()}
	for _, v := range environ {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "BITACORA_") &&
			name != ConfigVariable && !slices.Contains(OfTheTasks, name) && !OfKubernetes.MatchString(name) {
			environment.set(name, value, "")
		}
	}
	path, err := configFile(environ)
	if err == nil && path != "" {
		err = file.read(path)
	}
	joined, mistakes := newGiven(), slices.Concat(file.mistakes, environment.mistakes)
	if err != nil {
		mistakes = append(mistakes, err)
	}
	for _, s := range All() {
		for _, l := range []layer{environment, file} {
			value, place, is, err := l.valueOf(s)
			if err != nil {
				mistakes = append(mistakes, l.located(err))
			}
			if is {
				joined.Values[s.Name], joined.places[s.Name] = value, place
				break
			}
		}
	}
	return joined, mistakes
}

// ConfigFlag names the configuration file for one command.
const ConfigFlag = "config"

// NameConfig makes the flag what everything else reads: the variable.
func NameConfig(c *cobra.Command) error {
	if flag := c.Flag(ConfigFlag); flag != nil && flag.Changed {
		return os.Setenv(ConfigVariable, flag.Value.String())
	}
	return nil
}

// configFile is the configuration file; empty where there is none.
func configFile(environ []string) (string, error) {
	for _, v := range slices.Backward(environ) {
		if name, file, _ := strings.Cut(v, "="); name == ConfigVariable && file != "" {
			if file == NoConfig {
				return "", nil
			}
			return file, nil
		}
	}
	for _, file := range []string{LocalConfig, installedConfig} {
		if file == installedConfig && !installed() {
			return "", nil
		}
		if _, err := os.Stat(file); err == nil {
			return file, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find the configuration file: %w", err)
		}
	}
	return "", nil
}

// FoundByItself says whether a command called here takes this configuration file without being told.
func FoundByItself(file string) bool {
	return file == LocalConfig || file == installedConfig && installed()
}

// installed says whether this program was installed for the whole machine. Another one has nothing to do
// with the machine's clinic.
func installed() bool {
	path, err := os.Executable()
	return err == nil && (strings.HasPrefix(path, "/usr/") || strings.HasPrefix(path, "/opt/"))
}

// layer is what one source sets.
type layer struct {
	given
	mistakes []error
}

func (l *layer) set(name, value, place string) {
	known, secret := Find(strings.TrimSuffix(name, FromFile))
	_, twice := l.Values[name]
	report := func(format string, args ...any) {
		l.mistakes = append(l.mistakes, at(place, fmt.Errorf(format, args...)))
	}
	switch _, whole := Find(name); {
	case name == ConfigVariable:
		report("%s: names this file, and belongs into the environment", name)
	case !whole && !(secret && known.Secret):
		report("%s: is no setting%s", name, suggestion(name))
	case twice && place != "":
		report("%s: is set twice, first in %s", name, l.places[name])
	default:
		l.Values[name], l.places[name] = value, place
	}
}

// Find gives the setting with a name.
func Find(name string) (s Setting, is bool) {
	list := All()
	i := slices.IndexFunc(list, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return list[i], true
}

// valueOf gives the value of a setting: a secret may lie in a file of its own.
func (l layer) valueOf(s Setting) (value, place string, is bool, err error) {
	value, is = l.Values[s.Name]
	name := s.Name + FromFile
	file := l.Values[name]
	if !s.Secret || file == "" {
		return value, l.places[s.Name], is, nil
	}
	if value != "" {
		return "", "", true, fmt.Errorf("%s: %s is set, too", name, s.Name)
	}
	if value, err = readSecret(file); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return value, l.places[name], true, err
}

// readSecret reads a file that holds nothing but a secret, with or without a line break after it.
func readSecret(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read the secret: %w", err)
	}
	value := strings.TrimRight(string(text), "\r\n")
	switch {
	case value == "":
		return "", fmt.Errorf("%s is empty", file)
	case strings.ContainsAny(value, "\r\n\x00"):
		return "", fmt.Errorf("%s has more than one line", file)
	}
	return value, nil
}

// read takes the configuration file. One that is open to everybody is refused when it holds secrets.
func (l *layer) read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read the configuration file: %w", err)
	}
	defer f.Close()
	list, mistakes, err := envfile.Parse(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, m := range mistakes {
		l.mistakes = append(l.mistakes, fmt.Errorf("%s:%w", path, m))
	}
	for _, s := range list {
		l.set(s.Name, s.Value, fmt.Sprintf("%s:%d", path, s.Line))
	}
	return l.keptFromOthers(f)
}

// forOthers are the permissions of those who neither own a file nor are of its group.
const forOthers fs.FileMode = 0o007

func (l *layer) keptFromOthers(f *os.File) error {
	about, err := f.Stat()
	if err != nil {
		return fmt.Errorf("read the configuration file: %w", err)
	}
	for _, s := range All() {
		if s.Secret && l.Values[s.Name] != "" && about.Mode()&forOthers != 0 {
			return fmt.Errorf("%s: holds a secret (%s) and is open to everybody on this machine: chmod o= %s", l.places[s.Name], s.Name, f.Name())
		}
	}
	return nil
}

// nearEnough is how many letters may be wrong in a name that is meant.
const nearEnough = 4

// suggestion is the setting that a name may have been meant for.
func suggestion(name string) string {
	if of, is := Find(strings.TrimSuffix(name, FromFile)); is {
		return fmt.Sprintf(" (%s is no secret, which could lie in a file of its own)", of.Name)
	}
	nearest, least := "", nearEnough+1
	for _, s := range All() {
		for _, as := range []string{strings.ToUpper(name), "BITACORA_" + strings.ToUpper(name)} {
			d := levenshtein.ComputeDistance(as, s.Name)
			if strings.HasPrefix(s.Name, as+"_") {
				d = min(d, nearEnough)
			}
			if d < least {
				nearest, least = s.Name, d
			}
		}
	}
	if nearest == "" {
		return " (bitacora serve --help lists them)"
	}
	return fmt.Sprintf(", did you mean %s?", nearest)
}

// LeadingName matches the setting that a mistake begins with.
var LeadingName = regexp.MustCompile(`^BITACORA_[A-Z_]+`)

// located begins a mistake with the place in the configuration file where its value is.
func (g given) located(mistake error) error {
	return at(g.places[LeadingName.FindString(mistake.Error())], mistake)
}

func at(place string, mistake error) error {
	if place == "" {
		return mistake
	}
	return fmt.Errorf("%s: %w", place, mistake)
}

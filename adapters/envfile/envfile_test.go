package envfile

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	list, mistakes, err := Parse(strings.NewReader("\ufeff# a comment\n; as systemd has them, too\n\n" +
		"ADDR=127.0.0.1:8080\r\n" +
		"  NAME=Clínica Sonrisa  \n" +
		"EMPTY=\n" +
		`SINGLE='p#ss $HOME "x" \n'` + "\n" +
		`DOUBLE="it's \"\\\$5\""` + "\n" +
		"URL=postgres://a:b@host/x?y=1&z=2\n"))
	if err != nil || len(mistakes) > 0 {
		t.Fatal(err, mistakes)
	}
	want := []Setting{
		{"ADDR", "127.0.0.1:8080", 4}, {"NAME", "Clínica Sonrisa", 5}, {"EMPTY", "", 6},
		{"SINGLE", `p#ss $HOME "x" \n`, 7}, {"DOUBLE", `it's "\$5"`, 8}, {"URL", "postgres://a:b@host/x?y=1&z=2", 9},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
}

// TestWhatOthersReadDifferentlyIsRefused: systemd, Compose and shells do not agree on these.
func TestWhatOthersReadDifferentlyIsRefused(t *testing.T) {
	for _, line := range []string{
		"KEY=hunter2 # a comment", "KEY=hunter2$HOME", `KEY="hunter2$HOME"`, `KEY=hunter2\n`, `KEY="hunter2\n"`,
		"KEY=`hunter2`", "KEY='hunter2", `KEY="hunter2`, "KEY='hunter2'x", `KEY='hunter2\'`, "KEY = hunter2", "KEY: hunter2", "export KEY=hunter2", "hunter2", "1KEY=hunter2",
		"KEY=hunter2\x00", "KEY=hunter2\xff",
	} {
		list, mistakes, err := Parse(strings.NewReader("A=1\n" + line + "\nB=2\n"))
		if err != nil || len(mistakes) != 1 || mistakes[0].Line != 2 || len(list) != 2 {
			t.Errorf("%q: %v, %v, %v", line, list, mistakes, err)
			continue
		}
		if strings.Contains(mistakes[0].Error(), "hunter2") {
			t.Errorf("%q is repeated: %v", line, mistakes[0])
		}
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z '"\\$`+"`"+`#=]{0,12}`)).Draw(t, "value")
		line, err := Line("NAME", value)
		if errors.Is(err, ErrControl) {
			return
		}
		list, mistakes, err := Parse(strings.NewReader(line + "\n"))
		if err != nil || len(mistakes) > 0 || len(list) != 1 || list[0].Value != value {
			t.Fatalf("%q became %s, which is read as %v, %v, %v", value, line, list, mistakes, err)
		}
	})
}

// TestAShellReadsWhatIsWritten is an independent reader of the same lines.
func TestAShellReadsWhatIsWritten(t *testing.T) {
	for _, value := range []string{"plain", "two words", `a'b"c`, "$HOME", `back\slash`, `at the end\`, "`id`", "#x", "x #y", `'"$\` + "`", "ñ 'á'", ""} {
		line, err := Line("NAME", value)
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("sh", "-c", line+"\nprintf %s \"$NAME\"").Output()
		if err != nil || string(out) != value {
			t.Errorf("%s is %q to a shell, not %q: %v", line, out, value, err)
		}
	}
	if _, err := Line("NAME", "two\nlines"); !errors.Is(err, ErrControl) {
		t.Errorf("two lines: %v", err)
	}
}

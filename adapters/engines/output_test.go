package engines

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOutput(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	o := &output{path: path}
	block := bytes.Repeat([]byte("0123456789abcde\n"), 64<<10)
	for range 20 {
		if n, err := o.Write(block); n != len(block) || err != nil {
			t.Fatal(n, err)
		}
	}
	for _, name := range []string{path, path + ".1"} {
		if info, err := os.Stat(name); err != nil || info.Size() > maxOutputFile+int64(len(block)) {
			t.Errorf("%s: %v %v", name, info.Size(), err)
		}
	}
	if tail := o.tail(); len(tail) > maxTail || !strings.HasSuffix(tail, "abcde") {
		t.Errorf("tail of %d bytes", len(tail))
	}
	o.newRun()
	if tail := o.tail(); tail != "" {
		t.Errorf("tail of an earlier run: %q", tail)
	}
	lost := &output{path: filepath.Join(path, "below", "a file")}
	if n, err := lost.Write(block); n != len(block) || err != nil {
		t.Errorf("a lost log stops the engine: %d %v", n, err)
	}
}

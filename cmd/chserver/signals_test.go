package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// With the engine's own handlers a nil dereference would hang the process.
func TestGoKeepsItsSignals(t *testing.T) {
	path, err := libraryFile()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := openLibrary(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := keepGoSignalHandlers(lib); err != nil {
		t.Fatal(err)
	}
	e, err := startEngine(lib, engineOptions{path: filepath.Join(t.TempDir(), "engine"), database: "x", maxMemory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for range 3 {
		if _, err := e.keep.text("SELECT sum(number) FROM numbers(1000000)", "TSV"); err != nil {
			t.Fatal(err)
		}
		if got := dereferenceNil(); !strings.Contains(got, "nil pointer dereference") {
			t.Fatalf("recovered %q", got)
		}
		runtime.GC()
	}
}

func dereferenceNil() (recovered string) {
	defer func() {
		if err, ok := recover().(error); ok {
			recovered = err.Error()
		}
	}()
	var nothing *stats
	nothing.readRows++
	return ""
}

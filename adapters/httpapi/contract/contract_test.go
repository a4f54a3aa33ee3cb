package contract

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
)

const root = "../../.."

// TestGoTypesAreFresh is long where the generator is not built yet.
func TestGoTypesAreFresh(t *testing.T) {
	enginestest.Long(t)
	config, err := os.ReadFile("oapi-codegen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const output = "adapters/httpapi/contract/contract.gen.go"
	dir := t.TempDir()
	again := filepath.Join(dir, "again.go")
	if !bytes.Contains(config, []byte(output)) {
		t.Fatalf("oapi-codegen.yaml does not write %s", output)
	}
	elsewhere := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(elsewhere, bytes.ReplaceAll(config, []byte(output), []byte(again)), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "go", "tool", "oapi-codegen", "-config", elsewhere, "schema/openapi.yaml")
	expectSame(t, output, again)
}

func TestTypeScriptTypesAreFresh(t *testing.T) {
	again := filepath.Join(t.TempDir(), "again.ts")
	run(t, "node", "node_modules/openapi-typescript/bin/cli.js", "schema/openapi.yaml", "-o", again)
	expectSame(t, "webapp/src/api/schema.gen.ts", again)
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(c.Args, " "), err, out)
	}
}

func expectSame(t *testing.T, committed, again string) {
	t.Helper()
	want, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, committed))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what schema/openapi.yaml gives: npm run gen", committed)
	}
}

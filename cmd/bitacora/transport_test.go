package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const transport = "bitacora/adapters/httpapi"

// The packages of the HTTP interface know no other kind of caller than their own.
func TestCallersDoNotKnowEachOther(t *testing.T) {
	callers := []string{transport + "/site", transport + "/visitor", transport + "/staff"}
	shared := []string{transport + "/contract", transport + "/web", transport + "/booking", transport + "/password", transport + "/secondfactor"}
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, transport+"/") {
			continue
		}
		if !slices.Contains(callers, p.ImportPath) && !slices.Contains(shared, p.ImportPath) {
			t.Errorf("%s is neither a kind of caller nor shared by them", p.ImportPath)
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if imported == transport || slices.Contains(callers, imported) && imported != p.ImportPath {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// Adapters classify what their drivers say; the interface knows kinds.
func TestTransportKnowsNoDriver(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", transport+"/...").Output()
	if err != nil {
		t.Fatalf("list dependencies: %v", err)
	}
	for dependency := range strings.Lines(string(out)) {
		for _, driver := range []string{"github.com/jackc/", "github.com/ClickHouse/", "bitacora/adapters/postgres", "bitacora/adapters/clickhouse"} {
			if strings.HasPrefix(dependency, driver) {
				t.Errorf("the HTTP interface depends on %s", strings.TrimSpace(dependency))
			}
		}
	}
}

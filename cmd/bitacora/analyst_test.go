package main

import (
	"net/http"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

// TestAnalystsHaveAccountsOfTheirOwn while everything runs: the engine goes on through each change.
func TestAnalystsHaveAccountsOfTheirOwn(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.RunningEmbedded(t)
	p.Published(a)
	engine := p.Pid("clickhouse")
	ask := func(name, password string) (status int) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.At.AnalystURL, strings.NewReader("SELECT count() FROM conversations"))
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(name, password)
		response, err := programtest.HTTPClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	secret := func(out string) string {
		t.Helper()
		_, password, found := strings.Cut(strings.TrimSpace(out), "not shown again: ")
		if !found {
			t.Fatalf("no password in %s", out)
		}
		return password
	}
	if out := p.MustRun("analyst", "list"); !strings.Contains(out, "Nobody yet") {
		t.Errorf("list: %s", out)
	}
	first := secret(p.MustRun("analyst", "add", "ana"))
	if status := ask("ana", first); status != http.StatusOK {
		t.Errorf("ana asks: %d", status)
	}
	if out := p.MustRun("analyst", "list"); !strings.HasPrefix(out, "ana ") || strings.Contains(out, first) {
		t.Errorf("list: %s", out)
	}
	second := secret(p.MustRun("analyst", "rotate", "ana"))
	if before, after := ask("ana", first), ask("ana", second); before == http.StatusOK || after != http.StatusOK {
		t.Errorf("after a rotation: %d with the former password, %d with the present one", before, after)
	}
	if out := p.MustRun("audit", "--what", "AnalystAsked"); !strings.Contains(out, "ana") {
		t.Errorf("audit: %s", out)
	}
	p.MustRun("analyst", "revoke", "ana")
	if status := ask("ana", second); status == http.StatusOK {
		t.Error("ana asks after the revocation")
	}
	if engine != p.Pid("clickhouse") {
		t.Error("the engine was started again")
	}
	for line, says := range map[string]string{
		"add analyst": "cannot be called", "add Ana": "cannot be called", "add a;b": "cannot be called", "rotate eva": "no analyst eva", "revoke eva": "no analyst eva",
	} {
		if out, err := p.Run("", append([]string{"analyst"}, strings.Fields(line)...)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("analyst %s: %s", line, out)
		}
	}
	p.MustRun("analyst", "add", "eva")
	if out, err := p.Run("", "analyst", "add", "eva"); err == nil || !strings.Contains(out, "analyst rotate eva") {
		t.Errorf("added twice: %s", out)
	}
}

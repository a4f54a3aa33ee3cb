package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"bitacora/adapters/engines"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/settings"
)

// TestFailingInsertsAreForgottenWithTheLease: where another process took a build over, this one says
// nothing of it any more.
func TestFailingInsertsAreForgottenWithTheLease(t *testing.T) {
	m := NewMeters()
	tells := func(build string, failing int) bool {
		return strings.Contains(scraped(t, m.failing), fmt.Sprintf("bitacora_projection_inserts_failing{build=%q} %d\n", build, failing)) &&
			(m.NotStored(build) != nil) == (failing == 1)
	}
	refused := errors.New("no space left")
	owned, lose := context.WithCancel(t.Context())
	for range 3 {
		m.note(owned, "b1", refused)
	}
	m.note(t.Context(), "b2", refused)
	if !tells("b1", 1) || !tells("b2", 1) {
		t.Fatal("failing inserts are not told of")
	}
	lose()
	for began := time.Now(); !tells("b1", 0); time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("they are not forgotten")
		}
	}
	m.note(owned, "b1", refused) // a batch that was on its way
	if !tells("b1", 0) || !tells("b2", 1) {
		t.Error("the wrong build is told of")
	}
}

// scraped is what /metrics would say of some metrics.
func scraped(t *testing.T, c prometheus.Collector) string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return answer.Body.String()
}

func TestMetricsTellOfDisksAndBackups(t *testing.T) {
	usual := DiskOf
	defer func() { DiskOf = usual }()
	DiskOf = func(string) (engines.Disk, error) { return engines.Disk{Free: 5, Size: 9}, nil }
	c := settings.Config{DataDir: t.TempDir()}
	log := ""
	tells := func(newest string) {
		t.Helper()
		told := scraped(t, machineCollector{c, func(context.Context) (string, error) { return log, nil }})
		want := []string{"bitacora_backup_newest_timestamp_seconds " + newest}
		for _, directory := range []string{"data", "backups", "keys"} {
			want = append(want, fmt.Sprintf("bitacora_disk_free_bytes{directory=%q} 5", directory), fmt.Sprintf("bitacora_disk_size_bytes{directory=%q} 9", directory))
		}
		for _, line := range want {
			if !strings.Contains(told, line+"\n") {
				t.Errorf("%s is not in\n%s", line, told)
			}
		}
	}
	tells("0")
	at := time.Unix(1.8e9, 0)
	store := func(name string, at time.Time) {
		t.Helper()
		dir := filepath.Join(c.Backups(), name)
		manifest := `{"firstEvent": "own", "takenAt": "` + at.UTC().Format(time.RFC3339) + `"}`
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, logdump.ManifestFile), []byte(manifest), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	store("one", at)
	store("older", at.Add(-time.Hour))
	store("later"+BackupDraft, at.Add(time.Hour)) // about to get its name
	tells("1.8e+09")
	log = "another clinic's"
	tells("0")
}

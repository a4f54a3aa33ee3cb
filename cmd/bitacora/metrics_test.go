package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"bitacora/adapters/engines"
)

func TestMetricsTellOfDisksAndBackups(t *testing.T) {
	usual := diskOf
	defer func() { diskOf = usual }()
	diskOf = func(string) (engines.Disk, error) { return engines.Disk{Free: 5, Size: 9}, nil }
	c := config{DataDir: t.TempDir()}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(machineCollector{c})
	tells := func(newest string) {
		t.Helper()
		answer := httptest.NewRecorder()
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		want := []string{"bitacora_backup_newest_timestamp_seconds " + newest}
		for _, directory := range []string{"data", "backups", "keys"} {
			want = append(want, fmt.Sprintf("bitacora_disk_free_bytes{directory=%q} 5", directory), fmt.Sprintf("bitacora_disk_size_bytes{directory=%q} 9", directory))
		}
		for _, line := range want {
			if !strings.Contains(answer.Body.String(), line+"\n") {
				t.Errorf("%s is not in\n%s", line, answer.Body)
			}
		}
	}
	tells("0")
	at := time.Unix(1.8e9, 0)
	writeBackup(t, c.backups(), "one", at)
	writeBackup(t, c.backups(), "older", at.Add(-time.Hour))
	writeBackup(t, c.backups(), "later"+draftSuffix, at.Add(time.Hour)) // about to get its name
	tells("1.8e+09")
}

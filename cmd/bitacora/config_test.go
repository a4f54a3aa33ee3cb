package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/doctor"
	"bitacora/cmd/bitacora/serve"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
)

func TestConfigReportsAllMistakesAtOnce(t *testing.T) {
	_, err := settings.Load([]string{
		"BITACORA_ADDR=nowhere",
		"BITACORA_MONTHLY_LIMIT=-1",
		"BITACORA_LOG_FORMAT=xml",
		"BITACORA_THROTTLE=perhaps",
		"BITACORA_DATABASE_URL=postgres://localhost/bitacora",
	})
	if err == nil {
		t.Fatal("five mistakes were accepted")
	}
	for _, name := range []string{"BITACORA_ADDR", "BITACORA_MONTHLY_LIMIT", "BITACORA_LOG_FORMAT", "BITACORA_THROTTLE", "BITACORA_MASTER_KEY"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported in:\n%v", name, err)
		}
	}
}

// Servers that are several, and a cluster that has none, are said to be so before anything is asked.
func TestAClusterIsNamedWithItsNodes(t *testing.T) {
	const nodes = "BITACORA_CLICKHOUSE_URL=http://app@h1:8123,h2:8123/bitacora"
	for _, tt := range []struct {
		All     []string
		refused string
	}{
		{[]string{nodes, "BITACORA_CLICKHOUSE_CLUSTER=clinics", "BITACORA_CLICKHOUSE_PASSWORD=p,:@/"}, ""},
		{[]string{nodes, "BITACORA_CLICKHOUSE_CLUSTER=clinics", "BITACORA_CLICKHOUSE_REPLICATION=keeper"}, ""},
		{[]string{nodes}, "BITACORA_CLICKHOUSE_CLUSTER has to name their cluster"},
		{[]string{"BITACORA_CLICKHOUSE_CLUSTER=clinics"}, "BITACORA_CLICKHOUSE_CLUSTER: needs BITACORA_CLICKHOUSE_URL"},
		{[]string{"BITACORA_CLICKHOUSE_REPLICATION=keeper"}, "keeper is for a cluster"},
		{[]string{"BITACORA_CLICKHOUSE_REPLICATION=raft"}, "neither distributed nor keeper"},
	} {
		c, err := settings.Load(tt.All)
		if tt.refused == "" && err != nil || tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) {
			t.Errorf("%v: %v, want %q", tt.All, err, tt.refused)
		}
		if tt.refused != "" {
			continue
		}
		url := settings.WithPassword(c.ClickHouseURL, c.TablesPassword)
		tables, err := clickhouse.OpenCluster(url, c.TablesCluster(), time.UTC)
		if err != nil || doctor.HostOf(url) != "h1:8123,h2:8123" {
			t.Errorf("%v: %s, %v", tt.All, doctor.HostOf(url), err)
			continue
		}
		tables.Close()
	}
}

func TestConfigDefaults(t *testing.T) {
	c, err := settings.Load([]string{"BITACORA_MONTHLY_LIMIT="})
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:8080" || !bool(c.Throttle) || bool(c.Demo) || c.MonthlyLimit != nil {
		t.Errorf("defaults = %+v", c)
	}
}

func TestPublicConveniencesStayOnLoopback(t *testing.T) {
	tests := []struct {
		addr, setting string
		refused       bool
	}{
		{"127.0.0.1:8080", "BITACORA_THROTTLE=off", false},
		{"[::1]:8080", "BITACORA_THROTTLE=off", false},
		{"localhost:8080", "BITACORA_DEMO=1", false},
		{"0.0.0.0:8080", "BITACORA_THROTTLE=off", true},
		{":8080", "BITACORA_DEMO=1", true},
		{"192.0.2.7:8080", "BITACORA_DEMO=on", true},
		{"0.0.0.0:8080", "BITACORA_DEMO=0", false},
	}
	for _, tt := range tests {
		_, err := settings.Load([]string{"BITACORA_ADDR=" + tt.addr, tt.setting})
		if (err != nil) != tt.refused {
			t.Errorf("%s with %s: %v", tt.addr, tt.setting, err)
		}
	}
}

func TestHelpListsEveryVariable(t *testing.T) {
	help := settings.Help()
	for _, name := range []string{"BITACORA_ADDR", "BITACORA_DATA_DIR", "BITACORA_DATABASE_URL", "BITACORA_CLICKHOUSE_URL",
		"BITACORA_CLICKHOUSE_ADDR", "BITACORA_MONTHLY_LIMIT", "BITACORA_ASSISTANT", "BITACORA_THROTTLE", "BITACORA_DEMO"} {
		if !strings.Contains(help, name) {
			t.Errorf("%s is missing", name)
		}
	}
	if !strings.Contains(help, "(127.0.0.1:8123)") {
		t.Error("defaults are missing")
	}
}

func TestMetricsCanBeOff(t *testing.T) {
	c, err := settings.Load([]string{"BITACORA_METRICS_ADDR=off"})
	if err != nil {
		t.Fatal(err)
	}
	a := &app.App{Config: c, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := serve.ServeMetrics(ctx, a, http.NotFoundHandler()); err != nil || ctx.Err() != nil {
		t.Errorf("it listens: %v, %v", err, ctx.Err())
	}
}

// TestAPublicSiteTellsNothingMadeUp asks before anything is started.
func TestAPublicSiteTellsNothingMadeUp(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "clinic.json")
	if err := os.WriteFile(whole, []byte(strings.NewReplacer(".example", ".test", "-0110", "-7110").Replace(string(clinic.Example()))), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		url, file, setting string
		refused            bool
	}{
		{"", "", "", false},
		{"http://127.0.0.1:8080", "", "", false},
		{"http://localhost:8080", "", "", false},
		{"http://[::1]:8080", "", "", false},
		{"https://clinica.test", "", "", true},
		{"http://192.0.2.7", "", "", true},
		{"https://clinica.test", "", "allow", false},
		{"https://clinica.test", "", "refuse", true},
		{"https://clinica.test", whole, "", false},
	} {
		c, err := settings.Load([]string{"BITACORA_SITE_URL=" + tt.url, "BITACORA_PLACEHOLDERS=" + tt.setting})
		if err != nil {
			t.Fatal(err)
		}
		facts, err := app.ReadFacts(tt.file)
		if err != nil {
			t.Fatal(err)
		}
		err = (&app.App{Config: c, Clinic: facts}).Presentable()
		if (err != nil) != tt.refused {
			t.Errorf("%+v: %v", tt, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "(name, tagline, address, phones, email, hours, team)") || !strings.Contains(err.Error(), "BITACORA_PLACEHOLDERS=allow")) {
			t.Errorf("it does not say what, or how else: %v", err)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	t.Setenv("BITACORA_ADDR", taken.Addr().String())
	t.Setenv("BITACORA_SITE_URL", "https://clinica.test")
	t.Setenv("BITACORA_DATA_DIR", filepath.Join(t.TempDir(), "data"))
	if _, err := runs(t, "serve"); err == nil || !strings.Contains(err.Error(), "made up") {
		t.Errorf("serve: %v", err)
	}
	if _, err := os.Stat(os.Getenv("BITACORA_DATA_DIR")); err == nil {
		t.Error("a data directory was made")
	}
}

package engines

import (
	"context"
	"testing"
	"time"
)

func TestUse(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)

	// Nobody runs the engines: they live for the caller.
	own, releaseOwn, err := Use(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, own.DatabaseURL, "CREATE TABLE proof (id int)")

	// The next caller shares them, and they outlive the first caller's release until its own.
	other, releaseOther, err := Use(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if other.DatabaseURL != own.DatabaseURL {
		t.Errorf("the guest got %s", other.DatabaseURL)
	}
	released := make(chan error)
	go func() { released <- releaseOwn() }()
	select {
	case err := <-released:
		t.Fatalf("released under the guest: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	ask(t, other.DatabaseURL, "SELECT count(*) FROM proof")
	if err := releaseOther(); err != nil {
		t.Error(err)
	}
	if err := <-released; err != nil {
		t.Error(err)
	}
	if left := worksBelow(t, cfg.DataDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestUseBesideSupervisor(t *testing.T) {
	long(t)
	t.Parallel()
	cfg := postgresConfig(t)
	h := startHelper(t, cfg, nil)
	if h.Err != "" {
		t.Fatal(h.Err)
	}
	at, release, err := Use(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if at != h.At {
		t.Errorf("endpoints %v, want %v", at, h.At)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	ask(t, h.At.DatabaseURL, "SELECT 1")

	other := cfg
	other.ClickHouseURL, other.ChServer = "", "/proc/self/exe"
	_, _, err = Use(t.Context(), other)
	wantSentence(t, err.Error(), "uses a ClickHouse server of its own: set BITACORA_CLICKHOUSE_URL to the same")

	_, releaseStale, err := Use(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}

	// The record of a killed supervisor is stale, and so are its users: the caller gets engines of
	// its own, and waits for nobody when it is done.
	kill(t, h.cmd.Process.Pid)
	_ = h.cmd.Wait()
	at, release, err = Use(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, at.DatabaseURL, "SELECT 1")
	released := make(chan error)
	go func() { released <- release() }()
	select {
	case err := <-released:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("not released while somebody has used the engines of before")
	}
	if err := releaseStale(); err != nil {
		t.Error(err)
	}
}

func TestServersOfOthers(t *testing.T) {
	t.Parallel()
	cfg := Config{DatabaseURL: "postgres://db.example/b", ClickHouseURL: "http://ch.example:8123/b"}
	at, release, err := Use(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Endpoints{DatabaseURL: cfg.DatabaseURL, MigrationURL: cfg.DatabaseURL, ClickHouseURL: cfg.ClickHouseURL}); at != want {
		t.Errorf("endpoints %v, want %v", at, want)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	cfg.MigrationURL = "postgres://owner@db.example/b"
	s, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if at := s.Endpoints(); at.DatabaseURL != cfg.DatabaseURL || at.MigrationURL != cfg.MigrationURL {
		t.Errorf("endpoints %v of a server with an owner", at)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	_ "time/tzdata" // the business zone must be known on a machine without zone files

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
)

// house is the clinic as a command finds it: its settings, its log and its tables.
type house struct {
	config config
	clinic clinic.Clinic
	log    *slog.Logger
	at     engines.Endpoints
	db     *postgres.DB
	tables *clickhouse.DB
	meters *meters
	// obstacles says, by build, why it is not kept up by this process.
	obstacles   sync.Map
	autoRebuild bool
	// demoLog says whether the log began as a demo; nil while that is not known.
	demoLog atomic.Pointer[bool]

	release func() error
}

// openHouse finds or starts the databases and brings the log's to the shape that this
// program knows.
func openHouse(ctx context.Context) (*house, error) {
	h, err := furnish()
	if err != nil {
		return nil, err
	}
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

// open finds or starts the databases of a furnished house.
func (h *house) open(ctx context.Context) (err error) {
	h.at, h.release, err = engines.Use(ctx, h.engines())
	if err != nil {
		return err
	}
	if err := h.connect(ctx); err != nil {
		return errors.Join(err, h.close())
	}
	return nil
}

// furnish reads what is configured, without touching a database.
func furnish() (*house, error) {
	c, err := loadConfig(os.Environ())
	if err != nil {
		return nil, misuse{fmt.Errorf("configuration:\n%w", err)}
	}
	facts := clinic.Default()
	if c.ClinicFile != "" {
		if facts, err = readClinic(c.ClinicFile); err != nil {
			return nil, misuse{err}
		}
	}
	return &house{config: c, clinic: facts, log: newLogger(os.Stderr, c), meters: newMeters()}, nil
}

func readClinic(file string) (clinic.Clinic, error) {
	f, err := os.Open(file)
	if err != nil {
		return clinic.Clinic{}, fmt.Errorf("BITACORA_CLINIC_FILE: %w", err)
	}
	defer f.Close()
	facts, err := clinic.Load(f)
	if err != nil {
		return clinic.Clinic{}, fmt.Errorf("BITACORA_CLINIC_FILE %s: %w", file, err)
	}
	return facts, nil
}

func (h *house) engines() engines.Config {
	return engines.Config{
		DataDir:        h.config.DataDir,
		DatabaseURL:    h.config.DatabaseURL,
		ClickHouseURL:  h.config.ClickHouseURL,
		ClickHouseAddr: h.config.ClickHouseAddr,
		Log:            h.log,

		UnconfinedAnalyst: bool(h.config.AnalystAnyway),
	}
}

// connect opens both databases where h.at says. ClickHouse may still be away: whoever
// needs it waits for it, or says that it is missing.
func (h *house) connect(ctx context.Context) error {
	key, err := h.config.masterKeyOrDrawn()
	if err != nil {
		return err
	}
	if _, err := postgres.Migrate(ctx, h.at.DatabaseURL); err != nil {
		return err
	}
	if h.db, err = postgres.Open(ctx, h.at.DatabaseURL, key, h.log); err != nil {
		return err
	}
	h.tables, err = clickhouse.Open(h.at.ClickHouseURL, h.clinic.Zone)
	return err
}

func (h *house) close() error {
	var errs []error
	if h.tables != nil {
		errs = append(errs, h.tables.Close())
	}
	if h.db != nil {
		h.db.Close()
	}
	if h.release != nil {
		errs = append(errs, h.release())
	}
	return errors.Join(errs...)
}

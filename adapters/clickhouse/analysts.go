package clickhouse

import (
	"context"
	"errors"
	"fmt"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/clickhouse/access"
)

// ErrMayNotGrant is the error of [DB.AdmitAnalysts] where the program's user may not make users.
var ErrMayNotGrant = errors.New("the program's user may not make users on this ClickHouse server")

// AnalystStatements are the SQL of [DB.AdmitAnalysts].
func (db *DB) AnalystStatements(password string) []string {
	return access.Statements(password, db.views, access.Limits{Memory: access.DefaultMemory})
}

// AdmitAnalysts makes or renews the analysts' role on a server of one's own and, given a
// password, the user who has it. The views' database must exist.
func (db *DB) AdmitAnalysts(ctx context.Context, password string) error {
	c, err := db.server()
	if err != nil {
		return err
	}
	if err := c.Exec(ctx, "CREATE DATABASE IF NOT EXISTS "+db.views); err != nil {
		return fmt.Errorf("make the views' database: %w", err)
	}
	for _, statement := range db.AnalystStatements(password) {
		err := c.Exec(ctx, statement)
		if e := new(clickhouse.Exception); errors.As(err, &e) && (e.Code == accessDenied || e.Code == accessStorageReadonly || e.Code == accessStorageMissing) {
			return fmt.Errorf("%w: %w", ErrMayNotGrant, err)
		}
		if err != nil {
			return fmt.Errorf("admit analysts: %w", err)
		}
	}
	return nil
}

// Codes of ClickHouse's refusals to make users.
const (
	accessDenied          = 497
	accessStorageReadonly = 495
	accessStorageMissing  = 514
)

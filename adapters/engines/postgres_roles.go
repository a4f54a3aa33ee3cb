package engines

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Roles of the embedded PostgreSQL that sign in.
const (
	// superuser makes the database and the other roles, at each start, and is then gone.
	superuser = "postgres"
	// owner owns the tables, and changes them.
	owner = "bitacora_owner"
	// worker has the rights of the role bitacora_writer, which the migrations give.
	worker = "bitacora_worker"
	// replicator reads the write-ahead log and the files of the cluster, for a copy elsewhere.
	replicator = "bitacora_replicator"
)

//go:embed postgres_roles.sql
var rolesSQL string

// admit makes the roles, and gives the owner what an earlier version's superuser owns.
func (p *postgres) admit(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, p.url(superuser, Database))
	if err != nil {
		return fmt.Errorf("connect to the embedded PostgreSQL: %w", err)
	}
	defer conn.Close(ctx)
	for _, role := range []string{owner, worker, replicator} {
		// Parameters of a DO block are settings.
		if _, err := conn.Exec(ctx, "SELECT set_config('bitacora.role', $1, false), set_config('bitacora.password', $2, false)", role, p.passwords[role]); err != nil {
			return fmt.Errorf("make the role %s: %w", role, err)
		}
		if _, err := conn.Exec(ctx, rolesSQL); err != nil {
			return fmt.Errorf("make the role %s: %w", role, err)
		}
	}
	return nil
}

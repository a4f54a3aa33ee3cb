package crash

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

// TestAnUpdateWithoutAWayBackMakesABackupFirst goes the way of an operator who updates: it is reported
// beforehand, nothing is done where the backup cannot be made, and what it made is restored by the
// program of now.
func TestAnUpdateWithoutAWayBackMakesABackupFirst(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	const former, parting = "0034_pictures", "0035_several_processes.sql"
	dir := t.TempDir()
	saved, keys := filepath.Join(dir, "backups"), "BITACORA_KEYS_DIR="+filepath.Join(dir, "keys")
	servers := serversOfTheirOwn(t)[:2]
	p := programtest.NewEmbedded(t, append(servers, keys, "BITACORA_BACKUP_DIR="+saved, "BITACORA_LOG_LEVEL=info")...)
	readEarlier(t, earlierFile(former+".sql")).putBack(t, strings.TrimPrefix(servers[0], "BITACORA_DATABASE_URL="), dir)

	reports := func() (string, error) { return p.Run("", "serve", "--check-migrations") }
	programtest.Write(t, saved, nil, 0o600) // no directory
	for range 2 {
		if out, err := reports(); programtest.ExitCode(err) != command.ExitFound || !strings.Contains(out, "cannot go on after ") || !strings.Contains(out, parting) {
			t.Errorf("before the update: %v\n%s", err, out)
		}
		if out, err := p.Run("", "migrate"); programtest.ExitCode(err) != command.ExitFailed || !strings.Contains(out, "nothing was migrated") || strings.Contains(out, "applied") {
			t.Errorf("without a backup: %v\n%s", err, out)
		}
	}
	if err := os.Remove(saved); err != nil {
		t.Fatal(err)
	}

	p.Start()
	said := p.Output.String()
	backup, applied := strings.Index(said, "backup made"), strings.Index(said, "migration applied")
	if backup < 0 || applied < backup || !strings.Contains(said, "name="+parting) {
		t.Errorf("serve says\n%s", said)
	}
	if out, err := reports(); err != nil || !strings.Contains(out, "no migration") {
		t.Errorf("after the update: %v\n%s", err, out)
	}
	list, err := app.Backups(saved)
	if err != nil || len(list) != 1 || list[0].Problem != "" || list[0].Schema != former {
		t.Fatalf("backups: %+v, %v", list, err)
	}
	p.Stop()

	elsewhere := serversOfTheirOwn(t)[:2]
	q := programtest.NewEmbedded(t, append(elsewhere, keys)...)
	if out := q.MustRun("restore", list[0].Name, "--from", saved); !strings.Contains(out, "events are back") || strings.Contains(out, "backup made") {
		t.Errorf("the restore says\n%s", out)
	}
	if p, err := postgres.PendingMigrations(context.Background(), strings.TrimPrefix(elsewhere[0], "BITACORA_DATABASE_URL=")); err != nil || len(p.Names) > 0 {
		t.Errorf("what came back lacks %v, %v", p.Names, err)
	}
	q.MustRun("log", "check")
}

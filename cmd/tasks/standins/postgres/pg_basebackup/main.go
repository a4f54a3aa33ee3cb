// Command pg_basebackup is the one in the stand-in for PostgreSQL's image, whose binaries come without
// it: it asks a server for a copy of its data directory and lays it down as that of a standby.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

func main() {
	dir := flag.String("pgdata", "", "directory of the copy")
	from := flag.String("dbname", "", "connection string")
	method := flag.String("wal-method", "", "fetch: with the log that the copy needs")
	checkpoint := flag.String("checkpoint", "", "fast")
	standby := flag.Bool("write-recovery-conf", false, "make the copy a standby")
	flag.Parse()
	if *method != "fetch" || *checkpoint != "fast" || !*standby {
		log.Fatal("the stand-in knows --wal-method=fetch --checkpoint=fast --write-recovery-conf alone")
	}
	if err := backup(context.Background(), *from, *dir); err != nil {
		log.Fatalf("pg_basebackup: %v", err)
	}
}

func backup(ctx context.Context, from, dir string) error {
	config, err := pgconn.ParseConfig(from)
	if err != nil {
		return err
	}
	config.RuntimeParams["replication"] = "true"
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unpack := exec.CommandContext(ctx, "tar", "--extract", "--no-same-owner", "--directory", dir)
	unpack.Stderr = os.Stderr
	archive, err := unpack.StdinPipe()
	if err != nil {
		return err
	}
	if err := unpack.Start(); err != nil {
		return err
	}
	_, err = conn.CopyTo(ctx, messages{archive}, "BASE_BACKUP (CHECKPOINT 'fast', WAL true, MANIFEST 'no')")
	if err := errors.Join(err, archive.Close(), unpack.Wait()); err != nil {
		return err
	}
	settings := fmt.Sprintf("primary_conninfo = 'host=%s port=%d user=%s password=%s application_name=%s'\n",
		config.Host, config.Port, config.User, inString(inValue(config.Password)), config.RuntimeParams["application_name"])
	auto, err := os.OpenFile(filepath.Join(dir, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = auto.WriteString(settings)
	return errors.Join(err, auto.Close(), os.WriteFile(filepath.Join(dir, "standby.signal"), nil, 0o600))
}

// messages takes those of a base backup, of which one that begins with "d" has a piece of the archive.
type messages struct{ archive io.Writer }

func (m messages) Write(message []byte) (int, error) {
	if len(message) > 0 && message[0] == 'd' {
		if _, err := m.archive.Write(message[1:]); err != nil {
			return 0, err
		}
	}
	return len(message), nil
}

// inValue quotes a value of a connection string, inString a text of the configuration file.
func inValue(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

func inString(s string) string { return strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(s) }

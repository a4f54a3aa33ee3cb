package eventlog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/durable"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// NewExport is "bitacora export".
func NewExport() *cobra.Command {
	var format string
	c := app.Command("export DIR", "Write the analysts' views into files, one for each view and month", "  bitacora export --format parquet views",
		cobra.ExactArgs(1), func(ctx context.Context, a *app.App, given []string) error {
			if format != "parquet" {
				return command.Misuse(fmt.Errorf("no format is called %q, but parquet", format))
			}
			return export(ctx, a, given[0])
		})
	c.Long = c.Short + `.

DIR is a new directory, an empty one, or that of an earlier export: files whose rows are the same stay, the
others are written anew. manifest.json contains the position of the log up to which the tables contain all
events, and of each file its rows and its SHA-256. As in the views, contacts and raw texts are left out.`
	c.Flags().StringVar(&format, "format", "parquet", "of the files: parquet")
	command.WhenLeft(c, command.LeavesPart)
	return c
}

const manifestFile = "manifest.json"

// manifest is what an export contains. Rows that came while it was written may be beyond its position.
type manifest struct {
	clickhouse.Freshness
	// Files are by their path below the directory.
	Files map[string]exportedFile `json:"files"`
}

type exportedFile struct {
	Rows uint64 `json:"rows"`
	// Content is a hash of the rows, and SHA256 one of the file.
	Content string `json:"content"`
	SHA256  string `json:"sha256"`
}

func export(ctx context.Context, a *app.App, dir string) error {
	reader, _, err := a.LiveReader(ctx)
	if err != nil {
		return err
	}
	views := reader.Views()
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	if m.Freshness, err = views.Freshness(ctx); err != nil {
		return fault.Wrap(err, "ask for the position")
	}
	months, err := views.Months(ctx)
	if err != nil {
		return err
	}
	if err := app.RecordAct(ctx, a, &event.ExportTaken{StaffID: event.ByOperator, Rows: "views", Format: "parquet"}); err != nil {
		return err
	}
	// By it a directory is one of an export, from the first file on.
	if err := m.write(dir); err != nil {
		return err
	}
	gone, written := maps.Clone(m.Files), 0
	for _, month := range months {
		name := fmt.Sprintf("%d-%02d/%s.parquet", month.Month/100, month.Month%100, month.View)
		path := filepath.Join(dir, name)
		delete(gone, name)
		file := exportedFile{month.Rows, fmt.Sprintf("%016x", month.Content), m.Files[name].SHA256}
		if file == m.Files[name] && hashOf(path) == file.SHA256 {
			continue
		}
		if file.SHA256, err = writeMonth(ctx, views, month, path); err != nil {
			return err
		}
		m.Files[name] = file
		// What is written counts, also where the next file fails.
		if err := m.write(dir); err != nil {
			return err
		}
		written++
	}
	for name := range gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(m.Files, name)
	}
	fmt.Printf("%d files, %d of them written now, up to position %d of the log\n", len(m.Files), written, m.Position)
	return m.write(dir)
}

// readManifest makes a directory that there is not, and refuses one that contains something else.
func readManifest(dir string) (m manifest, err error) {
	m.Files = map[string]exportedFile{}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return m, err
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err == nil {
		return m, fault.Wrap(json.Unmarshal(text, &m), "read "+manifestFile)
	}
	entries, notRead := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), manifestFile) }) // half of one
	if errors.Is(err, fs.ErrNotExist) && len(entries) > 0 {
		return m, command.Misuse(fmt.Errorf("%s contains other files, and no %s of an export", dir, manifestFile))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = notRead
	}
	return m, err
}

func (m manifest) write(dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	_, err = replace(filepath.Join(dir, manifestFile), bytes.NewReader(append(text, '\n')))
	return err
}

func writeMonth(ctx context.Context, views *clickhouse.Reader, month clickhouse.Month, path string) (hash string, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	rows, err := views.MonthParquet(ctx, month)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	return replace(path, rows)
}

// replace writes a file, whole or not at all, and gives its hash.
func replace(path string, content io.Reader) (hash string, err error) {
	sum := sha256.New()
	err = durable.Replace(path, io.TeeReader(content, sum), nil)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// hashOf is that of a file; empty for one that cannot be read.
func hashOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}

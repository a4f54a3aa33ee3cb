package settings

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestALineOfTheLogBeginsWithDateTimeAndZone(t *testing.T) {
	var text bytes.Buffer
	NewLogger(&text, Config{}).Warn("it rains", "where", "David")
	if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d) WRN it rains where=David\n$`).MatchString(text.String()) {
		t.Errorf("%q", text.String())
	}
}

// TestTheJournalReadsPriorities writes to the stream that systemd names, and to another one.
func TestTheJournalReadsPriorities(t *testing.T) {
	journal, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	about, err := journal.Stat()
	if err != nil {
		t.Fatal(err)
	}
	stream := about.Sys().(*syscall.Stat_t)
	for name, want := range map[string]string{
		fmt.Sprintf("%d:%d", stream.Dev, stream.Ino):   "<7>DEBUG a\n<6>INFO b\n<4>WARN c level=high time=late\n<3>ERROR d\n",
		fmt.Sprintf("%d:%d", stream.Dev, stream.Ino+1): "",
	} {
		t.Setenv(JournalStream, name)
		if err := journal.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.Seek(0, 0); err != nil {
			t.Fatal(err)
		}
		log := NewLogger(journal, Config{LogLevel: slog.LevelDebug})
		log.Debug("a")
		log.Info("b")
		log.Warn("c", "level", "high", "time", "late")
		log.Error("d")
		text, err := os.ReadFile(journal.Name())
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); want != "" && got != want || want == "" && strings.Contains(got, "<") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// spanish are letters and words that no English line has.
var spanish = regexp.MustCompile(`(?i)[áéíóúñ¿¡]|\b(el|la|los|las|que|de|del|una?|con|para|por|se|su)\b`)

// TestTheLogIsEnglish reads what every package logs.
func TestTheLogIsEnglish(t *testing.T) {
	levels := map[string]bool{"Debug": true, "Info": true, "Warn": true, "Error": true}
	lines := 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !levels[strings.TrimSuffix(method.Sel.Name, "Context")] {
				return true
			}
			if of, ok := method.X.(*ast.Ident); ok && of.Name == "http" {
				return true // an answer
			}
			for _, argument := range call.Args {
				ast.Inspect(argument, func(n ast.Node) bool {
					literal, ok := n.(*ast.BasicLit)
					if !ok || literal.Kind != token.STRING {
						return true
					}
					lines++
					if text, err := strconv.Unquote(literal.Value); err != nil || spanish.MatchString(text) {
						t.Errorf("%s logs %s", path, literal.Value)
					}
					return true
				})
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines < 100 {
		t.Errorf("%d texts are logged", lines)
	}
}

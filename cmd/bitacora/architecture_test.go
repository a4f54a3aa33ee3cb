package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers, from the outside in: a package may import its own layer and those after it.
var layers = []string{"cmd", "adapters", "projections", "domain"}

// leaves are imported by whoever needs them and import nothing of the project.
var leaves = []string{"schema", "webapp"}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range listPackages(t) {
		layer, inside := layerOf(p.ImportPath)
		if !inside {
			t.Errorf("%s lies in none of the layers %v and leaves %v", p.ImportPath, layers, leaves)
			continue
		}
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if !strings.HasPrefix(imported, "bitacora/") {
				continue
			}
			target, _ := layerOf(imported)
			switch {
			case slices.Contains(leaves, layer):
				t.Errorf("%s is a leaf and imports %s", p.ImportPath, imported)
			case slices.Contains(leaves, target):
			case slices.Index(layers, layer) > slices.Index(layers, target):
				t.Errorf("%s imports %s against the direction %s", p.ImportPath, imported, strings.Join(layers, " → "))
			}
		}
	}
}

func TestDomainIsStandardLibraryOnly(t *testing.T) {
	// They read a clock, draw an id, log or open something; these come in from outside.
	outside := []string{"log", "log/slog", "os", "net", "net/http", "crypto/rand", "math/rand"}
	for _, p := range listPackages(t) {
		if layer, _ := layerOf(p.ImportPath); layer != "domain" {
			continue
		}
		for _, imported := range p.Imports {
			ours := strings.HasPrefix(imported, "bitacora/domain/")
			if first, _, _ := strings.Cut(imported, "/"); !ours && strings.Contains(first, ".") || slices.Contains(outside, imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// drivers are imported by the adapters that wrap what they drive, and by nobody else.
var drivers = map[string][]string{
	// A stand-in of an image's pg_basebackup speaks its protocol.
	// The kit of the program's tests looks past the program.
	"github.com/jackc/pgx": {"bitacora/adapters/postgres", "bitacora/adapters/offsite", "bitacora/adapters/engines", "bitacora/cmd/tasks/standins/postgres", "bitacora/cmd/bitacora/programtest"},
	// httpapi tells the errors of ClickHouse apart by itself.
	"github.com/ClickHouse/clickhouse": {"bitacora/adapters/clickhouse", "bitacora/adapters/engines", "bitacora/adapters/httpapi", "bitacora/cmd/bitacora/programtest"},
}

func TestDriversStayInTheirAdapters(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, imported := range p.Imports {
			for driver, adapters := range drivers {
				wraps := slices.ContainsFunc(adapters, func(a string) bool { return p.ImportPath == a || strings.HasPrefix(p.ImportPath, a+"/") })
				if strings.HasPrefix(imported, driver) && !wraps {
					t.Errorf("%s imports the driver %s, which is for %v", p.ImportPath, imported, adapters)
				}
			}
		}
	}
}

// undivided are the packages whose files are all of one command, or of the tests.
var undivided = []string{"bitacora/cmd/bitacora/doctor", "bitacora/cmd/bitacora/programtest"}

// TestMethodsLieWithTheirType keeps any type of the commands from growing into all of them: what a
// command does is in its own files, in functions or in types of them. Those of one command begin
// alike: keys.go, keys_seal.go.
func TestMethodsLieWithTheirType(t *testing.T) {
	found := false
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, "bitacora/cmd/bitacora") || slices.Contains(undivided, p.ImportPath) {
			continue
		}
		typeFile, methods := map[string]string{}, map[string][]string{}
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				switch d := d.(type) {
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if spec, ok := spec.(*ast.TypeSpec); ok {
							typeFile[spec.Name.Name] = file
						}
					}
				case *ast.FuncDecl:
					if d.Recv != nil {
						methods[file] = append(methods[file], receiverOf(d)+"."+d.Name.Name)
					}
				}
			}
		}
		found = found || typeFile["App"] != ""
		for file, list := range methods {
			for _, method := range list {
				receiver, _, _ := strings.Cut(method, ".")
				if commandOf(typeFile[receiver]) != commandOf(file) {
					t.Errorf("%s: %s lies in %s, its type in %s", p.ImportPath, method, file, typeFile[receiver])
				}
			}
		}
	}
	if !found {
		t.Error("the type that commands work with was not found")
	}
}

func receiverOf(d *ast.FuncDecl) string { return nameOf(d.Recv.List[0].Type) }

// nameOf is the name of a type of the package itself, also behind a pointer or with parameters; empty for any other.
func nameOf(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return nameOf(of.X)
	case *ast.IndexExpr:
		return nameOf(of.X)
	case *ast.IndexListExpr:
		return nameOf(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// mostMethods is how many methods a type may have, with those of the types that it embeds.
const mostMethods = 40

// manyMethods are the types that have more, and how many they may have until they are divided.
var manyMethods = map[string]int{
	"bitacora/adapters/clickhouse.DB": 63,
	"bitacora/adapters/postgres.Log":  65,
}

func TestNoTypeHasManyMethods(t *testing.T) {
	for _, p := range listPackages(t) {
		methods := map[string]int{}
		embedded := map[string][]string{}
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Recv != nil {
						methods[receiverOf(n)]++
					}
				case *ast.TypeSpec:
					if of, ok := n.Type.(*ast.StructType); ok {
						for _, field := range of.Fields.List {
							if len(field.Names) == 0 {
								embedded[n.Name.Name] = append(embedded[n.Name.Name], nameOf(field.Type))
							}
						}
					}
				}
				return true
			})
		}
		for name, own := range methods {
			for _, of := range embedded[name] {
				own += methods[of]
			}
			full := p.ImportPath + "." + name
			if most := cmp.Or(manyMethods[full], mostMethods); own > most {
				t.Errorf("%s has %d methods, and may have %d", full, own, most)
			} else if most > mostMethods && own < most {
				t.Errorf("%s has %d methods by now: lower its number in manyMethods, or take it out", full, own)
			}
		}
	}
}

// beside names what lies beside the project. Only those may know of it who do without it.
var beside = map[string]bool{
	"adapters/archive/archivetest/archivetest.go": true,
	"cmd/bitacora/architecture_test.go":           true,
	"cmd/tasks/e2e.mjs":                           true,
}

func TestTheProjectNeedsNothingBesideIt(t *testing.T) {
	matches, err := exec.Command("git", "-C", "../..", "grep", "--untracked", "--only-matching", "--extended-regexp", `(\.\./)+shared\b`).Output()
	if err != nil {
		t.Skipf("no checkout with git: %v", err)
	}
	for match := range strings.Lines(string(matches)) {
		file, named, _ := strings.Cut(strings.TrimSpace(match), ":")
		// A folder of the project may have that name, too.
		within := filepath.Join(filepath.Dir(file), named)
		if _, err := os.Stat(filepath.Join("../..", within)); err == nil && filepath.IsLocal(within) {
			continue
		}
		if !beside[file] {
			t.Errorf("%s reads what lies beside the project", file)
		}
	}
}

func layerOf(importPath string) (layer string, known bool) {
	layer, _, _ = strings.Cut(strings.TrimPrefix(importPath, "bitacora/"), "/")
	return layer, slices.Contains(layers, layer) || slices.Contains(leaves, layer)
}

type goPackage struct {
	ImportPath, Dir                             string
	GoFiles, Imports, TestImports, XTestImports []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports", "bitacora/...").Output()
	if err != nil {
		t.Fatalf("list packages: %v", err)
	}
	var packages []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// commandOf is what the names of a command's files begin with.
func commandOf(file string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(file, ".go"), "_")
	return name
}

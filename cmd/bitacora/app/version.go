package app

import (
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres"
	"bitacora/projections"
)

// commit is that of the source, which the build tells.
var commit = "unknown"

// OwnVersion is what runs with the engines of cfg.
func OwnVersion(cfg engines.Config) (*contract.Version, error) {
	schema, err := postgres.SchemaVersion()
	if err != nil {
		return nil, err
	}
	v := &contract.Version{Commit: commit, Schema: strings.TrimSuffix(schema, ".sql"), Projections: projections.Version, Engines: []contract.EngineVersion{}}
	for _, e := range cfg.Versions() {
		v.Engines = append(v.Engines, contract.EngineVersion{Name: contract.EngineVersionName(e.Name), Version: e.Version})
	}
	return v, nil
}

// VersionText is what --version prints.
func VersionText() string {
	v, err := OwnVersion(engines.Config{})
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "bitacora, commit %s\nschema %s, projections %d\n", v.Commit, v.Schema, v.Projections)
	for _, e := range v.Engines {
		fmt.Fprintf(&b, "%s %s\n", e.Name, e.Version)
	}
	return b.String()
}

// VersionCollector is the version as a metric.
func VersionCollector(v *contract.Version) prometheus.Collector {
	labels := prometheus.Labels{"commit": v.Commit, "schema": v.Schema, "projections": fmt.Sprint(v.Projections)}
	for _, e := range v.Engines {
		labels[strings.ToLower(string(e.Name))] = e.Version
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: "bitacora_version_info", Help: "1, with what runs.", ConstLabels: labels})
	g.Set(1)
	return g
}

package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bitacora/projections/builds"
)

// Gaps implements [builds.RefilledTables].
func (db *DB) Gaps(ctx context.Context, address string) (gaps []builds.Gap, err error) {
	if db.cluster.Name == "" {
		return nil, errors.New("BITACORA_CLICKHOUSE_CLUSTER names no cluster, and one server has no replica to be filled from")
	}
	if address != "" && db.at(address) == nil {
		return nil, fmt.Errorf("BITACORA_CLICKHOUSE_URL names no node %s", address)
	}
	names, err := db.BuildNames(ctx)
	if err != nil {
		return nil, err
	}
	for _, build := range names {
		list, err := db.holdings(ctx, build)
		if err != nil {
			return nil, fmt.Errorf("look for build %s: %w", build, err)
		}
		gaps = append(gaps, db.gapsOf(build, list, address)...)
	}
	return gaps, nil
}

// gapsOf lists what nodes lack of a build, or all that the node with an address has of it.
func (db *DB) gapsOf(build string, list []holding, address string) (gaps []builds.Gap) {
	if !isFilled(list) {
		return nil
	}
	whole := db.whole(list)
	for _, n := range db.nodes {
		if address == "" && whole[n] || address != "" && n.address() != address {
			continue
		}
		g := builds.Gap{Build: build, Node: n.address()}
		if from := db.sister(n, whole); from != nil {
			g.From = from.address()
		}
		gaps = append(gaps, g)
	}
	return gaps
}

// at is the node with an address; nil where there is none.
func (db *DB) at(address string) *node {
	i := slices.IndexFunc(db.nodes, func(n *node) bool { return n.address() == address })
	if i < 0 {
		return nil
	}
	return db.nodes[i]
}

// Refill implements [builds.RefilledTables].
func (db *DB) Refill(ctx context.Context, g builds.Gap) error {
	if db.cluster.Keeper {
		return errors.New("ClickHouse fills the replicas of its Keeper itself, and bitacora rebuild makes a build anew")
	}
	for _, database := range db.databases(g.Build) {
		if err := db.at(g.Node).exec(ctx, "DROP DATABASE IF EXISTS "+database+" SYNC"); err != nil {
			return fmt.Errorf("remove build %s from node %s: %w", g.Build, g.Node, err)
		}
	}
	return nil
}

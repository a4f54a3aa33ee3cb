// Package schema embeds what the project promises to others: the tables of both
// databases, the shape of every event, and the HTTP contract.
package schema

import "embed"

// Postgres holds the migrations of the log's database, applied in name order.
//
//go:embed postgres/*.sql
var Postgres embed.FS

// ClickHouse holds the tables of one projection build and the analysts' views.
//
//go:embed clickhouse/*.sql
var ClickHouse embed.FS

// Events holds the JSON Schema and one kept example of every event type and version.
//
//go:embed events
var Events embed.FS

// OpenAPI is the contract of the HTTP interface.
//
//go:embed openapi.yaml
var OpenAPI []byte

// Package schema embeds what the project promises to others: the tables of both
// databases, the shape of every event, and the HTTP contract.
package schema

import (
	"embed"
	"encoding/json"
	"fmt"
)

// Postgres holds the migrations of the log's database, applied in name order.
//
//go:embed postgres/*.sql
var Postgres embed.FS

// ClickHouse holds the tables of one projection build and the analysts' views.
//
//go:embed clickhouse/*.sql
var ClickHouse embed.FS

// Events holds the JSON Schema of every event type and version, with one example.
//
//go:embed events/*.json
var Events embed.FS

// EventExample returns the example that the schema of an event contains.
func EventExample(eventType string, version int) (string, error) {
	text, err := Events.ReadFile(fmt.Sprintf("events/%s.v%d.json", eventType, version))
	if err != nil {
		return "", err
	}
	var of struct{ Examples [1]json.RawMessage }
	if err := json.Unmarshal(text, &of); err != nil {
		return "", fmt.Errorf("read example of %s: %w", eventType, err)
	}
	return string(of.Examples[0]), nil
}

// OpenAPI is the contract of the HTTP interface.
//
//go:embed openapi.yaml
var OpenAPI []byte

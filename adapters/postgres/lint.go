package postgres

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"bitacora/domain/fault"
	"bitacora/schema"
)

// Schemas are the JSON Schemas of all events, by type and version.
type Schemas struct{ byName map[string]*jsonschema.Schema }

// LoadSchemas compiles the files of schema/events.
func LoadSchemas() (*Schemas, error) {
	names, err := fs.Glob(schema.Events, "events/*.json")
	if err != nil {
		return nil, fmt.Errorf("list event schemas: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	all := &Schemas{map[string]*jsonschema.Schema{}}
	for _, name := range names {
		text, err := schema.Events.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read event schema: %w", err)
		}
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			return nil, fmt.Errorf("read event schema %s: %w", name, err)
		}
		if err := compiler.AddResource(name, document); err != nil {
			return nil, fmt.Errorf("read event schema %s: %w", name, err)
		}
		compiled, err := compiler.Compile(name)
		if err != nil {
			return nil, fmt.Errorf("compile event schema %s: %w", name, err)
		}
		all.byName[strings.TrimSuffix(strings.TrimPrefix(name, "events/"), ".json")] = compiled
	}
	return all, nil
}

// Validate says what is wrong with the clear part of an event.
func (s *Schemas) Validate(eventType string, version int, data []byte) error {
	name := fmt.Sprintf("%s.v%d", eventType, version)
	compiled, ok := s.byName[name]
	if !ok {
		return fmt.Errorf("there is no schema %s", name)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return compiled.Validate(document)
}

// Lint validates every event of the log against the schema of its type and version, but for those
// that operators decided to pass over.
func (l *Log) Lint(ctx context.Context, progress func(done, total int64)) (Report, error) {
	schemas, err := LoadSchemas()
	if err != nil {
		return Report{}, err
	}
	report, err := l.report(ctx)
	if err != nil {
		return report, err
	}
	head, err := l.Head(ctx)
	if err != nil {
		return report, err
	}
	err = l.walk(ctx, 0, head, progress, func(rows []row, _ map[string]*subjectKey) error {
		for i := range rows {
			r := &rows[i]
			report.Events++
			if err := schemas.Validate(r.eventType, int(r.schemaVersion), []byte(r.data)); err != nil && !report.Unknown.Skipped[r.position] {
				report.find(r.position, "%v", err)
			}
		}
		return nil
	})
	return report, fault.Wrap(err, "lint log")
}

package clickhouse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/schema"
)

// lineage is where the stored columns of a table come from: by column and field of events, the events.
type lineage struct {
	writers map[string]bool
	columns map[string]map[string][]string
}

// exampleOf is an event as its schema's example tells it.
func exampleOf(t *testing.T, eventType string, position int64) event.Recorded {
	t.Helper()
	kind, _ := event.KindOf(eventType)
	data, err := schema.EventExample(eventType, kind.Version)
	if err != nil {
		t.Fatal(err)
	}
	e := event.Recorded{Position: position, ID: event.DerivedID(eventType), Stream: "conversation/7f0c2a9e", OccurredAt: time.Date(2026, 11, 3, 14, 30+int(position), 0, 0, time.UTC)}
	if strings.HasPrefix(eventType, "Answer") {
		e.Stream = event.AnswerStream("parqueo", 1)
	}
	e.Payload = decoded(t, eventType, data)
	return e
}

func decoded(t *testing.T, eventType string, data string) event.Payload {
	t.Helper()
	kind, _ := event.KindOf(eventType)
	payload, err := event.Decode(eventType, kind.Version, data)
	if err != nil {
		t.Fatal(eventType, err)
	}
	if personal, ok := payload.(event.Personal); ok {
		for _, f := range personal.PersonalFields() {
			*f.Value = "¿Cuánto cuesta?"
		}
	}
	return payload
}

// lineages finds the lineage of every table by changing one field of each event after another.
func lineages(t *testing.T) map[string]*lineage {
	t.Helper()
	all := map[string]*lineage{}
	for _, eventType := range event.Types() {
		whole := exampleOf(t, eventType, 1)
		found := map[string]map[string]bool{}                                                 // of columns: the fields that they come from
		written := columnsThatDiffer(whole, event.Recorded{Payload: &event.StaffSignedOut{}}) // which has no rows
		for _, c := range changes(t, whole) {
			for column := range columnsThatDiffer(whole, c.event) {
				if found[column] == nil {
					found[column] = map[string]bool{}
				}
				found[column][c.field], written[column] = true, true
			}
		}
		for column := range written {
			table, name, _ := strings.Cut(column, ".")
			if all[table] == nil {
				all[table] = &lineage{map[string]bool{}, map[string]map[string][]string{}}
			}
			l := all[table]
			l.writers[eventType] = true
			if l.columns[name] == nil {
				l.columns[name] = map[string][]string{}
			}
			for _, field := range slices.Sorted(maps.Keys(found[column])) {
				l.columns[name][field] = append(l.columns[name][field], eventType)
			}
			if len(found[column]) == 0 {
				l.columns[name][""] = append(l.columns[name][""], eventType)
			}
		}
	}
	return all
}

// changedEvent is one with another value of a field.
type changedEvent struct {
	field string
	event event.Recorded
}

// changes are copies of an event with another value of one field each.
func changes(t *testing.T, e event.Recorded) (all []changedEvent) {
	t.Helper()
	with := func(field string, change func(*event.Recorded)) {
		changed := e
		change(&changed)
		all = append(all, changedEvent{field, changed})
	}
	with("time", func(e *event.Recorded) { e.OccurredAt = e.OccurredAt.Add(time.Hour) })
	with("position", func(e *event.Recorded) { e.Position++ })
	with("id", func(e *event.Recorded) { e.ID = event.DerivedID("another") })
	with("stream", func(e *event.Recorded) { e.Stream += "x" })
	with("metadata.channel", func(e *event.Recorded) { e.Metadata = map[string]string{event.Channel: "demo"} })
	eventType := e.Payload.EventType()
	kind, _ := event.KindOf(eventType)
	data, err := schema.EventExample(eventType, kind.Version)
	if err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal([]byte(data), &root); err != nil {
		t.Fatal(err)
	}
	places := map[string][]leaf{}
	leaves(root, "", nil, places)
	for _, path := range slices.Sorted(maps.Keys(places)) {
		for _, other := range append(allowed(t, eventType, path), nil) {
			for _, l := range places[path] {
				l.set(cmp.Or(other, anotherValue(l.value)))
			}
			text, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			with(path, func(e *event.Recorded) { e.Payload = decoded(t, eventType, string(text)) })
		}
		for _, l := range places[path] {
			l.set(l.value)
		}
	}
	if personal, ok := e.Payload.(event.Personal); ok {
		for i, f := range personal.PersonalFields() {
			with(eachOrdinal.ReplaceAllString(f.Name, ".ORDINAL"), func(e *event.Recorded) {
				e.Payload = decoded(t, eventType, data)
				*e.Payload.(event.Personal).PersonalFields()[i].Value = "otra"
			})
		}
	}
	return all
}

var eachOrdinal = regexp.MustCompile(`\.\d+$`)

// allowed are the values that the schema of an event allows for a field, where it lists them.
func allowed(t *testing.T, eventType, field string) []any {
	t.Helper()
	kind, _ := event.KindOf(eventType)
	text, err := schema.Events.ReadFile(fmt.Sprintf("events/%s.v%d.json", eventType, kind.Version))
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Properties map[string]struct{ Enum []any }
	}
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	return of.Properties[field].Enum
}

// leaf is a value of a JSON document that contains no other, with what puts another in its place.
type leaf struct {
	value any
	set   func(any)
}

// leaves collects those of a document by their paths; elements of an array have one path, since a change of
// a single one could change their order.
func leaves(value any, path string, set func(any), into map[string][]leaf) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			leaves(inner, strings.TrimPrefix(path+"."+name, "."), func(to any) { v[name] = to }, into)
		}
	case []any:
		for i, inner := range v {
			leaves(inner, path, func(to any) { v[i] = to }, into)
		}
	default:
		into[path] = append(into[path], leaf{value, set})
	}
}

func anotherValue(value any) any {
	switch v := value.(type) {
	case float64:
		return v + 1
	case bool:
		return !v
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.Add(time.Hour).Format(time.RFC3339)
		}
		return v + "x"
	}
	return value
}

// columnsThatDiffer are the columns, as table.column, in which the rows of two events differ.
func columnsThatDiffer(a, b event.Recorded) map[string]bool {
	found := map[string]bool{}
	before, after := reflect.ValueOf(projections.RowsOf([]event.Recorded{a})), reflect.ValueOf(projections.RowsOf([]event.Recorded{b}))
	for table, rows := range before.Fields() {
		others := after.FieldByIndex(table.Index)
		for i := range rows.Len() {
			other := reflect.Zero(rows.Type().Elem())
			if i < others.Len() {
				other = others.Index(i)
			}
			for field, value := range rows.Index(i).Fields() {
				if !reflect.DeepEqual(value.Interface(), other.FieldByIndex(field.Index).Interface()) {
					found[columnOf(table)+"."+columnOf(field)] = true
				}
			}
		}
	}
	return found
}

// of says in words where stored columns come from.
func (l *lineage) of(columns ...string) string {
	fields := map[string][]string{}
	for _, column := range columns {
		for field, events := range l.columns[strings.TrimPrefix(column, toldPrefix)] {
			fields[field] = append(fields[field], events...)
		}
	}
	var parts []string
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		slices.Sort(fields[field])
		list := slices.Compact(fields[field])
		events := strings.Join(list, ", ")
		if len(list) == len(l.writers) && len(list) > 1 {
			events = "each event"
		}
		if field != "" {
			events = "`" + field + "` of " + events
		}
		parts = append(parts, events)
	}
	return strings.Join(parts, "; ")
}

// readTable is the table that most of a view's columns are read from, where it has another name.
var readTable = map[string]string{"outcomes": "bookings", "exchanges": "messages", "cohort": "conversations", "cohort_days": "conversations"}

var declaredLineage = regexp.MustCompile(`(?m)^    (\w+) +\S.* COMMENT .*,? -- of (.+)$`)

// origins say in words where each column of a view comes from: as its line declares, or from the fields of events.
func origins(t *testing.T, view string, all map[string]*lineage) map[string]string {
	t.Helper()
	found := map[string]string{}
	table := view
	if readTable[view] != "" {
		table = readTable[view]
	}
	if l := all[table]; l != nil {
		stored := declaredIn(fileOf("table_" + table))
		for _, c := range stored {
			var from []string
			for _, of := range stored {
				if of.alias == "" && (of.name == c.name || regexp.MustCompile(`\b`+of.name+`\b`).MatchString(c.alias)) {
					from = append(from, of.name)
				}
			}
			found[c.name] = l.of(from...)
		}
	}
	for _, c := range declaredLineage.FindAllStringSubmatch(fileOf("view_"+view), -1) {
		for _, ref := range strings.Split(c[2], ", ") {
			of, name, other := strings.Cut(ref, ".")
			if !other {
				of, name = table, ref
			}
			if !strings.HasPrefix(ref, "the ") && !slices.ContainsFunc(declaredIn(fileOf("table_"+of)), func(stored fileColumn) bool { return stored.name == name }) {
				t.Errorf("%s.%s comes from %s, which no table has", view, c[1], ref)
			}
		}
		found[c[1]] = c[2]
		if !strings.HasPrefix(c[2], "the ") {
			found[c[1]] = "`" + strings.ReplaceAll(c[2], ", ", "`, `") + "`"
		}
	}
	return found
}

package clickhouse

import (
	"regexp"
	"strings"

	"bitacora/schema"
)

// fileColumn is a column as the file of its table or view declares it.
type fileColumn struct{ name, kind, alias, comment string }

var (
	columnLine  = regexp.MustCompile(`(?m)^    (\w+) +(.+?)(?: ALIAS (.+?))? COMMENT ('(?:''|[^'])*')`)
	aggregation = regexp.MustCompile(`^SimpleAggregateFunction\((\w+), (.+)\)$`)
	shownPlaces = regexp.MustCompile(`\{(columns|values) of (\w+)\}`)
)

func declaredIn(statement string) (list []fileColumn) {
	for _, c := range columnLine.FindAllStringSubmatch(statement, -1) {
		list = append(list, fileColumn{c[1], c[2], c[3], c[4]})
	}
	return list
}

// fileOf is a file of schema/clickhouse, which is embedded: a name without a file is a mistake of the program.
func fileOf(name string) string {
	text, err := schema.ClickHouse.ReadFile("clickhouse/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// merged is the type of a column once its rows are merged, and the function that merges them, if any.
func (c fileColumn) merged() (kind, by string) {
	if parts := aggregation.FindStringSubmatch(c.kind); parts != nil {
		return parts[2], parts[1]
	}
	return c.kind, ""
}

// column is how a view declares a column of a table.
func (c fileColumn) column() string {
	kind, _ := c.merged()
	return c.name + " " + kind + " COMMENT " + strings.Replace(c.comment, "unordered", "sorted", 1)
}

// value is how a view reads a column of a table. Without a cast a value arrives with the aggregate function that
// it is stored with; a cast to a time would need its zone.
func (c fileColumn) value() string {
	switch kind, by := c.merged(); {
	case by == "":
		return c.name
	case strings.HasPrefix(kind, "Array"):
		return "arraySort(" + c.name + ") AS " + c.name
	case strings.Contains(kind, "DateTime64"):
		return "toDateTime64(" + c.name + ", 3) AS " + c.name
	default:
		return c.name + "::" + kind + " AS " + c.name
	}
}

// shown fills the columns of tables into the statement of a view, but those that an alias is computed from, and
// those that the view declares itself.
func shown(statement string) string {
	return shownPlaces.ReplaceAllStringFunc(statement, func(place string) string {
		parts := shownPlaces.FindStringSubmatch(place)
		all := declaredIn(fileOf("table_" + parts[2]))
		left := map[string]bool{}
		for _, c := range declaredIn(statement) {
			left[c.name] = true
		}
		for _, c := range all {
			for _, of := range all {
				if of.name != c.name && regexp.MustCompile(`\b`+of.name+`\b`).MatchString(c.alias) {
					left[of.name] = true
				}
			}
		}
		var lines []string
		for _, c := range all {
			switch {
			case left[c.name]:
			case parts[1] == "columns":
				lines = append(lines, c.column())
			default:
				lines = append(lines, c.value())
			}
		}
		return strings.Join(lines, ",\n    ")
	})
}

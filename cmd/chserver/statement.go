package main

import (
	"strings"
)

// insertStatement is an INSERT that brings its data with it.
type insertStatement struct {
	head   string // up to its FORMAT or VALUES
	format string
	data   int // where the data begins in the text
}

// parseInsert splits an INSERT from its data. It finds none in INSERT …
// SELECT, which carries no data, nor in any other statement.
func parseInsert(sql string) (insertStatement, bool) {
	var previous, current token
	position, inName := 0, true
	for t := range tokens(sql) {
		previous, current = current, t
		position++
		if position == 1 {
			if !t.is("INSERT") {
				return insertStatement{}, false
			}
			continue
		}
		if inName {
			inName = t.is("INTO") || t.is("TABLE") || t.is("FUNCTION")
			continue
		}
		if t.depth == 1 && previous.mark("(") && (t.is("SELECT") || t.is("WITH")) {
			return insertStatement{}, false
		}
		if t.depth > 0 || previous.mark(".") {
			continue
		}
		switch {
		case t.is("SELECT"), t.is("WITH"), t.is("FROM"):
			return insertStatement{}, false
		case t.is("VALUES"):
			return insertStatement{head: sql[:t.start], format: "Values", data: t.end}, true
		case previous.is("FORMAT") && t.kind == tokenWord:
			return insertStatement{head: sql[:previous.start], format: t.text, data: dataStart(sql, t.end)}, true
		}
	}
	return insertStatement{}, false
}

// dataStart skips the blanks and the one line end that part FORMAT x from data.
func dataStart(sql string, at int) int {
	for at < len(sql) && strings.IndexByte(" \t\f", sql[at]) >= 0 {
		at++
	}
	if at < len(sql) && sql[at] == '\r' {
		at++
	}
	if at < len(sql) && sql[at] == '\n' {
		at++
	}
	return at
}

// shape is what this program must know of a statement before it runs it.
type shape struct {
	format        string // of its FORMAT clause, or empty
	touchesFiles  bool   // INTO OUTFILE or FROM INFILE
	wholeDocument bool   // asks for output that is correct only in one piece
	readsInput    bool   // INSERT … SELECT … FROM input(…)
	reads         bool   // does not begin like a statement that writes
}

// readingKeywords begin the statements whose result is all that they do.
var readingKeywords = map[string]bool{
	"SELECT": true, "WITH": true, "FROM": true, "(": true, "SHOW": true, "DESCRIBE": true, "DESC": true,
	"EXISTS": true, "EXPLAIN": true, "CHECK": true, "VALUES": true,
}

// inspect reads a statement's tokens.
func inspect(sql string, formats map[string]bool) shape {
	var s shape
	var before, previous token
	inserts := false
	for t := range tokens(sql) {
		inserts = inserts || t.is("INSERT")
		s.readsInput = s.readsInput || inserts && previous.is("input") && t.mark("(")
		if previous.end == 0 {
			s.reads = readingKeywords[strings.ToUpper(t.text)]
		}
		if t.is("TOTALS") || t.is("extremes") || t.is("output_format_json_array_of_rows") {
			s.wholeDocument = true
		}
		ends := t.mark(";") || t.is("SETTINGS")
		if t.depth == 0 && ends && before.is("FORMAT") && formats[previous.text] {
			s.format = previous.text
		}
		if previous.is("INTO") && t.is("OUTFILE") || previous.is("FROM") && t.is("INFILE") {
			s.touchesFiles = true
		}
		before, previous = previous, t
	}
	if before.is("FORMAT") && formats[previous.text] && previous.depth == 0 {
		s.format = previous.text
	}
	return s
}

package main

import "strings"

// Table functions that read nothing but their arguments. All others that the
// engine knows reach files, servers, other tables or the engine's insides.
var harmlessTableFunctions = map[string]bool{
	"numbers": true, "numbers_mt": true, "zeros": true, "zeros_mt": true, "primes": true, "values": true,
	"generateseries": true, "generate_series": true, "generaterandom": true, "null": true, "format": true,
	"view": true, "viewexplain": true, "sqlstandardvalues": true,
}

// Scalar functions that reach files or servers.
var reachingFunctions = map[string]bool{
	"file": true, "catboostevaluate": true, "hascolumnintable": true, "showcertificate": true,
	"aigenerate": true, "aiclassify": true, "aiextract": true, "aiembed": true, "aitranslate": true,
}

// System tables that describe the schema and the language. The others show
// what other users ask, or how the host is set up.
var harmlessSystemTables = map[string]bool{
	"one": true, "numbers": true, "numbers_mt": true, "zeros": true, "zeros_mt": true, "primes": true,
	"databases": true, "tables": true, "columns": true, "parts": true, "parts_columns": true, "projections": true,
	"constraints": true, "data_skipping_indices": true, "functions": true, "aggregate_function_combinators": true,
	"table_functions": true, "table_engines": true, "database_engines": true, "data_type_families": true, "formats": true,
	"settings": true, "settings_changes": true, "build_options": true, "contributors": true, "licenses": true,
	"collations": true, "keywords": true, "time_zones": true, "tokenizers": true, "codecs": true, "completions": true,
	"documentation": true, "current_roles": true, "enabled_roles": true, "dictionaries": true,
}

// reader decides what an analyst may ask. The engine's readonly=1 is not
// enough: it lets the function file read the host, KILL stop other people's
// queries, and INTO OUTFILE write files.
type reader struct {
	tableFunctions map[string]bool // that the engine knows, in lower case
}

// allow refuses a statement that is not a single harmless question. It judges
// what the engine's own parser makes of it.
func (p reader) allow(c *connection, sql string, parameters []parameter) error {
	a, err := c.classify(sql)
	if err != nil {
		return err
	}
	if err := oneStatement(c, sql, a); err != nil {
		return err
	}
	if a.class != classReadOnly {
		return exceptionf(codeReadonly, "%s: Cannot execute query in readonly mode: only a single SELECT, SHOW, DESCRIBE, EXISTS or EXPLAIN is allowed", userAnalyst)
	}
	tree, err := c.query("EXPLAIN AST "+sql, "TSVRaw", parameters)
	if err != nil {
		return err
	}
	defer tree.destroy()
	return p.allowTree(string(tree.bytes()), words(sql, parameters))
}

// oneStatement refuses a text that holds several statements or none. The
// engine would run the first ones of a text before it finds a later mistake.
func oneStatement(c *connection, sql string, a analysis) error {
	if a.statements > 1 {
		return exceptionf(codeSyntaxError, "Syntax error: Multi-statements are not allowed")
	}
	if a.statements == 1 {
		return nil
	}
	if _, err := c.text("SELECT formatQuery("+quoteString(sql)+")", "Null"); err != nil {
		return err
	}
	return exceptionf(codeSyntaxError, "Syntax error: the text is not one statement")
}

// words are all that a statement could name a function with: escapes are left
// as a word of their own, since what they hide is not known.
func words(sql string, parameters []parameter) map[string]bool {
	found := map[string]bool{}
	for _, p := range parameters {
		sql += " " + p.value
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(sql), func(r rune) bool {
		return r < 0x80 && r != '\\' && !wordByte(byte(r))
	}) {
		if strings.ContainsRune(word, '\\') {
			word = `\`
		}
		found[word] = true
	}
	return found
}

// allowTree judges the output of EXPLAIN AST, a node a line.
func (p reader) allowTree(tree string, words map[string]bool) error {
	for line := range strings.Lines(tree) {
		kind, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		name, _, _ = strings.Cut(strings.ToLower(name), " (")
		switch {
		case kind == "Function" && p.reaches(name):
			return exceptionf(codeAccessDenied, "%s: Not enough privileges to use the function %s", userAnalyst, name)
		case kind == "ColumnsApplyTransformer":
			// The tree does not show what is applied.
			for word := range words {
				if p.reaches(word) || word == `\` {
					return exceptionf(codeAccessDenied, "%s: Not enough privileges to use %s in a statement with APPLY", userAnalyst, word)
				}
			}
		case kind == "Identifier" || kind == "TableIdentifier":
			if err := p.allowIdentifier(name, kind == "TableIdentifier"); err != nil {
				return err
			}
		case kind == "ShowProcesslistQuery":
			return exceptionf(codeAccessDenied, "%s: Not enough privileges to see what others ask", userAnalyst)
		case strings.HasSuffix(kind, "Query") && strings.Contains(name, "/"):
			return exceptionf(codeAccessDenied, "%s: Not enough privileges to look for a file", userAnalyst)
		}
	}
	return nil
}

// allowIdentifier refuses names of system tables that tell about others, and
// of files, which the engine takes for tables.
func (p reader) allowIdentifier(name string, table bool) error {
	if rest, ok := strings.CutPrefix(name, "system."); ok {
		if rest, _, _ = strings.Cut(rest, "."); !harmlessSystemTables[rest] {
			return exceptionf(codeAccessDenied, "%s: Not enough privileges to read system.%s", userAnalyst, rest)
		}
	}
	if table && strings.Contains(name, "/") {
		return exceptionf(codeAccessDenied, "%s: Not enough privileges to read a file", userAnalyst)
	}
	return nil
}

// reaches says whether a function, named in lower case, reads more than its
// arguments.
func (p reader) reaches(function string) bool {
	return reachingFunctions[function] || p.tableFunctions[function] && !harmlessTableFunctions[function]
}

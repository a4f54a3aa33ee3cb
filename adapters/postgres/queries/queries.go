// Package queries contains the statements of the log's database by topic.
package queries

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed *.sql
var files embed.FS

// named are the texts of the files, each below a line "-- name: <name>".
var named = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		panic(err)
	}
	for _, file := range names {
		text, err := files.ReadFile(file)
		if err != nil {
			panic(err)
		}
		for _, section := range strings.Split("\n"+string(text), "\n-- name: ")[1:] {
			name, sql, _ := strings.Cut(section, "\n")
			all[name] = sql
		}
	}
	return all
})

// Named returns the text of a query by its name, and panics where there is none.
func Named(name string) string {
	text, ok := named()[name]
	if !ok {
		panic("no query is named " + name)
	}
	return text
}

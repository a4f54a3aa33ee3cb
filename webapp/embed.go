// Package webapp carries the built website and dashboard inside the binary, so
// that serving them needs neither Node nor files beside the program.
package webapp

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

//go:embed all:dist-ssr
var server embed.FS

// Dist is the root of the built site: index.html, assets/ and what stands
// beside them. Before the first build it holds no index.html.
func Dist() fs.FS {
	root, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path by construction
	}
	return root
}

// Pages is the script that renders the site's pages to HTML. It is not served.
// Before the first build there is none and the error is [fs.ErrNotExist].
func Pages() ([]byte, error) { return server.ReadFile("dist-ssr/site.js") }

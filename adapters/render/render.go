// Package render writes the site's pages as complete HTML. It runs the webapp's server
// bundle, the same React tree as in the browser, inside this process with goja.
package render

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bitacora/domain/fault"

	"github.com/dop251/goja"
)

// Page is a rendered page.
type Page struct {
	// HTML stands inside of the page's root element. It is empty where only the head
	// could be rendered.
	HTML string
	// Head is what the page adds to the document's head.
	Head string
	// Status is the HTTP status: 200, or 404 for a page that there is not.
	Status int
}

// machines is how many pages can be rendered at once: a machine is not safe for
// concurrent use, and rendering takes a core.
const machines = 2

// patience is how long one page may take. Twenty milliseconds are usual, and a crowded
// machine has its moments.
const patience = 5 * time.Second

// Renderer renders pages. It is safe for concurrent use.
type Renderer struct {
	program  *goja.Program
	patience time.Duration
	// pool holds idle machines, and nil in the place of those that were never started or
	// were thrown away.
	pool chan *machine
}

//go:embed polyfills.js
var polyfills string

// New compiles a server bundle: a script that leaves an object "site" with the functions
// render(path, data) and head(path, data).
func New(bundle []byte) (*Renderer, error) {
	program, err := goja.Compile("site.js", polyfills+"\n"+string(bundle), false)
	if err != nil {
		return nil, fmt.Errorf("compile pages: %w", err)
	}
	r := &Renderer{program: program, patience: patience, pool: make(chan *machine, machines)}
	for range machines {
		r.pool <- nil
	}
	return r, nil
}

// Render renders the page at a path. The data is what it shows, see
// webapp/src/app/entry-server.tsx. If the page itself fails but its head can be told, both
// a page and an error are given.
func (r *Renderer) Render(ctx context.Context, path string, data map[string]json.RawMessage) (Page, error) {
	page, err := r.call(ctx, "render", path, data)
	if err == nil {
		return page, nil
	}
	err = fmt.Errorf("render page: %w", err)
	page, headErr := r.Head(ctx, path, data)
	return page, errors.Join(err, headErr)
}

// Head tells the head and the status of the page at a path.
func (r *Renderer) Head(ctx context.Context, path string, data map[string]json.RawMessage) (Page, error) {
	page, err := r.call(ctx, "head", path, data)
	return page, fault.Wrap(err, "render head")
}

// Routes are the paths of the pages that are always there, whatever the data.
func (r *Renderer) Routes(ctx context.Context) (routes []string, err error) {
	err = r.with(ctx, func(m *machine) error {
		listed := m.site.Get("routes")
		if listed == nil {
			return errors.New("the bundle is of another version: it names no pages")
		}
		return m.runtime.ExportTo(listed, &routes)
	})
	return routes, fault.Wrap(err, "list pages")
}

func (r *Renderer) call(ctx context.Context, function, path string, data map[string]json.RawMessage) (page Page, err error) {
	if data == nil {
		data = map[string]json.RawMessage{}
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return Page{}, fmt.Errorf("encode page data: %w", err)
	}
	err = r.with(ctx, func(m *machine) error {
		page, err = m.call(function, path, encoded)
		return err
	})
	return page, err
}

// with lends a machine out. One that failed in the middle of something is not used again.
func (r *Renderer) with(ctx context.Context, use func(*machine) error) (err error) {
	var m *machine
	select {
	case m = <-r.pool:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		if err != nil {
			m = nil
		}
		r.pool <- m
	}()
	if m == nil {
		if m, err = newMachine(r.program, r.patience); err != nil {
			return err
		}
	}
	return use(m)
}

// machine is one JavaScript runtime that has read the bundle.
type machine struct {
	runtime  *goja.Runtime
	patience time.Duration
	parse    goja.Callable
	site     *goja.Object
}

func newMachine(program *goja.Program, patience time.Duration) (*machine, error) {
	rt := goja.New()
	rt.SetMaxCallStackSize(4096)
	m := &machine{runtime: rt, patience: patience}
	if err := m.bounded(func() error { _, err := rt.RunProgram(program); return err }); err != nil {
		return nil, fmt.Errorf("start pages: %w", err)
	}
	var ok bool
	if m.parse, ok = goja.AssertFunction(rt.Get("JSON").ToObject(rt).Get("parse")); !ok {
		return nil, errors.New("start pages: no JSON.parse")
	}
	site := rt.Get("site")
	if site == nil || goja.IsUndefined(site) {
		return nil, errors.New(`start pages: the bundle leaves no object "site"`)
	}
	m.site = site.ToObject(rt)
	return m, nil
}

func (m *machine) call(function, path string, data []byte) (Page, error) {
	call, ok := goja.AssertFunction(m.site.Get(function))
	if !ok {
		return Page{}, fmt.Errorf("the bundle has no function %s", function)
	}
	var result goja.Value
	err := m.bounded(func() error {
		given, err := m.parse(goja.Undefined(), m.runtime.ToValue(string(data)))
		if err != nil {
			return err
		}
		result, err = call(goja.Undefined(), m.runtime.ToValue(path), given)
		return err
	})
	if err != nil {
		return Page{}, err
	}
	return m.page(result)
}

// page reads what a function gave: a page, or the promise of one, which has been kept by
// the time that the call is over.
func (m *machine) page(result goja.Value) (Page, error) {
	if promise, ok := result.Export().(*goja.Promise); ok {
		switch promise.State() {
		case goja.PromiseStateFulfilled:
			result = promise.Result()
		case goja.PromiseStateRejected:
			return Page{}, fmt.Errorf("%v", promise.Result())
		default:
			return Page{}, errors.New("the page waits for something that does not come")
		}
	}
	var page struct {
		HTML   string `json:"html"`
		Head   string `json:"head"`
		Status int    `json:"status"`
	}
	text, err := result.ToObject(m.runtime).MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &page)
	}
	if err != nil {
		return Page{}, fmt.Errorf("read page: %w", err)
	}
	if page.Status < 200 || page.Status > 599 {
		return Page{}, fmt.Errorf("the page has status %d", page.Status)
	}
	return Page{HTML: page.HTML, Head: page.Head, Status: page.Status}, nil
}

// bounded runs something that is stopped when it takes too long.
func (m *machine) bounded(run func() error) error {
	timer := time.AfterFunc(m.patience, func() { m.runtime.Interrupt("the page takes too long") })
	err := run()
	if !timer.Stop() && err == nil {
		err = errors.New("the page takes too long")
	}
	return err
}

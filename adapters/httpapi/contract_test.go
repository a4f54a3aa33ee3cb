package httpapi

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/go-chi/chi/v5"

	"bitacora/schema"
)

var contract = sync.OnceValues(func() (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(schema.OpenAPI)
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(openapi3.NewLoader().Context)
})

var contractRouter = sync.OnceValues(func() (routers.Router, error) {
	doc, err := contract()
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

func init() {
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.PlainBodyDecoder)
}

// holdAgainstContract fails the test when an answer of the interface is not one that the
// contract describes. Other addresses are the site's.
func holdAgainstContract(t testing.TB, r *http.Request, w *httptest.ResponseRecorder) {
	t.Helper()
	router, err := contractRouter()
	if err != nil {
		t.Fatal(err)
	}
	route, params, err := router.FindRoute(r)
	if err != nil {
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 w.Code,
		Header:                 w.Header(),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(w.Body.Bytes())
	if err := openapi3filter.ValidateResponse(t.Context(), input); err != nil {
		t.Errorf("%s %s: the answer %d %s breaks the contract: %v", r.Method, route.Path, w.Code, w.Body, err)
	}
}

func TestRoutesAreThoseOfTheContract(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	var described, served []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	a := &api{Config: Config{Site: website, Content: &ContentCache{}}}
	a.site = newSite(a)
	if a.metrics, err = newMetrics(nil); err != nil {
		t.Fatal(err)
	}
	err = chi.Walk(a.routes(), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		// Pages are no part of it.
		if route != "/*" && route != formPage {
			served = append(served, method+" "+route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("the contract describes\n%s\nand the program serves\n%s", strings.Join(described, "\n"), strings.Join(served, "\n"))
	}
}

const root = "../.."

func TestGoTypesAreFresh(t *testing.T) {
	config, err := os.ReadFile("oapi-codegen.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const output = "adapters/httpapi/contract.gen.go"
	dir := t.TempDir()
	again := filepath.Join(dir, "again.go")
	if !bytes.Contains(config, []byte(output)) {
		t.Fatalf("oapi-codegen.yaml does not write %s", output)
	}
	elsewhere := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(elsewhere, bytes.ReplaceAll(config, []byte(output), []byte(again)), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "go", "tool", "oapi-codegen", "-config", elsewhere, "schema/openapi.yaml")
	expectSame(t, output, again)
}

func TestTypeScriptTypesAreFresh(t *testing.T) {
	again := filepath.Join(t.TempDir(), "again.ts")
	run(t, "node", "node_modules/openapi-typescript/bin/cli.js", "schema/openapi.yaml", "-o", again)
	expectSame(t, "webapp/src/api/schema.gen.ts", again)
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(c.Args, " "), err, out)
	}
}

func expectSame(t *testing.T, committed, again string) {
	t.Helper()
	want, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, committed))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what schema/openapi.yaml gives: npm run gen", committed)
	}
}

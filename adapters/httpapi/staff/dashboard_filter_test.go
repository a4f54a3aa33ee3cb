package staff

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"bitacora/domain/clinic"
	"bitacora/schema"
)

func TestEveryFilterOfTheContractNarrowsTheCohort(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(schema.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	all := url.Values{}
	asked := doc.Paths.Value("/api/dashboard/kpis").Parameters
	for name, p := range doc.Components.Parameters {
		if !strings.HasPrefix(name, "filter") {
			continue
		}
		if asked.GetByInAndName("query", p.Value.Name) == nil {
			t.Errorf("the list of /api/dashboard/kpis lacks %s", name)
		}
		switch schema := p.Value.Schema.Value; {
		case schema.Enum != nil:
			all.Set(p.Value.Name, fmt.Sprint(schema.Enum[0]))
		case schema.Type.Is("boolean"):
			all.Set(p.Value.Name, "true")
		default:
			all.Set(p.Value.Name, "1")
		}
	}
	c, err := cohortOf(all, clinic.Default(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	filter := reflect.ValueOf(c.Filter)
	for field, value := range filter.Fields() {
		if value.IsZero() {
			t.Errorf("nothing of %s sets the filter %s", all.Encode(), field.Name)
		}
	}
	if len(all) != filter.NumField() {
		t.Errorf("the contract has %d filters, the cohort %d", len(all), filter.NumField())
	}
}

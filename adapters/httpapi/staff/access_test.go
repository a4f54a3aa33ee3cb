package staff

import (
	"maps"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"bitacora/schema"
)

func TestAccessNamesEveryOperationOfTheStaff(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(schema.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{searchTexts}
	for _, item := range doc.Paths.Map() {
		for _, operation := range item.Operations() {
			if operation.Security != nil && len(*operation.Security) > 0 {
				if _, ok := (*operation.Security)[0]["staff"]; ok {
					want = append(want, operation.OperationID)
				}
			}
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(access)); !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

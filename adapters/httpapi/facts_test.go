package httpapi

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/clinic"
)

// The webapp knows no clinic by itself; what its tests tell it is the default one.
func TestTheClinicOfTheWebappsTestsIsTheDefault(t *testing.T) {
	kept, err := os.ReadFile("../../webapp/e2e/clinic.json")
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.MarshalIndent(clinicOf(clinic.Default()), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(kept, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(told, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("webapp/e2e/clinic.json should be\n%s\n%s", told, diff)
	}
}

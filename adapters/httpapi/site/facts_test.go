package site

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/clinic"
)

// The webapp knows no clinic by itself; the facts that its tests tell it are the default's.
func TestTheClinicOfTheWebappsTestsIsTheDefault(t *testing.T) {
	kept, err := os.ReadFile("../../../webapp/e2e/clinic.json")
	if err != nil {
		t.Fatal(err)
	}
	facts, err := json.Marshal(clinicOf(clinic.Default(), time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	if err := errors.Join(json.Unmarshal(kept, &got), json.Unmarshal(facts, &want)); err != nil {
		t.Fatal(err)
	}
	for fact, value := range got {
		if diff := cmp.Diff(want[fact], value); diff != "" {
			t.Errorf("webapp/e2e/clinic.json, %s: %s", fact, diff)
		}
	}
	if len(got) == 0 {
		t.Error("webapp/e2e/clinic.json is empty")
	}
}

package dossier

import (
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/subjects"
)

func TestTheNameOfACopyHasTheClinicsDay(t *testing.T) {
	for made, want := range map[string]string{
		"2026-11-24T04:59:59Z": "bitacora-datos-c1-20261123.html",
		"2026-11-24T05:00:00Z": "bitacora-datos-c1-20261124.html",
		"2027-01-01T00:01:00Z": "bitacora-datos-c1-20261231.html",
		"2028-03-01T04:59:00Z": "bitacora-datos-c1-20280229.html",
	} {
		at, err := time.Parse(time.RFC3339, made)
		if err != nil {
			t.Fatal(err)
		}
		c := subjects.Copy{Person: subjects.Person{Records: []subjects.Record{{ID: "c1"}}}, MadeAt: at}
		if got := FileName(c, "html", clinic.Default()); got != want {
			t.Errorf("made at %s: %s, want %s", made, got, want)
		}
	}
}

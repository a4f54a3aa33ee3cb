package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/clinic"
)

func TestStoredAnswersWinOverThoseOfTheProgram(t *testing.T) {
	_, db := fresh(t)
	content := db.Content()
	own := clinic.DefaultContent()
	older := own
	older.Answers = nil
	if _, err := content.Replace(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	if got, _ := readContent(t, content); !cmp.Equal(got.Answers, own.Answers) {
		t.Errorf("without stored answers: %d, want the %d of the program", len(got.Answers), len(own.Answers))
	}
	if changed, err := content.Replace(t.Context(), older); changed || err != nil {
		t.Errorf("the same content changed something: %v, %v", changed, err)
	}
	edited := own
	edited.Answers = []clinic.Answer{{
		Slug: "wifi", Topic: "lugar", Service: "limpieza-dental", Aspect: "dolor", Open: true,
		Questions: []string{"¿hay wifi?", "wifi"}, Text: "Sí.", English: "Yes.",
	}}
	if changed, err := content.Replace(t.Context(), edited); !changed || err != nil {
		t.Fatalf("changed %v, %v", changed, err)
	}
	if got, _ := readContent(t, content); !cmp.Equal(got.Answers, edited.Answers) {
		t.Errorf("got %+v", got.Answers)
	}
}

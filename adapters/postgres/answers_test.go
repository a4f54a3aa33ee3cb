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
	older.Answers, older.Pages = nil, nil
	if _, err := content.Replace(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	if got, _ := readContent(t, content); !cmp.Equal(got.Answers, own.Answers) {
		t.Errorf("of before there were any: %d, want the %d of the program", len(got.Answers), len(own.Answers))
	}
	silent := own
	silent.Answers = nil
	if changed, err := content.Replace(t.Context(), silent); !changed || err != nil {
		t.Fatalf("changed %v, %v", changed, err)
	}
	if got, _ := readContent(t, content); len(got.Answers) > 0 {
		t.Errorf("a clinic that answers nothing by itself answers %d questions", len(got.Answers))
	}
	if changed, err := content.Replace(t.Context(), silent); changed || err != nil {
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

package postgres_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/clinic"
)

func portrait(key string) clinic.Picture {
	return clinic.Picture{
		Name: "doctors/ana", Alt: "Ana", Type: "jpg", SHA: strings.Repeat(key, 64), Key: strings.Repeat(key, 32), Width: 640, Height: 640, Widths: []int{320, 640},
		Focus: clinic.Focus{X: 0.1, Y: 0.3}, Shown: clinic.Focus{X: 0.15, Y: 1},
	}
}

func TestPicturesAreStoredWithTheirFiles(t *testing.T) {
	_, db := fresh(t)
	store := db.Content()
	filesOf := func(p clinic.Picture) []string {
		names := []string{p.Original()}
		for _, f := range p.Files() {
			names = append(names, f.Name)
		}
		return names
	}
	add := func(names []string) {
		t.Helper()
		for _, name := range names {
			if err := store.AddPictureFile(t.Context(), name, []byte(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	content := clinic.DefaultContent()
	content.Pictures = []clinic.Picture{portrait("a")}
	names := filesOf(content.Pictures[0])

	add(names[1:])
	if lacking, err := store.LackingPictureFiles(t.Context(), names); err != nil || !slices.Equal(lacking, names[:1]) {
		t.Errorf("lacking: %v, %v", lacking, err)
	}
	if _, err := store.Replace(t.Context(), content); err == nil || !strings.Contains(err.Error(), names[0]) {
		t.Errorf("a picture without its original was stored: %v", err)
	}
	add(names)
	if changed, err := store.Replace(t.Context(), content); !changed || err != nil {
		t.Fatalf("%v, %v", changed, err)
	}
	got, _ := readContent(t, store)
	if diff := cmp.Diff(content.Pictures, got.Pictures); diff != "" {
		t.Error(diff)
	}
	if changed, err := store.Replace(t.Context(), content); changed || err != nil {
		t.Errorf("the same pictures: %v, %v", changed, err)
	}

	other := content
	other.Pictures = []clinic.Picture{portrait("b")}
	add(filesOf(other.Pictures[0]))
	if changed, err := store.Replace(t.Context(), other); !changed || err != nil {
		t.Fatalf("%v, %v", changed, err)
	}
	for _, name := range names {
		if _, err := store.PictureFile(t.Context(), name); !errors.Is(err, clinic.ErrNoPicture) {
			t.Errorf("%s of the picture of before: %v", name, err)
		}
	}
	for _, name := range filesOf(other.Pictures[0]) {
		if data, err := store.PictureFile(t.Context(), name); err != nil || string(data) != name {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

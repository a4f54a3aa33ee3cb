package questions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestQuestionsAreKeptInOrderUntilTheyExpire(t *testing.T) {
	dir := t.TempDir()
	begin := time.Date(2026, 11, 3, 23, 59, 59, 0, time.UTC)
	r := NewRecord(dir)
	for i, at := range []time.Time{begin, begin.Add(time.Second), begin.Add(2 * time.Second)} {
		if err := r.Add(Question{At: at, User: "analyst", Rows: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	// The process ended within a line.
	f, err := os.OpenFile(filepath.Join(dir, "2026-11-04.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(`{"at":"2026-11-04T`)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	rows := func(from, to time.Time) (found []int64) {
		t.Helper()
		for q, err := range Read(dir, from, to) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, q.Rows)
		}
		return found
	}
	if all := rows(begin, begin.AddDate(1, 0, 0)); len(all) != 3 || all[0] != 0 || all[2] != 2 {
		t.Errorf("all: %v", all)
	}
	if one := rows(begin.Add(time.Second), begin.Add(2*time.Second)); len(one) != 1 || one[0] != 1 {
		t.Errorf("of a second: %v", one)
	}
	if err := NewRecord(dir).Add(Question{At: begin.Add(Kept).AddDate(0, 0, 1), Rows: 9}); err != nil {
		t.Fatal(err)
	}
	if left := rows(begin, begin.AddDate(1, 0, 0)); len(left) != 3 || left[0] != 1 {
		t.Errorf("after %v: %v", Kept, left)
	}
	if none := rows(begin.AddDate(-1, 0, 0), begin); none != nil {
		t.Errorf("before: %v", none)
	}
	for _, err := range Read(filepath.Join(dir, "none"), begin, begin) {
		t.Errorf("without a directory: %v", err)
	}
}

func TestADayOfQuestionsIsBounded(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	if err := os.WriteFile(filepath.Join(dir, now.UTC().Format(time.DateOnly)+".jsonl"), make([]byte, maxDay+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := NewRecord(dir).Add(Question{At: now}); !errors.Is(err, ErrFull) {
		t.Errorf("beyond the bound: %v", err)
	}
}

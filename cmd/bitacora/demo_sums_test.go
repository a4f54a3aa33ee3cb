package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func shift(day string, n int) string { return parsed(day).AddDate(0, 0, n).Format(time.DateOnly) }
func month(day string) string        { return day[:len("2006-01-")] + "01" }
func weekday(day string) int         { return (int(parsed(day).Weekday())+6)%7 + 1 }
func monday(day string) string       { return shift(day, 1-weekday(day)) }

func parsed(day string) time.Time {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at
}

// sums are columns added up by a key.
type sums map[string][]int

// add adds numbers and truths to the columns of a key.
func (s sums) add(key string, values ...any) {
	if s[key] == nil {
		s[key] = make([]int, len(values))
	}
	for i, v := range values {
		switch v := v.(type) {
		case int:
			s[key][i] += v
		case bool:
			if v {
				s[key][i]++
			}
		}
	}
}

// by adds up what another key makes of each key.
func (s sums) by(of func(key string) string) sums {
	grouped := sums{}
	for key, n := range s {
		grouped.add(of(key), columns(n)...)
	}
	return grouped
}

// where leaves the keys that a condition holds for.
func (s sums) where(holds func(key string) bool) sums {
	maps.DeleteFunc(s, func(key string, _ []int) bool { return !holds(key) })
	return s
}

// keyed are rows of the key and what is made of it and its columns.
func (s sums) keyed(of func(key string, n []int) []any) (rows []string) {
	for key, n := range s {
		rows = append(rows, row(append([]any{key}, of(key, n)...)...))
	}
	return rows
}

func (s sums) rows(of func(n []int) []any) []string {
	return s.keyed(func(_ string, n []int) []any { return of(n) })
}

// all have the key and the columns.
func (s sums) all() []string { return s.rows(columns) }

func columns(n []int) (list []any) {
	for _, one := range n {
		list = append(list, one)
	}
	return list
}

// top are the rows of the most in the first column, in the order of their keys among equals.
func (s sums) top(n int) []string {
	var list []ranked
	for key, n := range s {
		list = append(list, ranked{float64(n[0]), key, row(key, n[0])})
	}
	return top(n, list)
}

// ranked is a row with what it is sorted by: the greatest number, and the least text.
type ranked struct {
	by        float64
	text, row string
}

func top(n int, list []ranked) (rows []string) {
	slices.SortFunc(list, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.by, a.by), strings.Compare(a.text, b.text)) })
	for _, one := range list[:min(n, len(list))] {
		rows = append(rows, one.row)
	}
	return rows
}

func percent(part, of int) float64 { return rounded(100*float64(part)/float64(of), 1) }

// rounded is a number as round(…, digits) gives it.
func rounded(n float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.RoundToEven(n*scale) / scale
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, n := range list {
		sum += n
	}
	return sum / float64(len(list))
}

func key(values ...any) string { return strings.TrimSuffix(row(values...), "\n") }

// escaped is a text as TabSeparated has it.
func escaped(text string) string {
	return strings.NewReplacer("\\", `\\`, "'", `\'`, "\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(text)
}

// null is how TabSeparated has a missing value.
const null = `\N`

func orNull[T any](known bool, value T) string {
	if !known {
		return null
	}
	return fmt.Sprint(value)
}

// lists are numbers by a key.
type lists map[string][]float64

func (l lists) add(key string, n float64) { l[key] = append(l[key], n) }

func (l lists) rows(of func(list []float64) []any) (rows []string) {
	for key, list := range l {
		rows = append(rows, row(append([]any{key}, of(list)...)...))
	}
	return rows
}

func minute(at time.Time) int64     { return at.Unix() / 60 }
func weekdayText(day string) string { return strconv.Itoa(weekday(day)) }

// stored is a share as the tables have it.
func stored(share float64) float64 { return float64(float32(share)) }

func digit(is bool) int {
	if is {
		return 1
	}
	return 0
}

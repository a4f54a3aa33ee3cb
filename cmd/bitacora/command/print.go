package command

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// PrintJSON writes a value for programs, indented.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// SizeText is a number of bytes for people.
func SizeText(bytes uint64) string {
	switch {
	case bytes >= 10<<30:
		return fmt.Sprintf("%d GiB", bytes>>30)
	case bytes >= 10<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", (bytes+1023)>>10)
}

// OneLine makes a sentence of an error that has several lines.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// ShellWords writes words as a shell reads them.
func ShellWords(words ...string) string {
	quoted := slices.Clone(words)
	for i, w := range words {
		if !plainWord.MatchString(w) {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

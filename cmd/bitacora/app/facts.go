package app

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"bitacora/domain/clinic"
)

// ReadFacts reads a clinic's file; without one, the built-in placeholders.
func ReadFacts(file string) (clinic.Clinic, error) {
	if file == "" {
		return clinic.Default(), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return clinic.Clinic{}, fmt.Errorf("read the clinic's file: %w", err)
	}
	defer f.Close()
	return clinic.Load(f)
}

// MadeUp are the fields whose placeholders visitors would be told, and with which no public site begins.
// A link that leads nowhere is not shown; what files could leave out unnoticed is among [LeftOut].
func MadeUp(facts clinic.Clinic) (paths []string) {
	kept := facts.Kept()
	for _, f := range facts.Placeholders() {
		if !strings.HasPrefix(f.Path, "links.") && !slices.Contains(paths, f.Path) && !slices.Contains(kept, f) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// LeftOut are the fields that a clinic's file should have, and that those of older versions could do
// without: what holds in their place may be another clinic's, or that nobody knows.
func LeftOut(facts clinic.Clinic) (paths []string) {
	for _, f := range facts.Kept() {
		paths = append(paths, f.Path)
	}
	for _, f := range facts.Untold() {
		if f.Path == "country" || f.Path == "emergency" {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

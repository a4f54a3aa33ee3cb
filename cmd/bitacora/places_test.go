package main

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

// TestPlacesFollowTheLog books, damages the agenda, and lets the operator find and mend it.
func TestPlacesFollowTheLog(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Start()
	for _, text := range []string{"quiero una cita de ortodoncia", "sí", "Ana Ruiz", "6123-4567", "cuando sea", "1", "sí"} {
		if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s", "message": text}, nil); err != nil {
			t.Fatal(err)
		}
	}
	a := p.App()
	conn, err := pgx.Connect(t.Context(), a.At.MigrationURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	reservations := func() (n int) {
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM booked_places").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if reservations() != 1 {
		t.Fatalf("%d places after one booking", reservations())
	}
	if _, err := conn.Exec(t.Context(), `WITH lost AS (DELETE FROM booked_places RETURNING begins, ends)
		INSERT INTO booked_places SELECT 'nobody', 'ortodoncia/1', begins, ends FROM lost`); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "places"} {
		out, err := p.Run("", "log", command)
		if err == nil || !strings.Contains(out, "has no place in the agenda") || !strings.Contains(out, "taken by booking nobody") {
			t.Errorf("log %s: %v\n%s", command, err, out)
		}
	}
	if out, err := p.Run("", "log", "places", "--rebuild"); err != nil || !strings.Contains(out, "1 places were given back and 1 taken") {
		t.Errorf("rebuild: %v\n%s", err, out)
	}
	for _, command := range []string{"check", "places"} {
		if out, err := p.Run("", "log", command); err != nil {
			t.Errorf("log %s after it: %v\n%s", command, err, out)
		}
	}
	if reservations() != 1 {
		t.Errorf("%d places after all", reservations())
	}
}

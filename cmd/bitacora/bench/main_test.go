package bench

import (
	"testing"

	"bitacora/cmd/bitacora/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// sized is the size of a measurement: the small one where only its running is tried ("go test -short").
func sized[T any](measured, tried T) T {
	if testing.Short() {
		return tried
	}
	return measured
}

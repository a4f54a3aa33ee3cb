package crash

import (
	"testing"

	"bitacora/cmd/bitacora/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

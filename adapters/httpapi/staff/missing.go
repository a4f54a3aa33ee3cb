package staff

import (
	"fmt"
	"net/http"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
)

// missing is what the staff reads, by why the tables are.
var missing = map[contract.ReadinessClickhouseCause]string{
	contract.ReadinessClickhouseCauseStarting:   "la base de datos que los calcula está arrancando",
	contract.ReadinessClickhouseCauseDamaged:    "los archivos de la base de datos que los calcula están dañados",
	contract.ReadinessClickhouseCauseLocked:     "otro proceso usa los archivos de la base de datos que los calcula",
	contract.ReadinessClickhouseCauseFull:       "el disco de la base de datos que los calcula está lleno",
	contract.ReadinessClickhouseCauseForbidden:  "el programa no puede leer los archivos de la base de datos que los calcula",
	contract.ReadinessClickhouseCauseAddress:    "la base de datos que los calcula no puede usar su dirección",
	contract.ReadinessClickhouseCauseUnanswered: "la base de datos que los calcula no responde",
	contract.ReadinessClickhouseCauseRebuilding: "se están calculando de nuevo a partir del registro",
}

// MissingTables answers a question while the dashboard has no tables: it says what keeps them away, and
// since when, in the zone of since.
func MissingTables(cause contract.ReadinessClickhouseCause, since time.Time) error {
	return &web.Problem{
		Status: http.StatusServiceUnavailable,
		Message: fmt.Sprintf("Los datos del panel no están disponibles desde el %s: %s. El sitio y el chat siguen atendiendo, y nada se pierde.",
			since.Format("02/01/2006, 15:04"), missing[cause]),
		RetryAfter: web.RetryUnavailable,
	}
}

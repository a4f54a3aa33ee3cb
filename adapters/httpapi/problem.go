package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/postgres"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// problem is an error that already says how it is answered.
type problem struct {
	status  int
	message string
	// retryAfter is when it makes sense to come again; 0 says nothing about it.
	retryAfter   time.Duration
	limitReached bool
	// fields says what is wrong with which field of the request.
	fields map[string]string
	cause  error
}

func (p *problem) Error() string {
	if p.cause == nil {
		return p.message
	}
	return p.cause.Error()
}

func (p *problem) Unwrap() error { return p.cause }

func (p *problem) retrySeconds() int { return int(math.Ceil(p.retryAfter.Seconds())) }

// Answers to what no use case is asked about.
var (
	errNotFound    = &problem{status: http.StatusNotFound, message: "No existe ningún recurso en esta dirección."}
	errMethod      = &problem{status: http.StatusMethodNotAllowed, message: "Este recurso no admite ese método."}
	errCrossOrigin = &problem{status: http.StatusForbidden, message: "La petición viene de otro sitio y no se acepta."}
	errNotJSON     = &problem{status: http.StatusUnsupportedMediaType, message: "El cuerpo de la petición debe ser JSON (Content-Type: application/json)."}
	errTooLarge    = &problem{status: http.StatusRequestEntityTooLarge, message: "La petición es demasiado grande: el máximo es de 64 kB."}
	errBadForm     = &problem{status: http.StatusBadRequest, message: "No se pudo leer el formulario."}
	errBadJSON     = &problem{status: http.StatusBadRequest, message: "El cuerpo de la petición no es JSON válido."}
	errPanicked    = &problem{status: http.StatusInternalServerError, message: unexpected}
)

const (
	unexpected      = "Ocurrió un error inesperado. Inténtelo de nuevo más tarde."
	tooManyMessages = "Llegan demasiados mensajes desde tu conexión. Inténtalo de nuevo en unos instantes."
	// Networks of offices and telephones share an address, so nobody is accused.
	tooManyConversations = "Desde tu conexión se han iniciado muchas conversaciones en poco tiempo. Inténtalo más tarde o agenda tu cita en línea."
)

// statusClientGone is for the log and the metrics: nobody is there to read it.
const statusClientGone = 499

// retryUnavailable is what a client is told to wait for a database to come back.
const retryUnavailable = 5 * time.Second

// retryBusy is what a client is told to wait until others of the same conversation are done.
const retryBusy = 2 * time.Second

// problemOf is the one place where errors become answers.
func problemOf(err error) *problem {
	var p *problem
	var invalid chat.Invalid
	var period analytics.PeriodError
	var fields clinic.InvalidFields
	var tooLarge *http.MaxBytesError
	var share event.AddressLimitReached
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &invalid):
		return &problem{status: http.StatusBadRequest, message: string(invalid), cause: err}
	case errors.As(err, &period):
		return &problem{status: http.StatusBadRequest, message: string(period), cause: err}
	case errors.As(err, &fields):
		return &problem{status: http.StatusBadRequest, message: fields.Error(), fields: fields, cause: err}
	case errors.As(err, &tooLarge):
		return errTooLarge
	case errors.Is(err, chat.ErrLimitReached):
		return &problem{
			status:       http.StatusTooManyRequests,
			message:      "El servicio de chat ha alcanzado su límite mensual. Puedes contactarnos directamente para más información.",
			limitReached: true,
			cause:        err,
		}
	case errors.As(err, &share):
		return &problem{status: http.StatusServiceUnavailable, message: tooManyConversations, retryAfter: share.Wait}
	case errors.Is(err, chat.ErrAssistantFailed):
		return &problem{status: http.StatusBadGateway, message: "El asistente tiene dificultades técnicas. Tu mensaje quedó guardado.", cause: err}
	case errors.Is(err, chat.ErrBusy):
		return &problem{
			status:     http.StatusServiceUnavailable,
			message:    "Llegan varios mensajes de esta conversación a la vez. Inténtalo de nuevo en unos segundos.",
			retryAfter: retryBusy,
			cause:      err,
		}
	case errors.Is(err, chat.ErrErased):
		return &problem{status: http.StatusGone, message: "Esta conversación se borró y ya no guarda nada. Recarga la página para empezar otra.", cause: err}
	case errors.Is(err, chat.ErrBound):
		return &problem{status: http.StatusForbidden, message: "Esta conversación solo puede seguir en el navegador en que empezó. Recarga la página para empezar otra.", cause: err}
	case errors.Is(err, chat.ErrNotYours):
		return &problem{status: http.StatusNotFound, message: "No hay ninguna conversación que retomar.", cause: err}
	case errors.Is(err, chat.ErrNoConversation):
		return &problem{status: http.StatusNotFound, message: "No existe ninguna conversación con esa referencia.", cause: err}
	case errors.Is(err, chat.ErrNoBooking):
		return &problem{status: http.StatusNotFound, message: "La conversación no tiene esa cita.", cause: err}
	case errors.Is(err, contacts.ErrNoContact):
		return &problem{status: http.StatusNotFound, message: "No existe ese contacto.", cause: err}
	case errors.Is(err, postgres.ErrErased):
		return &problem{status: http.StatusGone, message: "Los datos de esta persona se borraron: ya no se guarda nada sobre ella.", cause: err}
	case errors.Is(err, event.ErrIDReused):
		return &problem{status: http.StatusBadRequest, message: "El identificador ya se usó para otro cambio.", cause: err}
	case errors.Is(err, event.ErrSlotTaken):
		return &problem{status: http.StatusConflict, message: "Esa hora ya está ocupada.", cause: err}
	case foreignTables(err):
		return &problem{
			status:     http.StatusServiceUnavailable,
			message:    "Las tablas del panel no son las de esta versión del programa. Se rehacen con «bitacora rebuild»; el sitio y el chat siguen atendiendo.",
			retryAfter: retryUnavailable,
			cause:      err,
		}
	case unavailable(err):
		return &problem{
			status:     http.StatusServiceUnavailable,
			message:    "El servicio no está disponible en este momento. Inténtelo de nuevo en unos segundos.",
			retryAfter: retryUnavailable,
			cause:      err,
		}
	default:
		return &problem{status: http.StatusInternalServerError, message: unexpected, cause: err}
	}
}

// unavailable says whether an error means that a database cannot be reached or does not
// take work at the moment, rather than that it was asked something wrong.
func unavailable(err error) bool {
	var ch *clickhouse.Exception
	if errors.As(err, &ch) {
		return overloaded[ch.Code]
	}
	for _, passing := range []error{
		// No build is live yet.
		postgres.ErrNotFound,
		context.DeadlineExceeded, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
		clickhouse.ErrAcquireConnTimeout, clickhouse.ErrConnectionClosed,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return postgres.Unavailable(err)
}

// overloaded holds ClickHouse's codes for timeouts, too much work, too little memory or
// space, lost connections and cancelled queries.
var overloaded = map[int32]bool{
	159: true, 160: true, 202: true, 209: true, 210: true, 236: true, 241: true, 243: true, 279: true, 394: true, 425: true,
}

// foreignTables says whether a query named what the tables do not have: they were made by
// another version of the program, or lost, and a rebuild makes them anew.
func foreignTables(err error) bool {
	var ch *clickhouse.Exception
	return errors.As(err, &ch) && foreign[ch.Code]
}

// foreign holds ClickHouse's codes for unknown columns, identifiers, tables and databases.
var foreign = map[int32]bool{8: true, 10: true, 16: true, 47: true, 60: true, 81: true}

// fail answers a request that could not be served.
func (a *api) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, listens := a.explain(w, r, err)
	if !listens {
		return
	}
	body := Error{Message: p.message, RequestID: requestID(r.Context())}
	if p.limitReached {
		body.LimitReached = &p.limitReached
	}
	if p.fields != nil {
		body.Fields = &p.fields
	}
	encode(w, p.status, body)
}

// explain finds out how an error is answered, and notes what the program is to blame for.
// Nobody listens any more where the client has left.
func (a *api) explain(w http.ResponseWriter, r *http.Request, err error) (p *problem, listens bool) {
	if errors.Is(r.Context().Err(), context.Canceled) {
		w.WriteHeader(statusClientGone)
		return nil, false
	}
	p = problemOf(err)
	if p.status >= http.StatusInternalServerError && p.cause != nil {
		a.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed",
			slog.String("request_id", requestID(r.Context())), slog.Int("status", p.status), slog.Any("error", p.cause))
	}
	if seconds := p.retrySeconds(); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	return p, true
}

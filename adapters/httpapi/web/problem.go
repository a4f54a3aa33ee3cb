package web

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
	"bitacora/domain/teaching"
	"bitacora/domain/waiting"
)

// Problem is an error that already says how it is answered.
type Problem struct {
	Status  int
	Message string
	// RetryAfter is when it makes sense to come again; 0 says nothing about it.
	RetryAfter   time.Duration
	LimitReached bool
	// Code names a refusal that clients explain by themselves; it may be empty.
	Code contract.ErrorCode
	// Fields says what is wrong with which field of the request.
	Fields map[string]string
	cause  error
}

func (p *Problem) Error() string {
	if p.cause == nil {
		return p.Message
	}
	return p.cause.Error()
}

// Unwrap gives the error that is answered so, if there is one.
func (p *Problem) Unwrap() error { return p.cause }

// Because is the answer to an error, which is logged.
func (p Problem) Because(err error) error {
	p.cause = err
	return &p
}

// RetrySeconds is RetryAfter in whole seconds.
func (p *Problem) RetrySeconds() int { return int(math.Ceil(p.RetryAfter.Seconds())) }

// Body is the problem as it is answered to a request.
func (p *Problem) Body(requestID string) contract.Error {
	body := contract.Error{Message: p.Message, RequestID: requestID, Code: contract.IfValid(p.Code)}
	if p.LimitReached {
		body.LimitReached = &p.LimitReached
	}
	if p.Fields != nil {
		body.Fields = &p.Fields
	}
	return body
}

// BadRequest is a problem of a request as a whole.
func BadRequest(sentence string) error {
	return &Problem{Status: http.StatusBadRequest, Message: sentence}
}

// BadField is a problem of one field of a request.
func BadField(field, sentence string) error {
	return &Problem{Status: http.StatusBadRequest, Message: sentence, Fields: map[string]string{field: sentence}}
}

// ErrNotFound answers for an address under which there is nothing.
var ErrNotFound = &Problem{Status: http.StatusNotFound, Message: "No existe ningún recurso en esta dirección."}

var (
	errTooLarge = &Problem{Status: http.StatusRequestEntityTooLarge, Message: "La petición es demasiado grande: el máximo es de 64 kB."}
	errBadJSON  = BadRequest("El cuerpo de la petición no es JSON válido.")
)

// Unexpected says nothing of what went wrong, which is for the log.
const Unexpected = "Ocurrió un error inesperado. Más tarde se puede intentar de nuevo."

// Networks of offices and telephones share an address, so nobody is accused.
const tooManyConversations = "Desde esta conexión se han iniciado muchas conversaciones en poco tiempo. Más tarde se puede intentar de nuevo; la clínica atiende también por teléfono."

// StatusClientGone is for the log and the metrics: nobody is there to read it.
const StatusClientGone = 499

// RetryUnavailable is how long a client should wait for a database to come back.
const RetryUnavailable = 5 * time.Second

// retryBusy is how long a client should wait until others of the same conversation are done.
const retryBusy = 2 * time.Second

// answers says how an error of each kind is answered.
var answers = map[fault.Kind]Problem{
	fault.Invalid:   {Status: http.StatusBadRequest, Message: "La petición no es válida."},
	fault.Forbidden: {Status: http.StatusForbidden, Message: "La petición no está permitida."},
	fault.NotFound:  {Status: http.StatusNotFound, Message: "No existe lo que se pidió."},
	fault.Conflict:  {Status: http.StatusConflict, Message: "La petición choca con otra."},
	fault.Erased:    {Status: http.StatusGone, Message: "Los datos de esta persona se borraron: ya no se guarda nada sobre ella."},
	fault.LimitReached: {
		Status:       http.StatusTooManyRequests,
		Message:      "El servicio de chat ha alcanzado su límite mensual. La clínica informa también por teléfono y por correo.",
		LimitReached: true,
	},
	fault.Upstream: {Status: http.StatusBadGateway, Message: "El asistente tiene dificultades técnicas. El mensaje quedó guardado."},
	fault.Busy: {
		Status:     http.StatusServiceUnavailable,
		Message:    "Llegan varios mensajes de esta conversación a la vez. En unos segundos se puede intentar de nuevo.",
		RetryAfter: retryBusy,
	},
	fault.Unavailable: {
		Status:     http.StatusServiceUnavailable,
		Message:    "El servicio no está disponible en este momento. En unos segundos se puede intentar de nuevo.",
		RetryAfter: RetryUnavailable,
	},
	fault.Outdated: {
		Status:     http.StatusServiceUnavailable,
		Message:    "Las tablas del panel no son las de esta versión del programa. Se rehacen con «bitacora rebuild»; el sitio y el chat siguen atendiendo.",
		RetryAfter: RetryUnavailable,
	},
	"": {Status: http.StatusInternalServerError, Message: Unexpected},
}

// sentences are those of errors that say more than their kind.
var sentences = []struct {
	of      error
	message string
}{
	{chat.ErrBound, "Esta conversación solo puede seguir en el navegador en que empezó. Al recargar la página empieza otra."},
	{chat.ErrErased, "Esta conversación se borró y ya no guarda nada. Al recargar la página empieza otra."},
	{chat.ErrRestricted, "Restringido por pedido de la persona: sus datos se guardan y no se usan."},
	{chat.ErrNotYours, "No hay ninguna conversación que retomar."},
	{chat.ErrNoConversation, "No existe ninguna conversación con esa referencia."},
	{chat.ErrOtherAppointments, "Hay una cita que no se había nombrado: hay que revisar qué se cancela y confirmar de nuevo."},
	{chat.ErrNoBooking, "La conversación no tiene esa cita."},
	{contacts.ErrNoContact, "No existe ese contacto."},
	{contacts.ErrNoRequest, "No existe esa solicitud."},
	{waiting.ErrNoAttempt, "No existe ese intento."},
	{teaching.ErrExists, "Ya hay una respuesta con ese nombre. Elija otro título, o abra la que hay para cambiarla."},
	{teaching.ErrChanged, "Alguien cambió esta respuesta mientras tanto. Recargue la página para ver la de ahora."},
	{teaching.ErrNoAnswer, "No existe esa respuesta."},
	{staff.ErrAccountExists, "Ese correo ya tiene una cuenta."},
	{staff.ErrLastOwner, "Es la última cuenta que administra las demás: primero haga administradora a otra."},
	{staff.ErrSecondFactorOn, "El código ya está activado, o se empezó a configurar de nuevo en otra ventana. Recargue la página."},
	{event.ErrIDReused, "El identificador ya se usó para otro cambio."},
	{event.ErrSlotTaken, "Esa hora ya está ocupada."},
}

// Responder answers errors.
type Responder struct {
	Logger *slog.Logger
	// KindOf classifies the errors of the adapters, which carry no kind by themselves.
	KindOf func(error) fault.Kind
}

// Fail answers a request that could not be served.
func (s Responder) Fail(w http.ResponseWriter, r *http.Request, err error) {
	p, listens := s.Explain(w, r, err)
	if !listens {
		return
	}
	Encode(w, p.Status, p.Body(RequestID(r.Context())))
}

// Explain finds out how an error is answered, and logs what the program is to blame for.
// Nobody listens any more where the client has left.
func (s Responder) Explain(w http.ResponseWriter, r *http.Request, err error) (p *Problem, listens bool) {
	if errors.Is(r.Context().Err(), context.Canceled) || ofConnection(r, err) {
		w.WriteHeader(StatusClientGone)
		return nil, false
	}
	p = s.problemOf(err)
	if p.Status >= http.StatusInternalServerError && p.cause != nil {
		s.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed",
			slog.String("request_id", RequestID(r.Context())), slog.Int("status", p.Status), slog.Any("error", p.cause))
	}
	if seconds := p.RetrySeconds(); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	return p, true
}

// ofConnection says whether it is the client's connection that failed. Such an error names the
// client's address, and is nothing that the program is to blame for.
func ofConnection(r *http.Request, err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Addr != nil && failed.Addr.String() == r.RemoteAddr
}

// problemOf is the one place where errors become answers.
func (s Responder) problemOf(err error) *Problem {
	var p *Problem
	var invalid chat.Invalid
	var period analytics.PeriodError
	var fields clinic.InvalidFields
	var tooLarge *http.MaxBytesError
	var limit event.AddressLimitReached
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &invalid):
		return &Problem{Status: http.StatusBadRequest, Message: string(invalid), cause: err}
	case errors.As(err, &period):
		return &Problem{Status: http.StatusBadRequest, Message: string(period), cause: err}
	case errors.As(err, &fields):
		return &Problem{Status: http.StatusBadRequest, Message: fields.Error(), Fields: fields, cause: err}
	case errors.As(err, &tooLarge):
		return errTooLarge
	case errors.As(err, &limit):
		return &Problem{Status: http.StatusServiceUnavailable, Message: tooManyConversations, RetryAfter: limit.Wait, Code: contract.TooManyConversations}
	}
	kind := s.kindOf(err)
	answer := answers[kind]
	answer.cause = err
	for _, s := range sentences {
		// An error of another kind may have been the reason of this one.
		if fault.KindOf(s.of) == kind && errors.Is(err, s.of) {
			answer.Message = s.message
			break
		}
	}
	return &answer
}

func (s Responder) kindOf(err error) fault.Kind {
	kind := fault.KindOf(err)
	if kind == "" && s.KindOf != nil {
		kind = s.KindOf(err)
	}
	if kind == "" && errors.Is(err, context.DeadlineExceeded) {
		// The time that a request has is up.
		return fault.Unavailable
	}
	return kind
}

package staff

import (
	"fmt"
	"net/http"
	"slices"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/staff"
)

// Who may call something.
var (
	everyRole  = staff.Roles
	colleagues = []staff.Role{staff.RoleStaff, staff.RoleOwner}
	owners     = []staff.Role{staff.RoleOwner}
)

// access says which roles may call an operation of the contract. Every operation of the staff
// has its row; a reader's operations give nothing away that a visitor said or left.
var access = map[string][]staff.Role{
	"getCurrentUser": everyRole,
	"changePassword": everyRole,
	"listSessions":   everyRole,
	"endSessions":    everyRole,

	"getSecondFactor":     everyRole,
	"beginSecondFactor":   everyRole,
	"confirmSecondFactor": everyRole,
	"removeSecondFactor":  everyRole,

	"listAccounts":       owners,
	"addAccount":         owners,
	"setAccountRole":     owners,
	"endAccountSessions": owners,
	"removeAccount":      owners,
	"listAudit":          owners,

	"getKpis":        everyRole,
	"getTimeseries":  everyRole,
	"getFunnel":      everyRole,
	"getHeatmap":     everyRole,
	"getTopics":      everyRole,
	"getQuality":     everyRole,
	"getRatings":     everyRole,
	"getReports":     everyRole,
	"watchDashboard": everyRole,
	"getAgenda":      everyRole,

	// A reader gets the counts alone.
	"listWaiting":  everyRole,
	attemptContact: colleagues,
	"undoAttempt":  colleagues,

	searchTexts: colleagues,

	"listQuestions":       colleagues,
	"dismissQuestion":     colleagues,
	"getAnswerForm":       colleagues,
	"listAnswers":         colleagues,
	"teachAnswer":         colleagues,
	"getAnswer":           colleagues,
	"previewAnswer":       colleagues,
	"undoAnswer":          colleagues,
	"listConversations":   colleagues,
	"exportConversations": colleagues,
	"listMessages":        colleagues,
	"markBooking":         colleagues,
	"recordOutcome":       colleagues,
	"listContacts":        colleagues,
	"countContacts":       colleagues,
	"exportContacts":      colleagues,
	"setContactStatus":    colleagues,
	"addContactNote":      colleagues,
	"findPerson":          colleagues,
	"exportPerson":        colleagues,
	"restrictPerson":      colleagues,
	"erasePerson":         colleagues,
	"listRequests":        colleagues,
	"finishRequest":       colleagues,
}

// searchTexts is no operation, but a filter of many: who counts the conversations that hold a
// text reads what is in them.
const searchTexts = "filter q"

// withoutSecondFactor are the operations that set a second factor up: where everybody has to have
// one, who has none may call no other.
var withoutSecondFactor = []string{"getCurrentUser", "getSecondFactor", "beginSecondFactor", "confirmSecondFactor"}

// attemptContact is also what says who sees the people who wait.
const attemptContact = "attemptContact"

var errSecondFactorDue = &web.Problem{
	Status:  http.StatusForbidden,
	Message: "La clínica pide un código además de la contraseña: configúrelo en «Mi cuenta» para continuar.",
}

var errRole = &web.Problem{
	Status:  http.StatusForbidden,
	Message: "Su cuenta no tiene permiso para esto. Puede pedirlo a quien administra las cuentas de la clínica.",
}

// Allow gives what lets only accounts pass that may call an operation.
type Allow func(operation string) func(http.Handler) http.Handler

// Allow lets only signed-in accounts pass whose role may call an operation.
func (h *SignInHandler) Allow(operation string) func(http.Handler) http.Handler {
	if access[operation] == nil {
		panic(fmt.Sprintf("no role may call the operation %q", operation))
	}
	return func(next http.Handler) http.Handler {
		return h.requireSignIn(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			who := account(r.Context())
			if h.SecondFactorRequired && !who.SecondFactor && !slices.Contains(withoutSecondFactor, operation) {
				h.Fail(w, r, errSecondFactorDue)
				return
			}
			if !may(who, operation) {
				h.Fail(w, r, errRole)
				return
			}
			next.ServeHTTP(w, r)
		}))
	}
}

func may(who staff.Account, operation string) bool {
	return slices.Contains(access[operation], who.Role)
}

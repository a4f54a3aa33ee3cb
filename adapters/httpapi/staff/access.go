package staff

import (
	"fmt"
	"net/http"
	"slices"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/staff"
)

// access is the right that an operation of the contract needs. Every operation of the staff has its row.
var access = map[string]staff.Right{
	"getCurrentUser": staff.RightNumbers,
	"changePassword": staff.RightNumbers,
	"listSessions":   staff.RightNumbers,
	"endSessions":    staff.RightNumbers,

	"getSecondFactor":     staff.RightNumbers,
	"beginSecondFactor":   staff.RightNumbers,
	"confirmSecondFactor": staff.RightNumbers,
	"removeSecondFactor":  staff.RightNumbers,

	"listAccounts":       staff.RightAccounts,
	"addAccount":         staff.RightAccounts,
	"setAccountRole":     staff.RightAccounts,
	"endAccountSessions": staff.RightAccounts,
	"removeAccount":      staff.RightAccounts,
	"listAudit":          staff.RightAccounts,

	"getKpis":        staff.RightNumbers,
	"getTimeseries":  staff.RightNumbers,
	"getFunnel":      staff.RightNumbers,
	"getHeatmap":     staff.RightNumbers,
	"getTopics":      staff.RightNumbers,
	"getQuality":     staff.RightNumbers,
	"getRatings":     staff.RightNumbers,
	"getReports":     staff.RightNumbers,
	"getUnusual":     staff.RightNumbers,
	"watchDashboard": staff.RightNumbers,
	"getAgenda":      staff.RightNumbers,

	// Without the right to see people, the counts alone.
	"listWaiting":  staff.RightNumbers,
	attemptContact: staff.RightPeople,
	"undoAttempt":  staff.RightPeople,

	searchTexts: staff.RightPeople,

	"setChartNote": staff.RightPeople,

	"listQuestions":       staff.RightPeople,
	"dismissQuestion":     staff.RightPeople,
	"getAnswerForm":       staff.RightPeople,
	"listAnswers":         staff.RightPeople,
	"teachAnswer":         staff.RightPeople,
	"getAnswer":           staff.RightPeople,
	"previewAnswer":       staff.RightPeople,
	"undoAnswer":          staff.RightPeople,
	"listConversations":   staff.RightPeople,
	"exportConversations": staff.RightExport,
	"listMessages":        staff.RightPeople,
	"markBooking":         staff.RightPeople,
	"recordOutcome":       staff.RightPeople,
	"listContacts":        staff.RightPeople,
	"countContacts":       staff.RightPeople,
	"exportContacts":      staff.RightExport,
	"setContactStatus":    staff.RightPeople,
	"addContactNote":      staff.RightPeople,
	"findPerson":          staff.RightPrivacy,
	"exportPerson":        staff.RightPrivacy,
	"restrictPerson":      staff.RightPrivacy,
	"erasePerson":         staff.RightPrivacy,
	"listRequests":        staff.RightPrivacy,
	"finishRequest":       staff.RightPrivacy,
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
	if access[operation] == "" {
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
	right, ok := access[operation]
	return ok && who.Role.May(right)
}

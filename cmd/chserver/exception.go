package main

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

// exception is an error as ClickHouse reports it: a number that clients
// branch on, and a text.
type exception struct {
	code int
	text string // without "Code: N. "
}

func (e *exception) Error() string { return fmt.Sprintf("Code: %d. %s", e.code, e.text) }

// Error codes of ClickHouse that this program raises or looks for itself.
const (
	codeUnsupportedMethod   = 1
	codeBadArguments        = 36
	codeNotImplemented      = 48
	codeLogicalError        = 49
	codeSyntaxError         = 62
	codeUnknownSetting      = 115
	codeUnknownQueryType    = 78
	codeReadonly            = 164
	codeTooManyQueries      = 202
	codeSocketTimeout       = 209
	codeNetworkError        = 210
	codeAborted             = 236
	codeIncorrectData       = 117
	codeRequiredPassword    = 194
	codeQueryTooLarge       = 229
	codeQueryCancelled      = 394
	codeAccessDenied        = 497
	codeUnknownRole         = 511
	codeAuthenticationError = 516
)

var codeNames = map[int]string{
	codeUnsupportedMethod:   "UNSUPPORTED_METHOD",
	codeBadArguments:        "BAD_ARGUMENTS",
	codeNotImplemented:      "NOT_IMPLEMENTED",
	codeLogicalError:        "LOGICAL_ERROR",
	codeSyntaxError:         "SYNTAX_ERROR",
	codeUnknownSetting:      "UNKNOWN_SETTING",
	codeUnknownQueryType:    "UNKNOWN_TYPE_OF_QUERY",
	codeReadonly:            "READONLY",
	codeTooManyQueries:      "TOO_MANY_SIMULTANEOUS_QUERIES",
	codeSocketTimeout:       "SOCKET_TIMEOUT",
	codeNetworkError:        "NETWORK_ERROR",
	codeAborted:             "ABORTED",
	codeIncorrectData:       "INCORRECT_DATA",
	codeRequiredPassword:    "REQUIRED_PASSWORD",
	codeQueryTooLarge:       "QUERY_IS_TOO_LARGE",
	codeQueryCancelled:      "QUERY_WAS_CANCELLED",
	codeAccessDenied:        "ACCESS_DENIED",
	codeUnknownRole:         "UNKNOWN_ROLE",
	codeAuthenticationError: "AUTHENTICATION_FAILED",
}

// exceptionf makes an exception in the engine's own wording.
func exceptionf(code int, format string, args ...any) *exception {
	return &exception{code: code, text: fmt.Sprintf("DB::Exception: %s. (%s)", fmt.Sprintf(format, args...), codeNames[code])}
}

var exceptionCode = regexp.MustCompile(`^Code: (\d+)\.\s*`)

// parseException reads the text of an error that the engine reports.
func parseException(message string) *exception {
	match := exceptionCode.FindStringSubmatch(message)
	if match == nil {
		return &exception{code: codeLogicalError, text: "DB::Exception: " + message}
	}
	code, err := strconv.Atoi(match[1])
	if err != nil {
		code = codeLogicalError
	}
	return &exception{code: code, text: message[len(match[0]):]}
}

// asException gives any error the form that clients understand.
func asException(err error) *exception {
	var e *exception
	if errors.As(err, &e) {
		return e
	}
	return exceptionf(codeLogicalError, "%v", err)
}

// statuses follow exceptionCodeToHTTPStatus of the ClickHouse server; what is
// not listed is 500.
var statuses = map[int]int{
	codeRequiredPassword: http.StatusUnauthorized,

	192: http.StatusForbidden, 193: http.StatusForbidden, 497: http.StatusForbidden, codeReadonly: http.StatusForbidden,
	codeAuthenticationError: http.StatusForbidden, codeUnknownRole: http.StatusForbidden,

	6: http.StatusBadRequest, 26: http.StatusBadRequest, 27: http.StatusBadRequest, 33: http.StatusBadRequest,
	36: http.StatusBadRequest, 38: http.StatusBadRequest, 41: http.StatusBadRequest, 43: http.StatusBadRequest,
	44: http.StatusBadRequest, 53: http.StatusBadRequest, 62: http.StatusBadRequest, 72: http.StatusBadRequest,
	115: http.StatusBadRequest, 117: http.StatusBadRequest, 130: http.StatusBadRequest, 131: http.StatusBadRequest,
	456: http.StatusBadRequest, 457: http.StatusBadRequest, 47: http.StatusBadRequest, 42: http.StatusBadRequest,

	46: http.StatusNotFound, 50: http.StatusNotFound, 56: http.StatusNotFound, 60: http.StatusNotFound,
	73: http.StatusNotFound, 78: http.StatusNotFound, 81: http.StatusNotFound,

	codeUnsupportedMethod: http.StatusMethodNotAllowed,
	159:                   http.StatusRequestTimeout,
	codeSocketTimeout:     http.StatusRequestTimeout,
	codeQueryTooLarge:     http.StatusRequestEntityTooLarge,
	codeNotImplemented:    http.StatusNotImplemented,
	codeTooManyQueries:    http.StatusServiceUnavailable,
	codeAborted:           http.StatusServiceUnavailable,
}

func (e *exception) status() int {
	if status, ok := statuses[e.code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

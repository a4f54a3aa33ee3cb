package clickhouse

import (
	"errors"
	"io"
	"net"
	"net/http"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/domain/fault"
)

// outdated are the codes by which the server says that tables lack what was asked of them: they
// were made by another version of the program, or lost, and a rebuild makes them anew.
var outdated = map[int32]bool{
	8:               true, // THERE_IS_NO_COLUMN
	10:              true, // NOT_FOUND_COLUMN_IN_BLOCK
	16:              true, // NO_SUCH_COLUMN_IN_TABLE
	47:              true, // UNKNOWN_IDENTIFIER
	unknownTable:    true,
	unknownDatabase: true,
}

// readAfterEnd is the code of a server that ends amid a question.
const readAfterEnd = 32

// overloaded are the codes by which the server says that it cannot do the work at the moment.
var overloaded = map[int32]bool{
	readAfterEnd: true,
	159:          true, // TIMEOUT_EXCEEDED
	160:          true, // TOO_SLOW
	202:          true, // TOO_MANY_SIMULTANEOUS_QUERIES
	209:          true, // SOCKET_TIMEOUT
	210:          true, // NETWORK_ERROR
	236:          true, // ABORTED
	241:          true, // MEMORY_LIMIT_EXCEEDED
	243:          true, // NOT_ENOUGH_SPACE
	279:          true, // ALL_CONNECTION_TRIES_FAILED
	394:          true, // QUERY_WAS_CANCELLED
	425:          true, // SYSTEM_ERROR
}

// KindOf is what an error of this package means to whoever asked a question.
func KindOf(err error) fault.Kind {
	if e := new(clickhouse.Exception); errors.As(err, &e) {
		switch {
		case outdated[e.Code]:
			return fault.Outdated
		case overloaded[e.Code]:
			return fault.Unavailable
		}
		return ""
	}
	// A proxy answers for a server that it does not reach.
	if e := new(clickhouse.HTTPError); errors.As(err, &e) && e.StatusCode >= http.StatusBadGateway {
		return fault.Unavailable
	}
	var network net.Error
	for _, lost := range []error{
		errHung, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, clickhouse.ErrAcquireConnTimeout, clickhouse.ErrConnectionClosed,
	} {
		if errors.Is(err, lost) {
			return fault.Unavailable
		}
	}
	if errors.As(err, &network) {
		return fault.Unavailable
	}
	return ""
}

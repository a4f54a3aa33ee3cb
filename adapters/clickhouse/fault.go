package clickhouse

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/domain/fault"
	"bitacora/projections/builds"
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

// unreadable are the codes by which the server says that files of a table are damaged or gone.
var unreadable = map[int32]bool{
	33:  true, // CANNOT_READ_ALL_DATA
	40:  true, // CHECKSUM_DOESNT_MATCH
	74:  true, // CANNOT_READ_FROM_FILE_DESCRIPTOR
	76:  true, // CANNOT_OPEN_FILE
	107: true, // FILE_DOESNT_EXIST
	226: true, // NO_FILE_IN_DATA_PART
	228: true, // BAD_SIZE_OF_FILE_IN_DATA_PART
	231: true, // TOO_MANY_UNEXPECTED_DATA_PARTS
	246: true, // CORRUPTED_DATA
	271: true, // CANNOT_DECOMPRESS
	432: true, // UNKNOWN_CODEC
	722: true, // ASYNC_LOAD_WAIT_FAILED
}

// Unreadable says whether the server could not read files of its own.
func Unreadable(err error) bool {
	const standardException, tooManyOpenFiles = 1001, "errno: 24"
	e := new(clickhouse.Exception)
	return errors.As(err, &e) && !strings.Contains(e.Message, tooManyOpenFiles) &&
		(unreadable[e.Code] || e.Code == standardException && strings.Contains(e.Message, "filesystem error"))
}

// Damaged says why the tables of a build cannot be read, as a question was answered; nil where none was
// answered so.
func (db *DB) Damaged(build string) error {
	if err, ok := db.damaged.Load(build); ok {
		return fmt.Errorf("%w: the files of build %s are damaged: %w", builds.ErrIncomplete, build, err.(error))
	}
	return nil
}

// noteDamaged remembers an answer that tells of damaged files. A build is not mended: another one takes
// its place.
func (db *DB) noteDamaged(build string, err error) {
	if db.remembers && Unreadable(err) {
		db.damaged.Store(build, err)
	}
}

// RememberDamage has damaged builds count as lost. It is called before the first question, and meant for a
// server that nobody else looks after.
func (db *DB) RememberDamage() { db.remembers = true }

// ForgetDamage is for a server that was started again, with files that may have been repaired.
func (db *DB) ForgetDamage() { db.damaged.Clear() }

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

// refusedFilter is FUNCTION_THROW_IF_VALUE_IS_NON_ZERO, with which the cohort refuses a filter.
const refusedFilter = 395

// KindOf is what an error of this package means to whoever asked a question.
func KindOf(err error) fault.Kind {
	if e := new(clickhouse.Exception); errors.As(err, &e) {
		switch {
		case outdated[e.Code]:
			return fault.Outdated
		case overloaded[e.Code], unreadable[e.Code]:
			return fault.Unavailable
		case e.Code == refusedFilter:
			return fault.Invalid
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

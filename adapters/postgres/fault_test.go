package postgres_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"bitacora/adapters/postgres"
	"bitacora/domain/fault"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want fault.Kind
	}{
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, fault.Unavailable},
		{&pgconn.ConnectError{}, fault.Unavailable},
		{fmt.Errorf("read: %w", &pgconn.PgError{Code: "57P03"}), fault.Unavailable},
		{&pgconn.PgError{Code: "53300"}, fault.Unavailable},
		{io.ErrUnexpectedEOF, fault.Unavailable},
		{&pgconn.PgError{Code: "42601"}, ""},
		{errors.New("another"), ""},
		{nil, ""},
	} {
		if got := postgres.KindOf(c.err); got != c.want {
			t.Errorf("%v is %q, want %q", c.err, got, c.want)
		}
	}
}

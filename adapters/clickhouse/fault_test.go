package clickhouse_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	driver "github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/clickhouse"
	"bitacora/domain/fault"
)

func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want fault.Kind
	}{
		{&driver.Exception{Code: 202}, fault.Unavailable},
		{&driver.Exception{Code: 241}, fault.Unavailable},
		{fmt.Errorf("query kpis: %w", driver.ErrAcquireConnTimeout), fault.Unavailable},
		{io.ErrUnexpectedEOF, fault.Unavailable},
		{&driver.Exception{Code: 32}, fault.Unavailable},
		{fmt.Errorf("query kpis: %w", &driver.HTTPError{StatusCode: 502, Err: errors.New(`response body: ""`)}), fault.Unavailable},
		{&driver.HTTPError{StatusCode: 404, Err: errors.New(`response body: ""`)}, ""},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, fault.Unavailable},
		{&driver.Exception{Code: 47}, fault.Outdated},
		{fmt.Errorf("query kpis: %w", &driver.Exception{Code: 60}), fault.Outdated},
		{&driver.Exception{Code: 62}, ""},
		{errors.New("another"), ""},
		{nil, ""},
	} {
		if got := clickhouse.KindOf(c.err); got != c.want {
			t.Errorf("%v is %q, want %q", c.err, got, c.want)
		}
	}
}

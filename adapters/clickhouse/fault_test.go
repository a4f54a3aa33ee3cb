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

// TestUnreadable: files of its own, not what was asked, nor what passes.
func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool
	}{
		{fmt.Errorf("count: %w", &driver.Exception{Code: 40, Message: "Checksum doesn't match"}), true},
		{&driver.Exception{Code: 76, Message: "Cannot open file /d/data.bin: , errno: 13, strerror: Permission denied"}, true},
		{&driver.Exception{Code: 76, Message: "Cannot open file /d/data.bin: , errno: 24, strerror: Too many open files"}, false},
		{&driver.Exception{Code: 1001, Message: "std::exception. filesystem error: in remove_all: Not a directory"}, true},
		{&driver.Exception{Code: 1001, Message: "std::exception. std::bad_alloc"}, false},
		{&driver.Exception{Code: 243, Message: "No space left on device"}, false},
		{&driver.Exception{Code: 60}, false},
		{io.EOF, false},
		{nil, false},
	} {
		if got := clickhouse.Unreadable(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}

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
		{&driver.Exception{Code: 40}, fault.Unavailable},
		{&driver.Exception{Code: 62}, ""},
		{errors.New("another"), ""},
		{nil, ""},
	} {
		if got := clickhouse.KindOf(c.err); got != c.want {
			t.Errorf("%v is %q, want %q", c.err, got, c.want)
		}
	}
}

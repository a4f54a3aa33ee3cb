package clickhouse

import (
	"errors"
	"io"
	"testing"

	"github.com/ClickHouse/clickhouse-go/v2"
)

func TestAnotherNodeIsAskedWhereItMayKnow(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"gone":                    {io.ErrUnexpectedEOF, true},
		"without the tables":      {&clickhouse.Exception{Code: unknownTable}, true},
		"without the user":        {&clickhouse.Exception{Code: 516}, true},
		"reaches no other":        {&clickhouse.Exception{Code: 279}, true},
		"too much for its memory": {&clickhouse.Exception{Code: 241}, false},
		"asked what cannot be":    {&clickhouse.Exception{Code: 62}, false},
		"nobody waits any more":   {errors.New("another"), false},
	} {
		if got := mayBeElsewhere(test.err); got != test.want {
			t.Errorf("a node that is %s: another one is asked: %t", name, got)
		}
	}
}

func TestTheOldestNodeIsNamed(t *testing.T) {
	for _, versions := range [][2]string{{"9.12.1.1", "26.7.2.1"}, {"26.7.2.1", "26.10.1.1"}, {"26.7", "26.7.1"}} {
		if !older(versions[0], versions[1]) || older(versions[1], versions[0]) || older(versions[0], versions[0]) {
			t.Errorf("%s is not older than %s", versions[0], versions[1])
		}
	}
}

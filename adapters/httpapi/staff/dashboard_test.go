package staff

import (
	"context"
	"slices"
	"testing"
	"time"
)

// zoned are tables that only say their zone.
type zoned struct{ Tables }

func (zoned) Zone(context.Context) (*time.Location, error) { return time.UTC, nil }

// TestAQuestionIsAskedOnceMoreWhereOtherTablesWentLive: the former tables go on meanwhile, and what they hold by then
// the present ones may lack.
func TestAQuestionIsAskedOnceMoreWhereOtherTablesWentLive(t *testing.T) {
	live := Live(func(context.Context) (Tables, Through, error) { return zoned{}, Through{Build: "b2"}, nil })
	var asked []string
	found, err := fromLiveTables(t.Context(), live, question{tables: zoned{}, through: Through{Build: "b1"}}, func(_ context.Context, q question) (string, error) {
		asked = append(asked, q.through.Build)
		return q.through.Build, nil
	})
	if err != nil || found != "b2" || !slices.Equal(asked, []string{"b1", "b2"}) {
		t.Errorf("%s, of %v, %v", found, asked, err)
	}
}

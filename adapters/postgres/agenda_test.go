package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
)

// booking asks for one of the chairs from the given minute on, for half an hour.
func booking(id string, minute int, chairs ...string) event.Append {
	begins := at.Add(time.Duration(minute) * time.Minute)
	a := request("chat-"+id, event.AnyVersion, opened())
	a.Claim = &event.Claim{BookingID: id, Chairs: chairs, Begins: begins, Ends: begins.Add(30 * time.Minute)}
	return a
}

// taken are the chairs and minutes that are taken.
func taken(t *testing.T, log *postgres.Log, chairs ...string) string {
	t.Helper()
	found, err := log.Taken(t.Context(), chairs, at, at.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, p := range found {
		said += fmt.Sprintf("%s %v+%v;", p.Chair, p.Begins.Sub(at).Minutes(), p.Ends.Sub(p.Begins).Minutes())
	}
	return said
}

func TestAPlaceIsTakenOnceHoweverManyAsk(t *testing.T) {
	_, db := fresh(t)
	for _, test := range []struct{ places []string }{{[]string{"a/1"}}, {[]string{"b/1", "b/2", "b/3"}}} {
		var running sync.WaitGroup
		answers := make(chan error, 100)
		for i := range cap(answers) {
			running.Go(func() {
				_, err := db.Log().Append(context.Background(), booking(fmt.Sprint(test.places, i), 0, test.places...))
				answers <- err
			})
		}
		running.Wait()
		close(answers)
		stored := 0
		for err := range answers {
			if err == nil {
				stored++
			} else if !errors.Is(err, event.ErrSlotTaken) {
				t.Error(err)
			}
		}
		if stored != len(test.places) {
			t.Errorf("%d bookings at %v", stored, test.places)
		}
	}
	if head, _ := db.Log().Head(t.Context()); head != 4 {
		t.Errorf("refused claims stored events: head %d", head)
	}
}

func TestOverlappingClaims(t *testing.T) {
	_, db := fresh(t)
	mustAppend(t, db.Log(), booking("first", 60, "a/1"))
	for _, test := range []struct {
		minute int
		place  string
		free   bool
	}{{60, "a/1", false}, {31, "a/1", false}, {89, "a/1", false}, {30, "a/1", true}, {90, "a/1", true}, {60, "b/1", true}} {
		_, err := db.Log().Append(t.Context(), booking(fmt.Sprint(test), test.minute, test.place))
		if free := err == nil; free != test.free || err != nil && !errors.Is(err, event.ErrSlotTaken) {
			t.Errorf("%d at %s: %v", test.minute, test.place, err)
		}
	}
}

func TestAMovedBookingGivesItsPlaceBackInTheSameStep(t *testing.T) {
	_, db := fresh(t)
	mustAppend(t, db.Log(), booking("first", 0, "a/1"))
	mustAppend(t, db.Log(), booking("other", 60, "a/1"))

	refused := booking("moved", 60, "a/1")
	refused.Release = "first"
	if _, err := db.Log().Append(t.Context(), refused); !errors.Is(err, event.ErrSlotTaken) {
		t.Fatalf("got %v", err)
	}
	if got, want := taken(t, db.Log(), "a/1"), "a/1 0+30;a/1 60+30;"; got != want {
		t.Errorf("after a refused move: %s, want %s", got, want)
	}
	moved := booking("moved", 15, "a/1")
	moved.Release = "first"
	first := mustAppend(t, db.Log(), moved)
	if got, want := taken(t, db.Log(), "a/1"), "a/1 15+30;a/1 60+30;"; got != want {
		t.Errorf("after a move: %s, want %s", got, want)
	}
	if again := mustAppend(t, db.Log(), moved); again[0].Position != first[0].Position {
		t.Errorf("the repeated move was stored again")
	}
	cancel := request("chat-moved", event.AnyVersion, opened())
	cancel.Release = "moved"
	mustAppend(t, db.Log(), cancel)
	if got, want := taken(t, db.Log(), "a/1", "b/1"), "a/1 60+30;"; got != want {
		t.Errorf("after a cancellation: %s, want %s", got, want)
	}
}

func TestPlacesAreRepaired(t *testing.T) {
	_, db := fresh(t)
	log := db.Log()
	mustAppend(t, log, booking("kept", 0, "a/1"))
	mustAppend(t, log, booking("extra", 60, "a/1"))
	missing, late := booking("missing", 60, "a/1").Claim, booking("late", 0, "a/1").Claim
	for range 2 {
		unmet, err := log.RepairReservations(t.Context(), []string{"extra"}, []event.Claim{*missing, *late})
		if err != nil || len(unmet) != 1 || unmet[0].BookingID != "late" {
			t.Errorf("unmet %+v, %v", unmet, err)
		}
	}
	chairs, err := log.Reservations(t.Context())
	if err != nil || len(chairs) != 2 || chairs[0].Booking != "kept" || chairs[1].Booking != "missing" || chairs[1].Chair != "a/1" {
		t.Errorf("places %+v, %v", chairs, err)
	}
}

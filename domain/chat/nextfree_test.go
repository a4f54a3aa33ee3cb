package chat

import (
	"testing"
	"time"

	"bitacora/domain/clinic"
)

func TestNextFreeIsTheFirstTimeThatNobodyTook(t *testing.T) {
	service, log := newService(echo)
	const slug = "endodoncia"
	free := service.Clinic.Free(slug, nil, service.now())
	next := func() time.Time {
		at, err := service.NextFree(t.Context(), slug)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if at := next(); !at.Equal(free[0]) {
		t.Errorf("%v, want %v", at, free[0])
	}
	for _, chair := range service.Clinic.Agenda.Chairs(slug) {
		log.chairs["first at "+chair] = clinic.Taken{Chair: chair, Begins: free[0], Ends: free[0].Add(service.Clinic.Agenda.Length(slug))}
	}
	if at := next(); !at.Equal(free[1]) {
		t.Errorf("after a booking %v, want %v", at, free[1])
	}
	last := free[len(free)-1].Add(service.Clinic.Agenda.Length(slug))
	for _, chair := range service.Clinic.Agenda.Chairs(slug) {
		log.chairs["all of "+chair] = clinic.Taken{Chair: chair, Begins: free[0], Ends: last}
	}
	if at := next(); !at.IsZero() {
		t.Errorf("everything is taken, and %v is free", at)
	}
}

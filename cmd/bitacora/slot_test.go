package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// TestAHundredVisitorsConfirmOneSlot leads a hundred visitors to the last yes for the same
// time, and lets them all say it at once.
func TestAHundredVisitorsConfirmOneSlot(t *testing.T) {
	const visitors = 100
	p := programtest.NewProgram(t)
	p.Start()
	day := time.Now().In(clinic.Default().Zone).AddDate(0, 0, 20)
	for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, 1)
	}
	date, _, _ := strings.Cut(clinic.DayAndTime(day), " a la")
	_, date, _ = strings.Cut(date, " ") // without the day of the week
	talk := []string{"quiero una cita de ortodoncia", "sí", "Ana Ruiz", "6123-4567", "el " + date + " a las 10 de la mañana"}

	say := func(visitor int, text string) string {
		var answer struct{ Response string }
		if err := p.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint("v", visitor), "message": text}, &answer); err != nil {
			t.Error(err)
		}
		return answer.Response
	}
	everybody := func(do func(visitor int)) {
		var running sync.WaitGroup
		for v := range visitors {
			running.Go(func() { do(v) })
		}
		running.Wait()
	}
	everybody(func(v int) {
		reply := ""
		for _, text := range talk {
			reply = say(v, text)
		}
		if !strings.Contains(reply, "¿Confirmo la cita?") {
			t.Errorf("before the last yes: %s", reply)
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	var mu sync.Mutex
	booked, alternatives, other := 0, 0, ""
	everybody(func(v int) {
		reply := say(v, "sí")
		mu.Lock()
		defer mu.Unlock()
		switch {
		case strings.Contains(reply, "quedó agendada"):
			booked++
		case strings.Contains(reply, "Lo siento") && strings.Contains(reply, "1. ") && strings.Contains(reply, "¿Cuál prefieres?"):
			alternatives++
		default:
			other = reply
		}
	})
	if booked != 1 || alternatives != visitors-1 {
		t.Errorf("%d were booked and %d were offered other times; another reply: %q", booked, alternatives, other)
	}
	events := 0
	log := p.App().DB.Log()
	for v := range visitors {
		stream, err := log.ReadStream(t.Context(), chat.Stream(chat.ConversationID("web", fmt.Sprint("v", v))))
		if err != nil {
			t.Fatal(err)
		}
		events += strings.Count(outcomes(stream), "AppointmentBooked")
	}
	if events != 1 {
		t.Errorf("%d bookings in the log", events)
	}
}

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant/eval"
	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/clinic/clinictest"
	"bitacora/domain/event"
)

// Whatever the test sets bring about, every reply speaks in the clinic's form.
func TestEveryReplySpeaksInTheClinicsForm(t *testing.T) {
	enginestest.Long(t)
	for _, form := range clinic.FormsOfAddress {
		t.Run(form.String(), func(t *testing.T) {
			own := clinic.Default()
			own.FormOfAddress = form
			service, err := assistant.StandaloneChat(&app.App{Config: settings.Config{ReplyTimeout: time.Minute, StoreTimeout: time.Minute}, Clinic: own}, nil)
			if err != nil {
				t.Fatal(err)
			}
			replies := repliesToSets(t, service)
			if len(replies) < 1000 {
				t.Errorf("only %d replies", len(replies))
			}
			for _, reply := range replies {
				if found := clinictest.Foreign(form, reply); len(found) > 0 {
					t.Errorf("%v: %s", found, reply)
				}
			}
		})
	}
}

// repliesToSets are all replies to the sentences and dialogues of the frozen and fresh sets.
func repliesToSets(t *testing.T, service *chat.Service) []string {
	t.Helper()
	var logs []*assistant.Memory
	stage := func(at time.Time) *chat.Service {
		s := assistant.StageOf(service)(at)
		logs = append(logs, s.Log.(*assistant.Memory))
		return s
	}
	for _, set := range []string{"frozen/sentences.txt", "frozen/dialogues.txt", "fresh/sentences.txt", "fresh/dialogues.txt"} {
		if err := play(t.Context(), set, stage, service.Clinic.Zone); err != nil {
			t.Fatal(err)
		}
	}
	var replies []string
	for _, log := range logs {
		for _, events := range log.Streams {
			for _, e := range events {
				if reply, ok := e.Payload.(*event.AssistantReplied); ok {
					replies = append(replies, reply.Text.Text)
				}
			}
		}
	}
	return replies
}

func play(ctx context.Context, set string, stage eval.Stage, zone *time.Location) error {
	f, err := os.Open(filepath.Join("../../adapters/assistant/testdata", set))
	if err != nil {
		return err
	}
	defer f.Close()
	if strings.HasSuffix(set, "sentences.txt") {
		said, err := eval.ReadSentences(f, zone)
		if err != nil {
			return err
		}
		_, err = said.Measure(ctx, stage)
		return err
	}
	dialogues, err := eval.ReadDialogues(f, zone)
	if err != nil {
		return err
	}
	_, err = dialogues.Measure(ctx, stage)
	return err
}

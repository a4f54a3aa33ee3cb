package chat

import (
	"context"
	"errors"
	"strings"
	"testing"

	"bitacora/domain/event"
)

// A browser gets its cookie with the first answer. Whatever shows it first binds the
// conversation, once.
func TestAConversationIsBoundOnceItsCookieIsSeen(t *testing.T) {
	ctx := context.Background()
	first := Message{SessionID: "s", MessageID: "m1", Text: "Hola", NewToken: "secreto"}
	say := func(text, id, token string) func(*Service) error {
		return func(d *Service) error {
			_, err := d.Receive(ctx, Message{SessionID: "s", MessageID: id, Text: text, ResumeToken: token})
			return err
		}
	}
	for name, c := range map[string]struct {
		does  func(*Service) error
		bound bool
	}{
		"another message": {say("¿Qué tal?", "m2", "secreto"), true},
		"a repeated one":  {say("Hola", "m1", "secreto"), true},
		"a rating": {func(d *Service) error {
			return d.Rate(ctx, Rating{SessionID: "s", ResumeToken: "secreto", MessageID: "m1", Value: event.RatedPositive})
		}, true},
		"reading back": {func(d *Service) error {
			_, err := d.Transcript(ctx, "s", "secreto")
			return err
		}, true},
		"no cookie":      {say("¿Qué tal?", "m2", ""), false},
		"another cookie": {say("¿Qué tal?", "m2", "otro"), false},
		"a visit":        {func(d *Service) error { return d.Visit(ctx, Visit{SessionID: "s"}) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			service, log := newService(echo)
			if _, err := service.Receive(ctx, first); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := c.does(service); err != nil {
					t.Fatal(err)
				}
			}
			stream := Stream(ConversationID("web", "s"))
			if n := strings.Count(log.types(stream), "ConversationBound"); n == 1 != c.bound || n > 1 {
				t.Errorf("recorded %s", log.types(stream))
			}
			err := say("¿Sigues ahí?", "m3", "")(service)
			if errors.Is(err, ErrBound) != c.bound || err != nil && !c.bound {
				t.Errorf("without the cookie: %v", err)
			}
			if err := say("¿Sigues ahí?", "m3", "secreto")(service); err != nil {
				t.Errorf("with the cookie: %v", err)
			}
		})
	}
}

// A browser that has its cookie from an earlier conversation shows it at once.
func TestAConversationThatBeginsWithACookieIsBound(t *testing.T) {
	service, log := newService(echo)
	ctx := context.Background()
	if _, err := service.Receive(ctx, Message{SessionID: "s", Text: "Hola", ResumeToken: "secreto"}); err != nil {
		t.Fatal(err)
	}
	before := log.types(Stream(ConversationID("web", "s")))
	// Another process knows it, too.
	another, _ := newService(echo)
	another.Log = log
	for _, token := range []string{"", "otro"} {
		if _, err := another.Receive(ctx, Message{SessionID: "s", Text: "Hola", ResumeToken: token}); !errors.Is(err, ErrBound) {
			t.Errorf("token %q: %v", token, err)
		}
	}
	if after := log.types(Stream(ConversationID("web", "s"))); after != before {
		t.Errorf("recorded %s, then %s", before, after)
	}
}

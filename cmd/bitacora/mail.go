package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// outbox takes letters to the staff: the mail server, or a folder where none is configured.
func outbox(h *app) (mail.Outbox, error) {
	if h.config.SMTPURL == "" {
		return outboxFolder(h), nil
	}
	server, err := mail.NewServer(h.config.SMTPURL, h.clinic.Email, h.config.MailTo)
	if err != nil {
		return nil, misuse{fmt.Errorf("BITACORA_SMTP_URL: %w", err)}
	}
	return server, nil
}

// adoptionRound is how often it is looked whether a restored log was taken over.
const adoptionRound = 5 * time.Second

// deliver sends the staff letters about what visitors do, until ctx ends. They wait while the
// log is one that was restored and not taken over yet.
func deliver(ctx context.Context, h *app, site string) error {
	letters, err := outbox(h)
	if err != nil {
		return err
	}
	logged := ""
	for {
		err := followWith(ctx, h, &mail.Mailer{
			Log: h.db.Log(), Outbox: letters, Clinic: h.clinic, Site: site, Now: time.Now, Logger: h.log,
		})
		if !errors.Is(err, feed.ErrForeignCheckpoint) {
			return err
		}
		if logged != err.Error() {
			logged = err.Error()
			h.log.Error("letters to the staff wait", "error", err)
		}
		if !pause(ctx, adoptionRound) {
			return nil
		}
	}
}

func followWith(ctx context.Context, h *app, m *mail.Mailer) error {
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, watermill.NewSlogLogger(h.log))
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	subscriber := postgres.NewSubscriber(h.db, feed.Config{Lease: builds.LeaseTime, Pause: batchPause})
	m.Subscriber = subscriber
	m.AddTo(router)
	if err := errors.Join(router.Run(ctx), subscriber.Close()); err != nil {
		return fmt.Errorf("follow the log for letters: %w", err)
	}
	return nil
}

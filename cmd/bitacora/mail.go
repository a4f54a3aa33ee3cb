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
)

// outbox takes letters to the staff: the mail server, or a folder where none is configured.
func (a *app) outbox() (mail.Outbox, error) {
	if a.config.SMTPURL == "" {
		return a.outboxFolder(), nil
	}
	server, err := mail.NewServer(a.config.SMTPURL, a.clinic.Email, a.config.MailTo)
	if err != nil {
		return nil, misuse{fmt.Errorf("BITACORA_SMTP_URL: %w", err)}
	}
	return server, nil
}

// adoptionRound is how often it is looked whether a restored log was taken over.
const adoptionRound = 5 * time.Second

// deliver sends the staff letters about what visitors do, until ctx ends. They wait while the
// log is one that was restored and not taken over yet.
func (a *app) deliver(ctx context.Context, site string) error {
	outbox, err := a.outbox()
	if err != nil {
		return err
	}
	told := ""
	for {
		err := a.followWith(ctx, &mail.Courier{
			Log: a.db.Log(), Outbox: outbox, Clinic: a.clinic, Site: site, Now: time.Now, Logger: a.log,
		})
		if !errors.Is(err, postgres.ErrForeignCheckpoint) {
			return err
		}
		if told != err.Error() {
			told = err.Error()
			a.log.Error("letters to the staff wait", "error", err)
		}
		if !pause(ctx, adoptionRound) {
			return nil
		}
	}
}

func (a *app) followWith(ctx context.Context, courier *mail.Courier) error {
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, watermill.NewSlogLogger(a.log))
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	subscriber := postgres.NewSubscriber(a.db, postgres.SubscriberConfig{Lease: builds.LeaseTime, Pause: batchPause})
	courier.Subscriber = subscriber
	courier.AddTo(router)
	if err := errors.Join(router.Run(ctx), subscriber.Close()); err != nil {
		return fmt.Errorf("follow the log for letters: %w", err)
	}
	return nil
}

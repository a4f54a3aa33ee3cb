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
)

// deliver sends contact messages to the staff until ctx ends, where a mail server is
// configured.
func (h *house) deliver(ctx context.Context) error {
	if h.config.SMTPURL == "" {
		return nil
	}
	server, err := mail.NewServer(h.config.SMTPURL, h.clinic.Email, h.config.MailTo)
	if err != nil {
		return misuse{fmt.Errorf("BITACORA_SMTP_URL: %w", err)}
	}
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, watermill.NewSlogLogger(h.log))
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	subscriber := postgres.NewSubscriber(h.db, postgres.SubscriberConfig{Lease: leaseTime, Pause: batchPause})
	courier := mail.Courier{Subscriber: subscriber, Outbox: server, Clinic: h.clinic, Now: time.Now, Logger: h.log}
	courier.AddTo(router)
	if err := errors.Join(router.Run(ctx), subscriber.Close()); err != nil {
		return fmt.Errorf("mail contact messages: %w", err)
	}
	return nil
}

package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/fault"
	"bitacora/domain/subjects"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// outbox takes letters to the staff: the mail server, or a folder where none is configured.
func outbox(a *app.App) (mail.Outbox, error) {
	if a.Config.SMTPURL == "" {
		return app.OutboxFolder(a), nil
	}
	server, err := mail.NewServer(a.Config.SMTPURL, a.Clinic.Email, a.Config.MailTo)
	if err != nil {
		return nil, command.Misuse(fmt.Errorf("BITACORA_SMTP_URL: %w", err))
	}
	return server, nil
}

// outboxRound is the pause between two searches for letters about erased people.
const outboxRound = time.Minute

// keepOutbox removes letters about people whom another process erased, until ctx ends. Each process has its
// own folder, and an erasure reaches only the folder of the process that erases.
func keepOutbox(ctx context.Context, a *app.App) {
	for {
		if err := ForgetErased(ctx, a); err != nil && ctx.Err() == nil {
			a.Log.Warn("letters about erased people are not removed yet, trying again", "error", err)
		}
		if !command.Pause(ctx, outboxRound) {
			return
		}
	}
}

// ForgetErased removes the letters about erased people from the outbox.
func ForgetErased(ctx context.Context, a *app.App) error {
	folder := app.OutboxFolder(a)
	// Most have a mail server, and no folder: nobody is looked for then.
	if files, err := os.ReadDir(folder.Dir()); errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 {
		return nil
	}
	erased, err := a.DB.Log().Erased(ctx)
	if err != nil {
		return err
	}
	removed, err := folder.Forget(ctx, subjects.IDs(erased))
	if removed > 0 {
		a.Log.Info("letters about erased people are removed", "letters", removed)
	}
	return err
}

// adoptionRound is how often it is looked whether a restored log was taken over.
const adoptionRound = 5 * time.Second

// deliver sends the staff letters about what visitors do, until ctx ends. They wait while the
// log is one that was restored and not taken over yet.
func deliver(ctx context.Context, a *app.App, site string) error {
	letters, err := outbox(a)
	if err != nil {
		return err
	}
	logged := ""
	for {
		err := followWith(ctx, a, &mail.Mailer{
			Log: a.DB.Log(), Outbox: letters, Clinic: a.Clinic, Site: site, Now: time.Now, Logger: a.Log,
		})
		if !errors.Is(err, feed.ErrForeignCheckpoint) {
			return err
		}
		if logged != err.Error() {
			logged = err.Error()
			a.Log.Error("letters to the staff wait", "error", err)
		}
		if !command.Pause(ctx, adoptionRound) {
			return nil
		}
	}
}

func followWith(ctx context.Context, a *app.App, m *mail.Mailer) error {
	logger := watermill.NewSlogLoggerWithLevelMapping(a.Log, map[slog.Level]slog.Level{slog.LevelInfo: slog.LevelDebug})
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, logger)
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	subscriber := postgres.NewSubscriber(a.DB, feed.Config{Lease: builds.LeaseTime, Pause: app.BatchPause})
	m.Subscriber = subscriber
	if err = m.AddTo(ctx, router); err == nil {
		err = router.Run(ctx)
	}
	return fault.Wrap(errors.Join(err, subscriber.Close()), "follow the log for letters")
}

package privacy

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/newsletter"
)

// NewsletterRegister keeps who wants the newsletter. It asks nobody without a mail server.
func NewsletterRegister(a *app.App, noticeVersion func(context.Context) string, letters mail.Outbox, site string) *newsletter.Register {
	log := a.DB.Log()
	r := &newsletter.Register{
		Log: log, List: postgres.Newsletter{Log: log}, Index: log, Eraser: SubjectRegister(a), NoticeVersion: noticeVersion, Now: time.Now, NewID: uuid.NewString,
	}
	if a.Config.SMTPURL != "" {
		r.Ask = func(ctx context.Context, s newsletter.Subscription) error {
			letter, err := mail.SubscriptionLetter(s, a.Clinic, site, time.Now())
			if err != nil {
				return err
			}
			if err := letters.Send(ctx, letter); err != nil {
				return fault.As(fault.Unavailable, err)
			}
			return nil
		}
	}
	return r
}

func newPrivacyNewsletter() *cobra.Command {
	c := app.LogCommand("newsletter", "List the addresses that get the newsletter, as CSV", "  bitacora privacy newsletter > boletin.csv",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			confirmed, err := NewsletterRegister(a, nil, nil, "").Confirmed(ctx)
			if err != nil {
				return err
			}
			if err := app.RecordAct(ctx, a, &event.ExportTaken{StaffID: event.ByOperator, Rows: "contacts", Format: "csv"}); err != nil {
				return err
			}
			out := csv.NewWriter(os.Stdout)
			err = out.Write([]string{"email", "confirmed_at", "unsubscribe"})
			for _, s := range confirmed {
				err = errors.Join(err, out.Write([]string{s.Email, s.ConfirmedAt.UTC().Format(time.RFC3339), mail.SubscriptionLink(a.Config.SiteURL, s.ID)}))
			}
			out.Flush()
			return fault.Wrap(errors.Join(err, out.Error()), "write list")
		})
	c.Long = `List the addresses that get the newsletter, as CSV.

Each row has the address, when it was confirmed, and a link. A letter to the address names the link in its headers
List-Unsubscribe and, with the value List-Unsubscribe=One-Click, List-Unsubscribe-Post. Who follows it unsubscribes,
and the address is erased.`
	return c
}

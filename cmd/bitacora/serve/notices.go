package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/domain/analytics"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	team "bitacora/domain/staff"
	"bitacora/domain/waiting"
	"bitacora/projections/builds"
)

const (
	// noticeRound is how often notices are looked for.
	noticeRound = time.Minute
	// summaryHour is when, on Mondays in the business zone, the summary is sent.
	summaryHour = 7
	// summarised is how many topics and questions a summary names.
	summarised = 5
)

// NewSummary is "bitacora summary".
func NewSummary() *cobra.Command {
	var week string
	c := app.Command("summary", "Write the weekly summary to the outbox, for a look",
		"  bitacora summary\n  bitacora summary --week 2026-11-09",
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			monday := LastWeek(time.Now().In(a.Clinic.Zone)).From
			if week != "" {
				day, err := time.ParseInLocation(time.DateOnly, week, a.Clinic.Zone)
				if err != nil {
					return command.Misuse(fmt.Errorf("--week: %q is not a day like 2026-11-09", week))
				}
				monday = analytics.MondayOf(day)
			}
			letter, _, err := summary(ctx, a, analytics.Period{From: monday, To: monday.AddDate(0, 0, 7)}, a.Config.SiteURL)
			if err != nil {
				return err
			}
			folder := app.OutboxFolder(a)
			if err := folder.Send(ctx, letter); err != nil {
				return err
			}
			fmt.Printf("%s\n\n%s\n%s\n", letter.Subject, letter.Text, folder.Path(letter))
			return nil
		})
	c.Flags().StringVar(&week, "week", "", "a day of the reported week; default: the last whole week")
	return c
}

// notify writes to the staff, until ctx ends, when the month's limit comes near or somebody
// begins too many conversations, and on Mondays how the week was. Of any number of processes
// one does it at a time.
func notify(ctx context.Context, a *app.App, site string) error {
	letters, err := outbox(a)
	if err != nil {
		return err
	}
	n := mail.Notifier{Memory: a.DB.Log(), Outbox: letters, Now: time.Now, Logger: a.Log}
	for command.Pause(ctx, noticeRound) {
		_, err := a.DB.TryWithLease(ctx, "notices", builds.LeaseTime, func(ctx context.Context) error {
			return NoticesOf(ctx, a, n, time.Now().In(a.Clinic.Zone), site)
		})
		if err != nil && ctx.Err() == nil {
			a.Log.Warn("letters to the staff could not be sent yet, trying again", "error", err)
		}
	}
	return nil
}

// NoticesOf sends what is due. Before that it forgets the addresses whose time is over, of networks and of a newsletter that nobody confirmed, and keeps an anchor
// of the log, whatever becomes of the letters.
func NoticesOf(ctx context.Context, a *app.App, n mail.Notifier, now time.Time, site string) error {
	forgotten := a.DB.Log().ForgetAddresses(ctx, now)
	expired := privacy.NewsletterRegister(a, nil, nil, site).Expire(ctx)
	return errors.Join(forgotten, expired, eventlog.KeepAnchorDaily(ctx, a, now), n.Send(ctx, DueNotices(ctx, a, now, site)))
}

// DueNotices lists the notices for the staff as of now, whether or not they were sent before.
func DueNotices(ctx context.Context, a *app.App, now time.Time, site string) []mail.Notice {
	week := LastWeek(now)
	list := []mail.Notice{{
		Name: "summary", Of: week.From.Format(time.DateOnly),
		Letter: func(ctx context.Context) (mail.Letter, bool, error) { return summary(ctx, a, week, site) },
	}}
	list = append(list, spentBudgets(ctx, a, now, site)...)
	for _, day := range []time.Time{now.AddDate(0, 0, -1), now} {
		if n, found := refused(ctx, a, day, site); found {
			list = append(list, n)
		}
	}
	taken, err := monthlyUsage(ctx, a, now)
	if err != nil {
		a.Log.Warn("the month's conversations could not be counted", "error", err)
		return list
	}
	if taken == nil || taken.Threshold() == 0 {
		return list
	}
	threshold := taken.Threshold()
	return append(list, mail.Notice{
		Name: fmt.Sprintf("limit-%d", threshold), Of: now.Format("2006-01"),
		Letter: func(context.Context) (mail.Letter, bool, error) {
			exhaustion := taken.Exhaustion(now, a.Clinic.Zone)
			return mail.LimitLetter(*taken, threshold, now, exhaustion.In(a.Clinic.Zone), site), true, nil
		},
	})
}

// maxSpent bounds how many accounts are written to at once.
const maxSpent = 100

// spentBudgets are the notices of accounts that were shown too many wrong codes since yesterday.
func spentBudgets(ctx context.Context, a *app.App, now time.Time, site string) (list []mail.Notice) {
	found, err := a.DB.Log().LatestOfStaff(ctx, team.AuditQuestion{From: now.AddDate(0, 0, -1), To: now, What: "StaffCodeBudgetSpent"}, maxSpent)
	if err != nil {
		a.Log.Warn("accounts that were shown wrong codes could not be looked up", "error", err)
	}
	for _, e := range found {
		spent, ok := e.Payload.(*event.StaffCodeBudgetSpent)
		if !ok {
			continue
		}
		list = append(list, mail.Notice{Name: "codes", Of: e.ID, Letter: func(ctx context.Context) (mail.Letter, bool, error) {
			who, err := a.DB.Staff().AccountByID(ctx, spent.StaffID)
			if errors.Is(err, postgres.ErrNotFound) { // it was removed meanwhile
				return mail.Letter{}, false, nil
			}
			return mail.CodesLetter(who.Email, spent.StaffID, e.OccurredAt.In(a.Clinic.Zone), site), err == nil, err
		}})
	}
	return list
}

// refused is the notice of a day on which an address wanted to begin more than it may.
func refused(ctx context.Context, a *app.App, day time.Time, site string) (mail.Notice, bool) {
	from := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location())
	first, err := a.DB.Log().FirstRefusal(ctx, from, from.AddDate(0, 0, 1))
	if err != nil {
		a.Log.Warn("refused addresses could not be looked up", "error", err)
	}
	return mail.Notice{
		Name: "address-limit", Of: from.Format(time.DateOnly),
		Letter: func(context.Context) (mail.Letter, bool, error) {
			return mail.AddressLimitLetter(first.In(a.Clinic.Zone), site), true, nil
		},
	}, !first.IsZero()
}

func monthlyUsage(ctx context.Context, a *app.App, now time.Time) (*analytics.MonthlyUsage, error) {
	if a.Config.MonthlyLimit == nil {
		return nil, nil
	}
	taken, err := a.DB.Log().MonthlyCount(ctx, now.Format("2006-01"))
	return analytics.UsageOf(taken, a.Config.MonthlyLimit), err
}

// LastWeek is the latest week whose summary is due: that before the Monday of which the
// summary's hour has come.
func LastWeek(now time.Time) analytics.Period {
	monday := analytics.MondayOf(now)
	if now.Before(monday.Add(summaryHour * time.Hour)) {
		monday = monday.AddDate(0, 0, -7)
	}
	return analytics.Period{From: monday.AddDate(0, 0, -7), To: monday}
}

// summary is the letter about a week. It is worth a letter if anybody wrote in it or in the one before.
func summary(ctx context.Context, a *app.App, week analytics.Period, site string) (mail.Letter, bool, error) {
	tables, _, err := a.Live(ctx)
	if err != nil {
		return mail.Letter{}, false, err
	}
	zone, err := tables.Zone(ctx)
	if err != nil {
		return mail.Letter{}, false, err
	}
	w, err := weekOf(ctx, tables, analytics.Cohort{Period: week.In(zone), Hours: a.Clinic.Hours})
	if err != nil {
		return mail.Letter{}, false, err
	}
	w.Site = site
	if err := ahead(ctx, a, &w); err != nil {
		return mail.Letter{}, false, err
	}
	anchor, err := a.DB.Log().Anchor(ctx)
	if err != nil {
		return mail.Letter{}, false, err
	}
	if anchor.Position > 0 {
		w.Anchor = anchor.String()
	}
	checked, err := app.SelfChecks(ctx, a.DB)
	if err != nil {
		return mail.Letter{}, false, err
	}
	for _, c := range checked {
		w.Checked, w.Differences = true, w.Differences+len(c.Findings)
	}
	letter, err := w.Letter(time.Now())
	return letter, w.Now.Conversations+w.Before.Conversations > 0, err
}

// ahead is what the clinic has to do now, whatever the week of the summary is.
func ahead(ctx context.Context, a *app.App, w *mail.Week) error {
	queue, err := waitingRegister(a).Page(ctx, waiting.Part{})
	if err != nil {
		return err
	}
	now := time.Now()
	booked, err := (&contacts.Register{Log: a.DB.Log(), Now: time.Now}).Agenda(ctx, now, now.In(a.Clinic.Zone).AddDate(0, 0, 7))
	w.Waiting, w.Grave = queue.Waiting, queue.Grave
	for _, c := range booked {
		if !c.Booking.Cancelled { // those that were cancelled late are listed as well
			w.Booked++
		}
	}
	return err
}

func waitingRegister(a *app.App) *waiting.Register {
	log := a.DB.Log()
	return &waiting.Register{Log: log, Source: postgres.Signals{Log: log}, Public: privacy.SubjectRegister(a).Public, Calendar: a.Clinic.Calendar(), Now: time.Now}
}

func weekOf(ctx context.Context, tables staff.Tables, c analytics.Cohort) (w mail.Week, err error) {
	w.Period = c.Period
	counts, err := tables.Counts(ctx, c)
	if err != nil {
		return w, err
	}
	before, err := tables.Counts(ctx, c.In(analytics.Period{From: c.From.AddDate(0, 0, -7), To: c.From}))
	if err != nil {
		return w, err
	}
	starts, err := tables.Starts(ctx, c)
	if err != nil {
		return w, err
	}
	topics, err := tables.Topics(ctx, c)
	if err != nil {
		return w, err
	}
	w.Questions, _, err = tables.Questions(ctx, analytics.QuestionList{Cohort: c, Reason: "unanswered", Limit: summarised})
	if err != nil {
		return w, err
	}
	w.Now, w.Before, w.Closed = counts, before, c.Heatmap(starts).Closed
	w.Topics = topics[:min(summarised, len(topics))]
	return w, nil
}

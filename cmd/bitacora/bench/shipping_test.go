package bench

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/offsite"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/backup"
	"bitacora/cmd/bitacora/programtest"
)

// BenchmarkShipping measures the turns of a clinic whose log is copied elsewhere. The control, with which it takes turns,
// is another clinic on the same machine, whose log is copied nowhere.
func BenchmarkShipping(b *testing.B) {
	const callers = 16
	calls := sized(1000, 20)
	alone, copied := &visitors{Program: programtest.NewEmbedded(b)}, &visitors{Program: programtest.NewEmbedded(b, places(b)...)}
	for _, v := range []*visitors{alone, copied} {
		v.Start()
		closedLoop(callers, calls, v.turn)
	}
	copied.Eventually("the log is copied", time.Minute, func() error {
		ready, err := copied.Readiness()
		if err == nil && ready.OffsiteAsOf == nil {
			err = errors.New("it is not known to be")
		}
		return err
	})
	rate := func(v *visitors) float64 {
		alone.Rest()
		copied.Rest()
		return closedLoop(callers, calls, v.turn)
	}
	var ratios []float64
	for b.Loop() {
		for range sized(7, 1) {
			control := rate(alone)
			ratios = append(ratios, rate(copied)/control)
		}
	}
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(slices.Min(ratios), "least-ratio")
	b.ReportMetric(slices.Max(ratios), "greatest-ratio")
	alone.allAnswered(b)
	copied.allAnswered(b)
}

// places are the settings of a copy in two folders.
func places(b *testing.B) []string {
	b.Helper()
	who, err := age.GenerateX25519Identity()
	if err != nil {
		b.Fatal(err)
	}
	return []string{"BITACORA_REPLICATE=file://" + b.TempDir(), "BITACORA_REPLICATE_KEYS=file://" + b.TempDir(), "BITACORA_REPLICATE_RECIPIENTS=" + who.Recipient().String()}
}

// BenchmarkShippedMonth measures what a month of 1,000,000 events brings to the place of a copy. A clinic at rest is
// copied for five minutes. Then an hour of the month passes in 36 seconds: turns, pieces and checkpoints are a hundred
// times as frequent. A base backup is measured before and after further events. The requests are those of the rest: a
// clinic at rest has a piece to send every ten seconds, too.
func BenchmarkShippedMonth(b *testing.B) {
	const (
		events, month  = 1_000_000, 30 * 24 * time.Hour
		speed          = 100
		checkpoints    = 5 * time.Minute
		turnsPerSecond = 19
	)
	pieces := sized(10*time.Second, time.Second)
	v := &visitors{Program: programtest.NewEmbedded(b)}
	v.Start()
	closedLoop(16, sized(500, 20), v.turn)
	s := &shipping{b: b, app: v.App()}
	at := places(b)
	s.app.Config.Replicate, s.app.Config.ReplicateKeys, s.app.Config.ReplicateTo = value(at[0]), value(at[1]), value(at[2])

	rest := sized(checkpoints, time.Second)
	s.checkpoint()
	atRest := s.during(pieces, func() { time.Sleep(rest) })
	logOfRest, requests := float64(atRest.log)/atRest.took.Seconds(), float64(atRest.requests)/atRest.took.Seconds()

	before, hour := s.head(), sized(time.Hour/speed, time.Second)
	ofHour := s.during(pieces/speed, func() {
		stop := s.checkpoints(checkpoints / speed)
		defer stop()
		openLoop(turnsPerSecond, hour, v.turn)
	})
	logOfEvent := (float64(ofHour.log) - logOfRest*ofHour.took.Seconds()) / float64(s.head()-before)

	before = s.head()
	programtest.Fill(b, s.app, sized(2_000, 100), 10)
	if err := offsite.DropSlot(b.Context(), s.app.At.ReplicationURL); err != nil {
		b.Fatal(err)
	}
	filled := s.during(pieces, func() {})
	baseOfEvent := float64(filled.base-atRest.base) / float64(s.head()-before)

	b.ReportMetric(0, "ns/op")
	b.ReportMetric(logOfRest, "log-at-rest-B/s")
	b.ReportMetric(logOfEvent, "log-B/event")
	b.ReportMetric((logOfRest*month.Seconds()+logOfEvent*events)/1e9, "log-GB/month")
	b.ReportMetric(requests*month.Seconds(), "requests/month")
	b.ReportMetric(float64(atRest.base)/1e6, "empty-base-MB")
	b.ReportMetric(baseOfEvent, "base-B/event")
	v.allAnswered(b)
}

func value(setting string) string {
	_, value, _ := strings.Cut(setting, "=")
	return value
}

// shipping copies the log of a running program from this process, at a pace of its own.
type shipping struct {
	b   *testing.B
	app *app.App
}

// stored is what lies at the place, the requests that brought it there, and how long that took.
type stored struct {
	log, base, requests int64
	took                time.Duration
}

// during copies the log while something is done, and gives the log that was stored meanwhile and the newest base backup.
func (s *shipping) during(every time.Duration, do func()) stored {
	s.b.Helper()
	shipper, err := backup.NewShipper(s.app)
	if err != nil {
		s.b.Fatal(err)
	}
	shipper.Every = every
	ctx, cancel := context.WithCancel(s.b.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		shipper.Run(ctx)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	caughtUp := func() stored {
		for now := time.Now(); ; time.Sleep(every / 10) {
			st := shipper.Status()
			// The slot is PostgreSQL's for a moment after its last reader: the shipper tries again.
			if time.Since(now) > 10*time.Minute {
				s.b.Fatalf("%+v", st)
			}
			if st.AsOf.After(now) && !st.Base.IsZero() {
				return s.stored(st.Requests)
			}
		}
	}
	before, began := caughtUp(), time.Now()
	do()
	after := caughtUp()
	return stored{after.log - before.log, after.base, after.requests - before.requests, time.Since(began)}
}

func (s *shipping) stored(requests int64) stored {
	s.b.Helper()
	at := stored{requests: requests}
	err := filepath.WalkDir(strings.TrimPrefix(s.app.Config.Replicate, "file://"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		switch {
		case err != nil:
		case strings.Contains(path, "/wal/"):
			at.log += info.Size()
		case strings.Contains(path, ".tar."): // the newest comes last
			at.base = info.Size()
		}
		return err
	})
	if err != nil {
		s.b.Fatal(err)
	}
	return at
}

func (s *shipping) head() int64 {
	s.b.Helper()
	head, err := s.app.DB.Log().Head(s.b.Context())
	if err != nil {
		s.b.Fatal(err)
	}
	return head
}

// checkpoint has PostgreSQL store whole pages at their next change, as it does every five minutes.
func (s *shipping) checkpoint() {
	if err := s.tryCheckpoint(); err != nil {
		s.b.Error(err)
	}
}

func (s *shipping) tryCheckpoint() error {
	file, err := s.app.Engines().Passwords()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var passwords struct{ Postgres string }
	if err := json.Unmarshal(text, &passwords); err != nil {
		return err
	}
	at, err := url.Parse(s.app.At.MigrationURL)
	if err != nil {
		return err
	}
	at.User = url.UserPassword("postgres", passwords.Postgres)
	conn, err := pgx.Connect(s.b.Context(), at.String())
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(s.b.Context(), "CHECKPOINT")
	return err
}

// checkpoints makes one at each tick until it is stopped.
func (s *shipping) checkpoints(every time.Duration) (stop func()) {
	tick, done, ended := time.NewTicker(every), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.checkpoint()
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
		<-ended
	}
}

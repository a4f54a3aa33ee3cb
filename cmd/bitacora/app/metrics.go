package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/settings"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// meters are what this process has counted of its own work on the tables.
type meters struct {
	rows    *prometheus.CounterVec
	inserts *prometheus.HistogramVec
	failed  *prometheus.CounterVec
	failing *prometheus.GaugeVec
	SignIns *prometheus.CounterVec
	Chat    *chatMeters

	mu sync.Mutex
	// refused is why the latest rows of a build could not be stored, while somebody here tries.
	refused map[string]insertFault
}

// insertFault is an error that is told of until it is forgotten.
type insertFault struct {
	err    error
	forget func() bool
}

// NewMeters makes the metrics of one process.
func NewMeters() *meters {
	m := &meters{
		Chat: newChatMeters(),
		rows: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bitacora_projection_rows_total", Help: "Partial rows written, by build and table.",
		}, []string{"build", "table"}),
		inserts: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bitacora_projection_insert_duration_seconds", Help: "Time to store the rows of one batch in ClickHouse.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"build"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bitacora_projection_insert_failures_total", Help: "Batches whose rows could not be stored at the first try.",
		}, []string{"build"}),
		failing: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "bitacora_projection_inserts_failing", Help: "1 while the latest rows of a build could not be stored; they are tried again.",
		}, []string{"build"}),
		SignIns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bitacora_staff_sign_in_failures_total", Help: "Sign-ins of the staff that failed for a wrong password, or for a wrong code behind the right one.",
		}, []string{"reason"}),
		refused: map[string]insertFault{},
	}
	for _, reason := range []string{"password", "code"} {
		m.SignIns.WithLabelValues(reason) // 0 is a figure, too
	}
	return m
}

// measured is a writer of a build that is metered.
func (m *meters) measured(build string, w projections.Writer) projections.Writer {
	m.failed.WithLabelValues(build) // 0 is a figure, too
	m.failing.WithLabelValues(build)
	return meteredWriter{w, build, m}
}

type meteredWriter struct {
	projections.Writer
	build string
	*meters
}

func (m meteredWriter) Write(ctx context.Context, rows projections.Tables) error {
	began := time.Now()
	err := m.Writer.Write(ctx, rows)
	m.note(ctx, m.build, err)
	if err != nil {
		m.failed.WithLabelValues(m.build).Inc()
		return err
	}
	m.inserts.WithLabelValues(m.build).Observe(time.Since(began).Seconds())
	for table, count := range rows.Counts() {
		m.rows.WithLabelValues(m.build, table).Add(float64(count))
	}
	return nil
}

// Applied implements [projections.Writer].
func (m meteredWriter) Applied(ctx context.Context, r projections.Range, last string) (int64, error) {
	through, err := m.Writer.Applied(ctx, r, last)
	m.note(ctx, m.build, err)
	return through, err
}

// note takes down whether the rows of a build are stored. Rows that are wrong by themselves are
// parked, and say nothing about that. An error is forgotten when ctx ends: then this process has
// lost the build's lease or given the work up, and whoever took it over tells of it.
func (m *meters) note(ctx context.Context, build string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if errors.Is(err, projections.ErrUnstorable) || err != nil && ctx.Err() != nil {
		return
	}
	if before, ok := m.refused[build]; ok {
		before.forget()
		delete(m.refused, build)
	}
	failing := 0.0
	if err != nil {
		failing = 1
		m.refused[build] = insertFault{err, context.AfterFunc(ctx, func() { m.note(ctx, build, nil) })}
	}
	m.failing.WithLabelValues(build).Set(failing)
}

// NotStored says why the latest rows of a build could not be stored; nil where they were.
func (m *meters) NotStored(build string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refused[build].err
}

// Collectors are the metrics of the log and of the builds, for /metrics.
func (m *meters) Collectors(c settings.Config, db *postgres.DB) []prometheus.Collector {
	own := []prometheus.Collector{m.rows, m.inserts, m.failed, m.failing, m.SignIns, &buildCollector{db}, machineCollector{c, func(ctx context.Context) (string, error) { return FirstEvent(ctx, db) }}}
	return append(own, m.Chat.collectors()...)
}

var (
	logHead       = prometheus.NewDesc("bitacora_log_position", "Position of the last event of the log.", nil, nil)
	logEvents     = prometheus.NewDesc("bitacora_log_appended_events_total", "Events this process appended.", nil, nil)
	logGroups     = prometheus.NewDesc("bitacora_log_append_groups_total", "Groups in which they were appended, one commit each.", nil, nil)
	logSeconds    = prometheus.NewDesc("bitacora_log_append_seconds_total", "Time spent in appending, from a group's start to its commit.", nil, nil)
	logQueue      = prometheus.NewDesc("bitacora_log_append_queue", "Appends that wait for their turn.", nil, nil)
	buildState    = prometheus.NewDesc("bitacora_build_state", "1 for the state that a build is in.", []string{"build", "state"}, nil)
	buildPosition = prometheus.NewDesc("bitacora_build_position", "Position up to which a build has applied the log.", []string{"build"}, nil)
	buildReplayed = prometheus.NewDesc("bitacora_build_replayed_events", "Events of a rebuild that were replayed in ranges.", []string{"build"}, nil)
	buildTarget   = prometheus.NewDesc("bitacora_build_target_events", "Events that a rebuild replays in ranges.", []string{"build"}, nil)
	buildLag      = prometheus.NewDesc("bitacora_build_lag_events", "Events of the log that a build has not applied.", []string{"build"}, nil)
	buildBehind   = prometheus.NewDesc("bitacora_build_lag_seconds", "Age of the last applied event while later ones wait.", []string{"build"}, nil)
	buildParked   = prometheus.NewDesc("bitacora_build_parked_conversations", "Conversations that wait because an event cannot be applied.", []string{"build"}, nil)
	rebuildDue    = prometheus.NewDesc("bitacora_rebuild_due", "1 when the live build was made by another version of the projections.", nil, nil)
	checkedAt     = prometheus.NewDesc("bitacora_self_check_timestamp_seconds", "When the log, the tables or the copy elsewhere were last looked at by the program itself.", []string{"what"}, nil)
	checkFound    = prometheus.NewDesc("bitacora_self_check_findings", "Differences that the program's own checks found and that are still there.", []string{"what"}, nil)
	liveLag       = prometheus.NewDesc("bitacora_projection_lag_events", "Events in the log that the live tables do not hold yet.", nil, nil)
)

// machineCollector looks at disks and backups whenever it is scraped.
type machineCollector struct {
	config settings.Config
	// log names the log by its first event.
	log func(context.Context) (string, error)
}

var (
	backupNewest = prometheus.NewDesc("bitacora_backup_newest_timestamp_seconds", "When the latest whole backup was taken that lies where backups are made; 0 where there is none.", nil, nil)
	diskFree     = prometheus.NewDesc("bitacora_disk_free_bytes", "What is left on the disk of a directory.", []string{"directory"}, nil)
	diskSize     = prometheus.NewDesc("bitacora_disk_size_bytes", "What the disk of a directory holds at most.", []string{"directory"}, nil)
)

// Describe implements [prometheus.Collector].
func (c machineCollector) Describe(out chan<- *prometheus.Desc) {
	out <- backupNewest
	out <- diskFree
	out <- diskSize
}

// Collect implements [prometheus.Collector].
func (c machineCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	newest := 0.0
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	log, _ := c.log(ctx) // without an answer, of any log
	if s, ok, err := NewestBackup(c.config.Backups(), log); err == nil && ok {
		newest = float64(s.TakenAt.Unix())
	}
	gauge(backupNewest, newest)
	for name, dir := range map[string]string{"data": c.config.DataDir, "backups": c.config.Backups(), "keys": c.config.Keys().Dir} {
		if disk, err := DiskOf(Existing(dir)); err == nil {
			gauge(diskFree, float64(disk.Free), name)
			gauge(diskSize, float64(disk.Size), name)
		}
	}
}

// buildCollector asks the database for the status of the builds whenever it is scraped.
type buildCollector struct{ db *postgres.DB }

// Describe implements [prometheus.Collector].
func (c *buildCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		logHead, logEvents, logGroups, logSeconds, logQueue, buildState, buildPosition, buildReplayed, buildTarget, buildLag, buildBehind, buildParked, rebuildDue, liveLag, checkedAt, checkFound,
	} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *buildCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	stats := c.db.Log().Stats()
	out <- prometheus.MustNewConstMetric(logEvents, prometheus.CounterValue, float64(stats.Events))
	out <- prometheus.MustNewConstMetric(logGroups, prometheus.CounterValue, float64(stats.Groups))
	out <- prometheus.MustNewConstMetric(logSeconds, prometheus.CounterValue, stats.Busy.Seconds())
	gauge(logQueue, float64(stats.Queued))
	list, err := c.db.BuildStatuses(ctx)
	if err != nil {
		return // the database is away, which /readyz says
	}
	for _, s := range list {
		gauge(buildState, 1, s.Name, string(s.State))
		gauge(buildPosition, float64(s.Position), s.Name)
		gauge(buildReplayed, float64(s.Replayed), s.Name)
		gauge(buildTarget, float64(s.Target), s.Name)
		gauge(buildLag, float64(s.Lag()), s.Name)
		gauge(buildBehind, s.BehindSeconds, s.Name)
		gauge(buildParked, float64(s.Parked), s.Name)
		if s.State == builds.Live {
			due := 0.0
			if s.Version != projections.Version {
				due = 1
			}
			gauge(rebuildDue, due)
			gauge(liveLag, float64(s.Lag()))
			gauge(logHead, float64(s.Head))
		}
	}
	checked, err := SelfChecks(ctx, c.db)
	if err != nil {
		return
	}
	for what, one := range checked {
		gauge(checkedAt, float64(one.Latest.Unix()), what)
		gauge(checkFound, float64(len(one.Findings)), what)
	}
}

package doctor

import (
	"context"
	"fmt"
	"time"

	"bitacora/adapters/offsite"
	"bitacora/cmd/bitacora/command"
)

const (
	// offsiteBehind is how much the copy elsewhere may lack.
	offsiteBehind = 5 * time.Minute
	// offsiteBase is how old its newest base backup may be.
	offsiteBase = 48 * time.Hour
	// offsiteDrill is how long ago the copy may have been opened for a trial.
	offsiteDrill = 35 * 24 * time.Hour
)

// examineOffsite looks at the copy elsewhere as a restore would.
func examineOffsite(ctx context.Context, d *doctor) finding {
	c := d.config
	if f := d.slot(); f.Status != "" {
		return f
	}
	if c.Replicate == "" {
		if c.Public() {
			return warn("the log is copied nowhere: with this machine all is lost that came after the latest backup", advise("set BITACORA_REPLICATE, BITACORA_REPLICATE_KEYS and BITACORA_REPLICATE_RECIPIENTS"))
		}
		return fine("the log is copied nowhere")
	}
	log, err := offsite.Open(c.Replicate)
	if err != nil {
		return unknown("not known with these settings", advise("correct BITACORA_REPLICATE"))
	}
	keys, err := offsite.Open(c.ReplicateKeys)
	if err != nil {
		return unknown("not known with these settings", advise("correct BITACORA_REPLICATE_KEYS"))
	}
	switch keeps, err := keys.KeepsOld(ctx); {
	case err != nil:
		return failed(fmt.Sprintf("the place for keys does not answer: %v", err), advise("see that %s can be reached from here", keys))
	case keeps != "":
		return failed(fmt.Sprintf("%s keeps the keys of people who were erased: %s", keys, keeps), advise("turn that off, and remove the old versions"))
	}
	point, err := offsite.Find(ctx, log, time.Time{})
	if err != nil {
		return failed(err.Error(), advise("the log of bitacora serve says why nothing is copied"))
	}
	behind := d.now().Sub(point.Until).Round(time.Second)
	switch {
	case point.Cut:
		return failed(fmt.Sprintf("%s lacks a piece of the log of %s: what came later cannot be restored", log, point.Until.In(d.clinic.Zone).Format(time.DateTime)), advise("remove the newest base backup there: bitacora serve makes another"))
	case behind > offsiteBehind && d.holder == nil:
		return warn(fmt.Sprintf("%s is as of %s ago, and nothing runs here", log, behind), advise("start bitacora serve"))
	case behind > offsiteBehind:
		return failed(fmt.Sprintf("%s is as of %s ago", log, behind), advise("the log of bitacora serve says why nothing is copied"))
	case d.now().Sub(point.Base) > offsiteBase:
		return failed(fmt.Sprintf("the newest base backup at %s is of %s", log, point.Base.In(d.clinic.Zone).Format(time.DateTime)), advise("the log of bitacora serve says why none is made"))
	}
	drilled, err := offsite.DrilledAt(ctx, log)
	switch {
	case err != nil:
		return failed(err.Error(), advise("see that %s can be reached from here", log))
	case d.now().Sub(drilled) > offsiteDrill:
		return warn(fmt.Sprintf("nobody opened the copy at %s since %s", log, drilled.In(d.clinic.Zone).Format(time.DateOnly)), advise("where the identity is: bitacora restore --drill --from ADDRESS --keys ADDRESS --identity FILE"))
	}
	return fine("%s, as of %s ago", log, behind)
}

// slot says what a server of one's own keeps for the copy: nothing where there is none, and not without a bound.
func (d *doctor) slot() (f finding) {
	kept := d.log.Slot.Kept
	switch {
	case kept == nil || d.at.EmbeddedPostgres:
	case d.config.Replicate == "":
		return failed(fmt.Sprintf("PostgreSQL keeps %s of its write-ahead log, and more every day, for a copy that is no longer made", command.SizeText(uint64(max(0, *kept)))),
			advise("as a superuser there: SELECT pg_drop_replication_slot('%s')", offsite.Slot))
	case !d.log.Slot.Bounded:
		return warn("while the place of the copy is away, PostgreSQL keeps its write-ahead log until its disk is full", advise("as a superuser there: ALTER SYSTEM SET max_slot_wal_keep_size = '4GB'; SELECT pg_reload_conf()"))
	}
	return f
}

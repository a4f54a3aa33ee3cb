package doctor

import (
	"context"
	"fmt"
	"time"

	"bitacora/adapters/offsite"
)

const (
	// offsiteBehind is how much the copy elsewhere may lack.
	offsiteBehind = 5 * time.Minute
	// offsiteBase is how old its newest base backup may be.
	offsiteBase = 48 * time.Hour
)

// examineOffsite looks at the copy elsewhere as a restore would.
func examineOffsite(ctx context.Context, d *doctor) finding {
	c := d.config
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
	return fine("%s, as of %s ago", log, behind)
}

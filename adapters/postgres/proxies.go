package postgres

import (
	"context"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/fault"
)

// proxyMemory is how long a proxy that nobody named is remembered.
const proxyMemory = 24 * time.Hour

// NoHeader stands for the name of a header where a proxy that is trusted sent none.
const NoHeader = ""

// UnnamedProxy is a peer that sent a proxy's header and is not trusted to, or is trusted and sent none.
type UnnamedProxy struct {
	Address netip.Addr
	// Header is the name of what it sent, or [NoHeader].
	Header string
	SeenAt time.Time
}

// NoteProxy remembers an unnamed proxy for a day.
func (db *DB) NoteProxy(ctx context.Context, p UnnamedProxy) error {
	_, err := db.pool.Exec(ctx, query("proxy_seen"), p.Address.String(), p.Header, p.SeenAt, p.SeenAt.Add(-proxyMemory))
	return fault.Wrap(err, "note unnamed proxy")
}

// UnnamedProxies lists those of the day before now, the latest first.
func UnnamedProxies(ctx context.Context, db *DB, now time.Time) ([]UnnamedProxy, error) {
	list, err := collect(ctx, db.pool, query("proxies_seen"), func(r pgx.CollectableRow) (p UnnamedProxy, err error) {
		var address string
		if err := r.Scan(&address, &p.Header, &p.SeenAt); err != nil {
			return p, err
		}
		p.Address, err = netip.ParseAddr(address)
		return p, err
	}, now.Add(-proxyMemory))
	return list, fault.Wrap(err, "list unnamed proxies")
}

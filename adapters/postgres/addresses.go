package postgres

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// countAddress counts the conversation that a request begins among those of its address. It
// answers [event.AddressLimitReached] where the address has begun as many as it may.
func (l *Log) countAddress(ctx context.Context, a event.Append) error {
	s := a.MonthlyLimit.AddressLimit
	at := a.Drafts[0].OccurredAt
	var free *time.Time
	err := l.pool.QueryRow(ctx, query("address_start"), l.hashAddress(s.Address), a.Stream, at, s.Hourly, s.Daily).Scan(&free)
	if err != nil {
		return fmt.Errorf("count conversations of an address: %w", err)
	}
	if free != nil {
		return event.AddressLimitReached{Wait: free.Sub(at)}
	}
	return nil
}

// uncountAddress forgets a conversation that did not begin.
func (l *Log) uncountAddress(ctx context.Context, a event.Append) error {
	_, err := l.pool.Exec(ctx, query("address_withdraw"), l.hashAddress(a.MonthlyLimit.AddressLimit.Address), a.Stream)
	return fault.Wrap(err, "uncount a conversation of an address")
}

// appendLimited is [Log.appendNew] for a request with an address limit. Once the
// month is full, that is the answer to everybody, also to an address beyond its own limit.
func (l *Log) appendLimited(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	if err := l.countAddress(ctx, a); err != nil {
		if errors.As(err, new(event.AddressLimitReached)) && a.MonthlyLimit.Limit != nil {
			if taken, countErr := l.MonthlyCount(ctx, a.MonthlyLimit.Month); countErr != nil || taken >= *a.MonthlyLimit.Limit {
				return nil, cmp.Or(countErr, event.ErrMonthlyLimitReached)
			}
		}
		return nil, err
	}
	recorded, err := l.appendNew(ctx, a)
	if errors.Is(err, event.ErrMonthlyLimitReached) {
		err = errors.Join(err, l.uncountAddress(ctx, a))
	}
	return recorded, err
}

// hashAddress is an address as it is stored: who has the database alone cannot try out
// all addresses that there are. With a rotation of the keys, all begin anew.
func (l *Log) hashAddress(address string) []byte {
	key := l.keys.newest()
	mac := hmac.New(sha256.New, key.EpochKey[:])
	mac.Write([]byte("bitacora address\x00" + address))
	return mac.Sum(nil)
}

// FirstRefusal is when an address first wanted to begin more conversations than it may,
// to the minute, in [from, to); zero if none did. The past two days are remembered.
func (l *Log) FirstRefusal(ctx context.Context, from, to time.Time) (time.Time, error) {
	var first *time.Time
	if err := l.pool.QueryRow(ctx, query("address_refused"), from, to).Scan(&first); err != nil {
		return time.Time{}, fmt.Errorf("find refused addresses: %w", err)
	}
	if first == nil {
		return time.Time{}, nil
	}
	return *first, nil
}

// ForgetAddresses removes what need not be known of addresses any more: of conversations, of failed
// logins, of token buckets that are full, and of proxies that nobody named.
func (l *Log) ForgetAddresses(ctx context.Context, now time.Time) error {
	_, err := l.pool.Exec(ctx, query("address_forget"), now, now.Add(-staff.FailureWindow), now.Add(-proxyMemory))
	return fault.Wrap(err, "forget addresses")
}

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

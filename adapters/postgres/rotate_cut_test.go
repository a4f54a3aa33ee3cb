package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
)

// cutStore fails at its n-th call, before or after doing what it was asked for.
type cutStore struct {
	postgres.KeyStore
	left  *int
	after bool
}

var errCut = errors.New("cut off")

func (s cutStore) cut(do func() error) error {
	if *s.left--; *s.left != 0 {
		return do()
	}
	if s.after {
		if err := do(); err != nil {
			return err
		}
	}
	return errCut
}

func (s cutStore) Keys(ctx context.Context) (keys map[int]postgres.EpochKey, err error) {
	err = s.cut(func() (err error) { keys, err = s.KeyStore.Keys(ctx); return err })
	return keys, err
}

func (s cutStore) Add(ctx context.Context, epoch int, key postgres.EpochKey) error {
	return s.cut(func() error { return s.KeyStore.Add(ctx, epoch, key) })
}

func (s cutStore) DestroyBefore(ctx context.Context, epoch int) error {
	return s.cut(func() error { return s.KeyStore.DestroyBefore(ctx, epoch) })
}

func TestARotationThatIsCutOffAnywhereIsFinished(t *testing.T) {
	enginestest.Long(t)
	url, keys, db := rotatable(t)
	const n = 2200
	fill(t, db.Log(), n)
	var erased []int
	rounds := 0
	round := func(name string, cut func() error) {
		rounds++
		erased = append(erased, rounds)
		if err := db.Log().DestroyKey(t.Context(), subject(rounds)); err != nil {
			t.Fatal(err)
		}
		if err := cut(); err == nil {
			t.Fatalf("%s: it was not cut off", name)
		}
		// Everything is there in between, and to a program that starts now.
		mustRead(t, db.Log(), 0, 10)
		next := open(t, url, keys)
		mustAppend(t, next.Log(), request(fmt.Sprintf("between-%d", rounds), 0, gave("264-1234")))
		done := mustRotate(t, next.Log())
		state, err := next.Log().KeyState(t.Context())
		held, errKeys := keys.Keys(t.Context())
		if err != nil || errKeys != nil || state.Rotating || state.Erased != 0 || len(held) != 1 || state.Last != done {
			t.Fatalf("%s: %+v, %v; %d keys, %v", name, state, err, len(held), errKeys)
		}
		if rounds%6 == 0 {
			mustHold(t, next.Log(), n, erased...)
		}
		next.Close()
	}
	for _, after := range []bool{false, true} {
		for call := 1; call <= 7; call++ {
			round(fmt.Sprintf("at call %d of the store, after it: %v", call, after), func() error {
				left := -1
				cut := open(t, url, cutStore{keys, &left, after})
				defer cut.Close()
				left = call
				_, err := cut.Log().Rotate(t.Context(), nil)
				if err == nil && left > 0 {
					return errCut // there are no more calls
				}
				return err
			})
		}
	}
	for _, at := range []int{1, 2, 3, 4, 5, 6} {
		round(fmt.Sprintf("at its %d. batch", at), func() error {
			ctx, cut := context.WithCancel(t.Context())
			defer cut()
			heard := 0
			_, err := db.Log().Rotate(ctx, func(int, int) {
				if heard++; heard == at {
					cut()
				}
			})
			return err
		})
	}
	if rounds != 20 {
		t.Errorf("%d rounds", rounds)
	}
	mustHold(t, open(t, url, keys).Log(), n, erased...)
}

// destroying hears when the keys of before are about to be destroyed.
type destroying struct {
	postgres.KeyStore
	hear func()
}

func (d destroying) DestroyBefore(ctx context.Context, epoch int) error {
	d.hear()
	return d.KeyStore.DestroyBefore(ctx, epoch)
}

// TestTheOldKeyIsThereUntilTheBundleIsWritten: without one a restore would have nobody's key.
func TestTheOldKeyIsThereUntilTheBundleIsWritten(t *testing.T) {
	url, keys, db := rotatable(t)
	fill(t, db.Log(), 3)
	inTheWay := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	logdump.KeepBundle(db, filepath.Join(inTheWay, "bundle"))
	if _, err := db.Log().Rotate(t.Context(), nil); err == nil {
		t.Error("rotated without a bundle")
	}
	if held := mustKeys(t, keys); len(held) != 2 {
		t.Errorf("without a bundle %d keys are left, want the old one and the new one", len(held))
	}
	bundle, heard := filepath.Join(t.TempDir(), "bundle"), 0
	next := open(t, url, destroying{keys, func() {
		heard++
		if b, err := logdump.OpenBundle(bundle); err != nil || b.Keys != 3 {
			t.Errorf("the old key goes while the bundle is %+v, %v", b, err)
		}
	}})
	logdump.KeepBundle(next, bundle)
	mustRotate(t, next.Log())
	if held := mustKeys(t, keys); len(held) != 1 || heard != 1 {
		t.Errorf("%d keys are left, destroyed %d times", len(held), heard)
	}
}

func mustKeys(t *testing.T, store postgres.KeyStore) map[int]postgres.EpochKey {
	t.Helper()
	all, err := store.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

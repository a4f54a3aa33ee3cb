package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// Keys are rotated at night, in the business zone, where somebody was erased since the last time:
// an erasure is provable within a day.
const (
	rotationFrom  = 3 // o'clock
	rotationUntil = 5
	// rotationRound is how often it is looked for.
	rotationRound = 10 * time.Minute
)

// NewKeys is "bitacora keys".
func NewKeys() *cobra.Command {
	rotate := app.LogCommand("rotate", "Wrap the keys of everybody anew and destroy the key of before", "  bitacora keys rotate",
		cobra.NoArgs, rotateKeys)
	command.WhenLeft(rotate, `the key of before is kept: the same command again goes on, and so does "bitacora serve" at night where somebody was erased`)
	rotate.Long = `Wrap all keys anew under a new key and destroy the former one, while everything runs. Nobody can then
read erased people in copies of the log. A running "bitacora serve" does so at night after an erasure.

Earlier copies of the keys directory contain the destroyed key: replace them.`
	return command.Group(&cobra.Command{Use: "keys", Short: "Look after the keys of personal data"}, rotate, newKeysSeal(), newKeysUnseal(), newKeysBundle(), newKeysRestore())
}

func rotateKeys(ctx context.Context, a *app.App, _ []string) error {
	shown := command.NewProgress("keys and terms")
	done, err := app.Rotate(ctx, a.DB.Log(), func(done, total int) { shown.Show(int64(done), int64(total)) })
	shown.Done()
	if err != nil {
		return err
	}
	fmt.Printf("key epoch %d began: %d keys are wrapped anew, and the key of before is destroyed\n", done.KeyEpoch, done.Survivors)
	fmt.Printf("%d subjects had been erased before: no copy of the log opens what they wrote any more\n", done.Erased)
	fmt.Printf("replace the copies of the keys directory by one of %s\n", a.Config.Keys().Dir)
	return nil
}

// KeepErasing rotates the keys by night, until ctx ends, where somebody was erased. A rotation that
// was cut off is finished at once, and an erasure that a failover lost is made again.
func KeepErasing(ctx context.Context, a *app.App) {
	for {
		destroyed, err := a.DB.RepeatErasures(ctx)
		if err != nil && ctx.Err() == nil {
			a.Log.Error("it is not known whether the log has keys of people who were erased; trying again", "error", err, "after", rotationRound)
		}
		a.WarnDestroyed(destroyed)
		done, err := rotateIfDue(ctx, a.DB.Log(), time.Now().In(a.Clinic.Zone))
		switch {
		case errors.Is(err, postgres.ErrRotating) || ctx.Err() != nil:
		case err != nil:
			a.Log.Error("keys are not rotated, so erasures are not provable yet; trying again", "error", err, "after", rotationRound)
		case done.KeyEpoch > 0:
			a.Log.Info("keys are rotated", "keyEpoch", done.KeyEpoch, "survivors", done.Survivors, "erased", done.Erased)
		}
		if !command.Pause(ctx, rotationRound) {
			return
		}
	}
}

// rotateIfDue gives an empty rotation where none is due at a time of the business zone.
func rotateIfDue(ctx context.Context, log *postgres.Log, now time.Time) (postgres.Rotation, error) {
	state, err := log.KeyState(ctx)
	if err != nil {
		return postgres.Rotation{}, err
	}
	atNight := rotationFrom <= now.Hour() && now.Hour() < rotationUntil
	if state.Rotating || atNight && state.Erased > 0 {
		return app.Rotate(ctx, log, nil)
	}
	if state.Last.KeyEpoch > 0 {
		// It may have been cut off before it was taken down.
		return postgres.Rotation{}, app.RecordRotation(ctx, log, state.Last)
	}
	return postgres.Rotation{}, nil
}

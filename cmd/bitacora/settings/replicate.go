package settings

import (
	"fmt"

	"bitacora/adapters/offsite"
)

// replicationMistakes are those of the settings about the copy elsewhere.
func replicationMistakes(c Config) (found []error) {
	if c.Replicate == "" && c.ReplicateKeys == "" && c.ReplicateTo == "" {
		return nil
	}
	report := func(name string, err error) {
		if err != nil {
			found = append(found, fmt.Errorf("%s: %w", name, err))
		}
	}
	_, err := offsite.Open(c.Replicate)
	report("BITACORA_REPLICATE", err)
	_, err = offsite.Open(c.ReplicateKeys)
	report("BITACORA_REPLICATE_KEYS", err)
	_, err = offsite.Recipients(c.ReplicateTo)
	report("BITACORA_REPLICATE_RECIPIENTS", err)
	if c.Replicate == c.ReplicateKeys {
		found = append(found, fmt.Errorf("BITACORA_REPLICATE_KEYS: has to be another place than BITACORA_REPLICATE, whose old copies nobody may open with it"))
	}
	if c.ReplicateDays < 1 {
		found = append(found, fmt.Errorf("BITACORA_REPLICATE_DAYS: %d is below 1", c.ReplicateDays))
	}
	return found
}

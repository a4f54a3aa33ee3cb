package postgres

import "bitacora/domain/fault"

// KindOf is what an error of the driver means to whoever asked; errors of this package carry
// their kind.
func KindOf(err error) fault.Kind {
	if Unavailable(err) {
		return fault.Unavailable
	}
	return ""
}

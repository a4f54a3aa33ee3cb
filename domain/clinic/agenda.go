package clinic

import "time"

// Wish is when somebody would like to come. The zero value is no wish at all.
type Wish struct {
	// First and Last are the days, both included, as midnights of the business zone; zero
	// if any day will do. "El sábado" has both on the next Saturday, "la próxima semana"
	// spans Monday to Sunday.
	First, Last time.Time
	// Earliest and Latest bound the time of day at which an appointment begins, in minutes
	// after midnight: Earliest ≤ begin < Latest. A Latest of 0 is no bound. "En la tarde"
	// is 720 to 1140, "después de las 4" is 960 to 0.
	Earliest, Latest int
	// Exact says that Earliest is the very minute that was asked for ("a las 10").
	Exact bool
}

package analytics

// What outcomes are counted by.
const (
	// AllOutcomes is the group of all.
	AllOutcomes = "all"
	// ByLeadTime counts by the fewest days between booking and appointment: 0, 1, 3, 8.
	ByLeadTime = "lead-time"
	// ByWeekday counts by the appointment's weekday, 1 for Monday to 7 for Sunday.
	ByWeekday = "weekday"
	// BySource counts by who confirmed the booking.
	BySource = "source"
	// BySpecialty counts by service.
	BySpecialty = "specialty"
)

// Outcomes are those of the appointments with one thing in common.
type Outcomes struct {
	// GroupedBy says which thing, Name its value: [None] for appointments without a specialty.
	GroupedBy, Name             string
	Came, Missed, CancelledLate int
}

// Known is the number of appointments whose outcome is known.
func (o Outcomes) Known() int { return o.Came + o.Missed + o.CancelledLate }

// MissedRate is the percent of the appointments with an outcome to which nobody came, without a word; nil where
// there is none.
func (o Outcomes) MissedRate() *float64 { return Percent(o.Missed, o.Known()) }

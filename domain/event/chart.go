package event

// ChartNotePrefix begins the streams of the chart's notes, each with a key of its own.
const ChartNotePrefix = "chart-note/"

// ChartNoteStream is the stream of a note.
func ChartNoteStream(id string) string { return ChartNotePrefix + id }

// ChartNoted records a note of the staff that stands in the chart, about some days. The last one of its stream counts.
type ChartNoted struct {
	// From and To are the first and the last day, "2026-11-24".
	From string `json:"from"`
	To   string `json:"to"`
	// Removed takes the note out of the chart.
	Removed bool   `json:"removed,omitempty"`
	By      string `json:"by"`
	Note    string `json:"-"`
}

// PersonalFields implements [Personal].
func (n *ChartNoted) PersonalFields() []Field { return []Field{{"note", &n.Note}} }

// Actor implements [ByActor].
func (n *ChartNoted) Actor() string { return n.By }

// EventType implements [Payload].
func (*ChartNoted) EventType() string { return "ChartNoted" }

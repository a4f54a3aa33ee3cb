package access

import "strconv"

// Clamped is the number nearest to the one that is asked for that a setting of an analyst may have. 0 asks for as much
// as there is, as it does of the engine. What is no number, or no bounded setting's, is left as it is.
func (l Limits) Clamped(name, asked string) string {
	number, err := strconv.ParseFloat(asked, 64)
	if err != nil {
		return asked
	}
	for _, s := range l.analystSettings() {
		if s.Name != name || s.Value == "" || !s.Fixed && s.Highest == "" {
			continue
		}
		lowest, _ := strconv.ParseFloat(s.Lowest, 64)
		highest, _ := strconv.ParseFloat(s.Highest, 64)
		switch {
		case s.Fixed, number <= 0:
			return s.Value
		case number < lowest:
			return s.Lowest
		case number > highest:
			return s.Highest
		}
	}
	return asked
}

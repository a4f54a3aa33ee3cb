package projections

// Join combines the rows of several batches, as ClickHouse does.
func Join(parts ...Tables) Tables {
	j := newJoiner()
	for _, t := range parts {
		for _, row := range t.Conversations {
			j.conversation(row)
		}
		j.Messages = append(j.Messages, t.Messages...)
		j.Contacts = append(j.Contacts, t.Contacts...)
		j.Visits = append(j.Visits, t.Visits...)
		j.Ratings = append(j.Ratings, t.Ratings...)
	}
	return j.sorted()
}

package projections

// Join is what several batches of rows mean together: one row a key, as ClickHouse makes of them.
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
		j.Bookings = append(j.Bookings, t.Bookings...)
		j.ContactHistory = append(j.ContactHistory, t.ContactHistory...)
		j.ChatRefusals = append(j.ChatRefusals, t.ChatRefusals...)
		j.AnswersTaught = append(j.AnswersTaught, t.AnswersTaught...)
		j.DataAccess = append(j.DataAccess, t.DataAccess...)
	}
	return j.sorted()
}

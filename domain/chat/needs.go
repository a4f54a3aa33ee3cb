package chat

// needsAnswer says whether the clinic's content is to be asked: for every question, and
// for what the dialogue itself makes nothing of.
func needsAnswer(c *Conversation, u Understanding) bool {
	switch {
	case u.Urgent, u.Asks, u.Intent == IntentAsk, u.Intent == IntentLeave:
		return true
	case u.Intent != IntentNone, usable(c, u):
		return false
	}
	return c.Dialogue.Asked == string(StepIdle) || u.Answer == Unsaid
}

// sure is the confidence from which on what the visitor wants needs no further reading.
const sure = 0.8

// needsReading says whether a message is to be read further: what asks something, what nothing was
// made of, and what an intent was found in that is not sure. Somebody in need is not kept waiting.
func needsReading(c *Conversation, u Understanding) bool {
	switch {
	case u.Urgent, u.Intent != IntentAsk && usable(c, u):
		return false
	}
	confidence := u.Understood.Confidence // 0 where a rule decided
	return needsAnswer(c, u) || confidence > 0 && confidence < sure
}

// needsAgenda says whether it matters for the reply when the chairs are taken.
func needsAgenda(c *Conversation, u Understanding) bool {
	return !u.Danger.Found() &&
		(u.Urgent || c.Dialogue.Asked != string(StepIdle) || usable(c, u) || u.Intent != IntentNone && u.Intent != IntentAsk)
}

// usable says whether a message holds something that the open question can use.
func usable(c *Conversation, u Understanding) bool {
	asked := Step(c.Dialogue.Asked)
	contact := u.Name != "" || len(u.Phones)+len(u.Emails) > 0
	if c.idle() {
		if c.Appointment != nil && u.Name != "" && u.Correction && u.Intent == IntentNone {
			return true
		}
		return len(u.Phones)+len(u.Emails) > 0 && u.Intent == IntentNone
	}
	if u.Intent == IntentAsk {
		// A question may name a treatment or a day without choosing it.
		return contact ||
			asked == StepSpecialty && u.Specialty != "" ||
			asked == StepTime && u.NamesTime() || u.WishesTime
	}
	if u.Waits || u.Wrong != StepIdle || len(u.Unwanted) > 0 || u.OtherTimes {
		return true
	}
	switch asked {
	case StepConsent, StepConfirm, StepCancel:
		if u.Answer != Unsaid {
			return true
		}
	case StepContact:
		if u.BadContact {
			return true
		}
	case StepSpecialty:
		if u.AnySpecialty {
			return true
		}
	case StepTime:
		if len(c.Dialogue.Offered) > 0 && (u.Choice != 0 || u.PlainYes && len(c.Dialogue.Offered) == 1) {
			return true
		}
	case StepSlot:
		if u.Choice != 0 || u.OtherTimes || u.Answer == No || u.Answer == Yes && len(c.Dialogue.Offered) == 1 {
			return true
		}
	}
	return contact || u.Specialty != "" || u.NamesTime() || u.AnyTime || u.ForSomebody
}

package event

// Understood is what was understood of a visitor's message. It is recorded with the reply to it;
// the zero value stands for what was not recorded.
type Understood struct {
	// Intent is what the message was taken for, as the assistant names it ("horario"); what a rule
	// decides is named by it: a danger, what the dialogue does, or "details" that it asked for.
	Intent string `json:"intent,omitempty"`
	// Confidence in the likeliest intent, from 0 to 1. That is the RunnerUp where it was not likely
	// enough to be believed. 0 where a rule decided.
	Confidence float64 `json:"confidence,omitempty"`
	// RunnerUp is the likeliest intent beside Intent.
	RunnerUp           string  `json:"runnerUp,omitempty"`
	RunnerUpConfidence float64 `json:"runnerUpConfidence,omitempty"`
}

// SmallTalk are the intents of messages that ask nothing.
var SmallTalk = []string{"saludo", "gracias", "despedida"}

func (u *Understood) take(name, value string, quoted bool) bool {
	switch {
	case quoted && name == "intent":
		u.Intent = value
	case quoted && name == "runnerUp":
		u.RunnerUp = value
	case !quoted && name == "confidence":
		return fraction(value, &u.Confidence)
	case !quoted && name == "runnerUpConfidence":
		return fraction(value, &u.RunnerUpConfidence)
	default:
		return false
	}
	return true
}

// Chosen is which of the clinic's answers a reply gives; the zero value where it gives none.
type Chosen struct {
	// Answer is its slug.
	Answer string `json:"answer,omitempty"`
	// Likelihood that it answers the question, from 0 to 1; 0 if unknown.
	Likelihood float64 `json:"likelihood,omitempty"`
	// NextAnswer is the slug of the answer that comes next.
	NextAnswer     string  `json:"nextAnswer,omitempty"`
	NextLikelihood float64 `json:"nextLikelihood,omitempty"`
}

func (c *Chosen) take(name, value string, quoted bool) bool {
	switch {
	case quoted && name == "answer":
		c.Answer = value
	case quoted && name == "nextAnswer":
		c.NextAnswer = value
	case !quoted && name == "likelihood":
		return fraction(value, &c.Likelihood)
	case !quoted && name == "nextLikelihood":
		return fraction(value, &c.NextLikelihood)
	default:
		return false
	}
	return true
}

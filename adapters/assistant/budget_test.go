package assistant

import (
	"strings"
	"testing"
	"time"

	"bitacora/domain/chat"
)

// TestADaysBudget: once it is used up the program reads alone, until the business day ends.
func TestADaysBudget(t *testing.T) {
	tests := map[string]struct {
		budget Budget
		// asked is how often the provider is asked of five questions a day; each takes 120 tokens
		// in and 30 out.
		asked int
	}{
		"none":             {Budget{}, 5},
		"tokens":           {Budget{Tokens: 400}, 3},
		"tokens, exactly":  {Budget{Tokens: 300}, 2},
		"cost":             {Budget{Cost: 0.0004, PriceIn: 1, PriceOut: 2}, 3},
		"whichever is met": {Budget{Tokens: 1000, Cost: 0.0001, PriceIn: 1}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			model := &scripted{response: wrote(chosen)}
			a := with(t, model, "openai")
			a.provider.budget = tt.budget
			evening := saturday.Add(9 * time.Hour) // the next day of UTC has begun
			for i := range 5 {
				u, reply := asks(t, a, chat.Question{Text: openQuestion, At: evening})
				asked := i < tt.asked
				if (reply.Provider == "openai") != asked || (u.TokensIn == 120 && u.TokensOut == 30) != asked {
					t.Errorf("question %d is answered by %s for %d and %d tokens", i, reply.Provider, u.TokensIn, u.TokensOut)
				}
			}
			if n := a.Provider().Fallbacks["spent"]; n != 5-tt.asked {
				t.Errorf("%d questions beyond the budget", n)
			}
			used, err := a.UsedOn(t.Context(), evening)
			if err != nil || used.Tokens != 150*tt.asked || used.Priced != (tt.budget.PriceIn > 0) {
				t.Errorf("used = %+v, %v", used, err)
			}
			if _, reply := asks(t, a, chat.Question{Text: openQuestion, At: evening.Add(6 * time.Hour)}); reply.Provider != "openai" {
				t.Errorf("the next day it is not asked")
			}
		})
	}
}

// What a provider charged counts also where its answer is no reading.
func TestARejectedReadingCounts(t *testing.T) {
	a := with(t, &scripted{response: wrote("La limpieza cuesta $45.")}, "openai")
	u, reply := asks(t, a, chat.Question{Text: openQuestion})
	used, err := a.UsedOn(t.Context(), saturday)
	if err != nil || used.Tokens != 150 || u.TokensIn != 120 || reply.Provider != "embedded" {
		t.Errorf("used %+v, %v; %d tokens, answered by %s", used, err, u.TokensIn, reply.Provider)
	}
}

func TestBudgetCheck(t *testing.T) {
	for want, b := range map[string]Budget{
		"":                 {Tokens: 1, Cost: 1, PriceIn: 1},
		"A_DAILY_TOKENS":   {Tokens: -1},
		"A_PRICE_OUT":      {PriceOut: -1},
		"needs A_PRICE_IN": {Cost: 2},
	} {
		err := b.Check("A")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

package analytics

// ProviderUsage is what the assistant's provider was used for in a day, by all processes.
type ProviderUsage struct {
	Provider string
	// Tokens are those of questions and answers; TokensLimit is 0 for none.
	Tokens, TokensLimit int
	// Cost is in the currency of the configured prices, CostLimit 0 for none; Priced says whether
	// there are prices.
	Cost, CostLimit float64
	Priced          bool
	// Resting says that the provider failed repeatedly, so that this process does not ask it for a while.
	Resting bool
}

// Package staff has the people of the clinic who may see the dashboard.
package staff

import "time"

// How long a session lasts, how long a browser is known after its last sign-in, and how
// far back failed logins count.
const (
	SessionIdle     = 30 * time.Minute
	SessionLifetime = 12 * time.Hour
	DeviceLifetime  = 180 * 24 * time.Hour
	FailureWindow   = 15 * time.Minute
)

// Account is a person of the clinic who can sign in.
type Account struct {
	ID string
	// Email is the login name, in lower case.
	Email string
	// PasswordHash is kept as it was given.
	PasswordHash string
	Role         Role
	CreatedAt    time.Time
	// SecondFactor says that the password alone does not sign in.
	SecondFactor bool
}

// Failure is a failed login.
type Failure struct {
	// Email is the name that was tried, whether or not it has an account.
	Email string
	// Address is what clients are distinguished by.
	Address string
	// Device is the token's hash of the known browser it came from; nil: from another.
	Device []byte
	At     time.Time
}

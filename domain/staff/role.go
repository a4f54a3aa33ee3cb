package staff

import (
	"slices"

	"bitacora/domain/fault"
)

// Role is what an account may do.
type Role string

// The roles.
const (
	// RoleStaff does the work of the clinic: conversations, contacts, bookings, exports.
	RoleStaff Role = "staff"
	// RoleOwner does it, too, and manages the accounts.
	RoleOwner Role = "owner"
	// RoleReader sees numbers, and nothing of any person.
	RoleReader Role = "reader"
)

// Roles are all there are, the one that an account has unless told otherwise first.
var Roles = []Role{RoleStaff, RoleOwner, RoleReader}

// Known says whether there is such a role.
func (r Role) Known() bool { return slices.Contains(Roles, r) }

var (
	// ErrAccountExists: the e-mail address has an account already.
	ErrAccountExists = fault.New(fault.Conflict, "account exists already")
	// ErrLastOwner: where there are owners, one has to stay.
	ErrLastOwner = fault.New(fault.Conflict, "account is the last owner")
)

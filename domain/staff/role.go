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
	// RoleReception talks with people: it takes no data out of the dashboard, and erases none.
	RoleReception Role = "reception"
	// RoleReader sees numbers, and nothing of any person.
	RoleReader Role = "reader"
)

// Roles are all there are, the one that an account has by default first.
var Roles = []Role{RoleStaff, RoleOwner, RoleReception, RoleReader}

// Right is a part of the dashboard that only some roles may use.
type Right string

// The rights.
const (
	// RightNumbers are counts, and the account itself.
	RightNumbers Right = "numbers"
	// RightPeople is everything that people wrote and left, the agenda, and teaching.
	RightPeople Right = "people"
	// RightExport is files with the data of many people.
	RightExport Right = "export"
	// RightPrivacy is what the law grants people: their data in a file, restricted or erased.
	RightPrivacy Right = "privacy"
	// RightAccounts is the accounts, and what they did.
	RightAccounts Right = "accounts"
)

var rights = map[Role][]Right{
	RoleReader:    {RightNumbers},
	RoleReception: {RightNumbers, RightPeople},
	RoleStaff:     {RightNumbers, RightPeople, RightExport, RightPrivacy},
	RoleOwner:     {RightNumbers, RightPeople, RightExport, RightPrivacy, RightAccounts},
}

// Rights are those of a role; an unknown one has none.
func (r Role) Rights() []Right { return rights[r] }

// May reports whether a role has a right.
func (r Role) May(right Right) bool { return slices.Contains(rights[r], right) }

// Known says whether there is such a role.
func (r Role) Known() bool { return slices.Contains(Roles, r) }

var (
	// ErrAccountExists: the e-mail address has an account already.
	ErrAccountExists = fault.New(fault.Conflict, "account exists already")
	// ErrLastOwner: where there are owners, one has to stay.
	ErrLastOwner = fault.New(fault.Conflict, "account is the last owner")
)

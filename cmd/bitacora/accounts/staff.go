// Package accounts has the commands about the accounts of the staff.
package accounts

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// Operator is who changes accounts here.
var Operator = staff.Actor{ID: event.ByOperator}

// StaffRegister changes accounts, and records who did.
func StaffRegister(a *app.App) *staff.Register {
	return &staff.Register{Store: a.DB.Staff(), Now: time.Now, NewID: uuid.NewString}
}

// New is "bitacora staff".
func New() *cobra.Command {
	return command.Group(&cobra.Command{Use: "staff", Short: "Manage the accounts of the dashboard"},
		newStaffAdd(), newStaffPassword(),
		app.LogCommand("role EMAIL ROLE", "Change the role of an account", "  bitacora staff role ana@clinica.example owner\n\n"+rolesHelp, cobra.ExactArgs(2), setRole),
		newStaffSessions(), newStaffTOTP(),
		app.LogCommand("list", "List the accounts", "  bitacora staff list", cobra.NoArgs, listStaff),
		app.LogCommand("remove EMAIL", "Remove an account and end its sessions", "  bitacora staff remove ana@clinica.example", cobra.ExactArgs(1), removeStaff))
}

// StdinFlag has a command read a password from standard input.
const StdinFlag = "password-stdin"

const rolesHelp = `Roles:
  staff       works with everything that the dashboard shows
  owner       does, too, and manages the accounts in the dashboard
  reception   answers people and teaches the assistant, without files, erasure and accounts
  reader      sees numbers, without conversations and contacts`

func newStaffAdd() *cobra.Command {
	var role string
	c := passwordCommand("add EMAIL", "Add an account",
		"  bitacora staff add ana@clinica.example\n  openssl rand -base64 18 | tee password.txt | bitacora staff add ana@clinica.example --password-stdin",
		func(ctx context.Context, a *app.App, email, hash string) error {
			account, err := StaffRegister(a).Add(ctx, Operator, email, hash, staff.Role(role))
			if errors.Is(err, staff.ErrAccountExists) {
				return fmt.Errorf("%s has an account already (bitacora staff password %s changes its password)", email, email)
			}
			if err != nil {
				return err
			}
			fmt.Printf("%s may sign in now, as %s.\n", account.Email, account.Role)
			return nil
		})
	c.Flags().StringVar(&role, "role", string(staff.RoleStaff), "its rights: staff, owner, reception or reader")
	c.PreRunE = func(*cobra.Command, []string) error { return knownRole(role) }
	return c
}

func knownRole(role string) error {
	if !staff.Role(role).Known() {
		return command.Misuse(fmt.Errorf("there is no role %q\n\n%s", role, rolesHelp))
	}
	return nil
}

func newStaffPassword() *cobra.Command {
	return passwordCommand("password EMAIL", "Change a password and end all sessions of the account",
		"  bitacora staff password ana@clinica.example",
		func(ctx context.Context, a *app.App, email, hash string) error {
			account, err := accountOf(ctx, a.DB.Staff(), email)
			if err != nil {
				return err
			}
			if err := StaffRegister(a).SetPassword(ctx, Operator, account, hash, staff.Token{}); err != nil {
				return err
			}
			fmt.Printf("%s has a new password; all its sessions have ended.\n", account.Email)
			return nil
		})
}

// passwordCommand is a command about one account that asks for a new password.
func passwordCommand(use, short, example string, work func(ctx context.Context, a *app.App, email, hash string) error) *cobra.Command {
	c := app.LogCommand(use, short, example, cobra.ExactArgs(1), nil)
	fromStdin := c.Flags().Bool(StdinFlag, false, "read the password from standard input")
	c.RunE = func(c *cobra.Command, given []string) error {
		email := given[0]
		if err := CheckEmail(email); err != nil {
			return command.Misuse(err)
		}
		a, err := app.ConfigureFor(c)
		if err == nil {
			err = a.Begun()
		}
		if err != nil {
			return err
		}
		secret, err := newPassword(c.Context(), *fromStdin)
		if err != nil {
			return err
		}
		hash, err := password.New(secret, email, a.Clinic.Name)
		if err != nil {
			return command.Misuse(err)
		}
		if err := a.Open(c.Context()); err != nil {
			return err
		}
		return errors.Join(work(c.Context(), a, email, hash), a.Close())
	}
	return c
}

// newPassword asks the person at the terminal, twice, or reads one line.
func newPassword(ctx context.Context, fromStdin bool) (string, error) {
	p := command.NewPrompt(os.Stdin, os.Stderr)
	if fromStdin {
		return p.Line(ctx, "")
	}
	if !p.Terminal {
		return "", command.Misuse(fmt.Errorf("standard input is no terminal: give the password with --%s", StdinFlag))
	}
	first, err := p.Secret(ctx, "Password: ")
	if err != nil {
		return "", err
	}
	second, err := p.Secret(ctx, "Again: ")
	if err == nil && first != second {
		err = command.Misuse(errors.New("the two passwords differ"))
	}
	return first, err
}

func listStaff(ctx context.Context, a *app.App, _ []string) error {
	accounts, err := a.DB.Staff().Accounts(ctx)
	if err != nil {
		return err
	}
	if len(accounts) == 0 {
		fmt.Println("Nobody yet: bitacora staff add EMAIL")
		return nil
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "EMAIL\tROLE\tSINCE\tSECOND FACTOR")
	for _, account := range accounts {
		factor := "off"
		if account.SecondFactor {
			factor = "on"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", account.Email, account.Role, account.CreatedAt.In(a.Clinic.Zone).Format(time.DateTime), factor)
	}
	return w.Flush()
}

func removeStaff(ctx context.Context, a *app.App, given []string) error {
	account, err := accountOf(ctx, a.DB.Staff(), given[0])
	if err != nil {
		return err
	}
	if err := StaffRegister(a).Remove(ctx, Operator, account); err != nil {
		return ExplainLastOwner(err)
	}
	fmt.Printf("%s may no longer sign in.\n", account.Email)
	return nil
}

func newStaffSessions() *cobra.Command {
	var end bool
	c := app.LogCommand("sessions EMAIL", "List the browsers in which an account is signed in, or sign it out of all",
		"  bitacora staff sessions ana@clinica.example\n  bitacora staff sessions ana@clinica.example --end",
		cobra.ExactArgs(1), func(ctx context.Context, a *app.App, given []string) error {
			account, err := accountOf(ctx, a.DB.Staff(), given[0])
			if err != nil {
				return err
			}
			if !end {
				return listSessions(ctx, a, account)
			}
			ended, err := StaffRegister(a).EndSessions(ctx, Operator, account, staff.Token{})
			if err != nil {
				return err
			}
			fmt.Printf("%s: sessions ended: %d.\n", account.Email, ended)
			return nil
		})
	c.Flags().BoolVar(&end, "end", false, "end them")
	return c
}

func newStaffTOTP() *cobra.Command {
	return command.Group(&cobra.Command{Use: "totp", Short: "Look after the codes that an account is asked for beside its password"},
		app.LogCommand("reset EMAIL", "Let an account sign in without a code, after its telephone was lost",
			"  bitacora staff totp reset ana@clinica.example", cobra.ExactArgs(1), resetSecondFactor))
}

func resetSecondFactor(ctx context.Context, a *app.App, given []string) error {
	account, err := accountOf(ctx, a.DB.Staff(), given[0])
	if err != nil {
		return err
	}
	was, err := StaffRegister(a).RemoveSecondFactor(ctx, Operator, account, staff.Token{})
	if err != nil {
		return err
	}
	if !was {
		fmt.Printf("%s is asked for no code.\n", account.Email)
		return nil
	}
	fmt.Printf("%s signs in with the password alone; all its sessions have ended.\n", account.Email)
	return nil
}

func listSessions(ctx context.Context, a *app.App, account staff.Account) error {
	open, err := a.DB.Staff().OpenSessions(ctx, staff.Token{}, time.Now())
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "LAST USED\tSINCE\tBROWSER")
	for _, s := range open[account.ID] {
		fmt.Fprintf(w, "%s\t%s\t%s\n", s.LastSeenAt.In(a.Clinic.Zone).Format(time.DateTime), s.CreatedAt.In(a.Clinic.Zone).Format(time.DateTime), s.Browser)
	}
	return w.Flush()
}

func setRole(ctx context.Context, a *app.App, given []string) error {
	if err := knownRole(given[1]); err != nil {
		return err
	}
	account, err := accountOf(ctx, a.DB.Staff(), given[0])
	if err != nil {
		return err
	}
	if err := StaffRegister(a).SetRole(ctx, Operator, account, staff.Role(given[1])); err != nil {
		return ExplainLastOwner(err)
	}
	fmt.Printf("%s is %s from the next request on.\n", account.Email, given[1])
	return nil
}

// ExplainLastOwner adds the way out.
func ExplainLastOwner(err error) error {
	if errors.Is(err, staff.ErrLastOwner) {
		return fmt.Errorf("%w: make another one first (bitacora staff role EMAIL owner)", err)
	}
	return err
}

func accountOf(ctx context.Context, accounts *postgres.Staff, email string) (staff.Account, error) {
	a, err := accounts.AccountByEmail(ctx, email)
	if errors.Is(err, postgres.ErrNotFound) {
		return a, fmt.Errorf("%s has no account", email)
	}
	return a, err
}

// CheckEmail refuses a text that is not an e-mail address.
func CheckEmail(text string) error {
	if parsed, err := mail.ParseAddress(text); err != nil || parsed.Address != text {
		return fmt.Errorf("%q is not an e-mail address", text)
	}
	return nil
}

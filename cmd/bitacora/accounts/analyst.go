package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines"
	"bitacora/adapters/engines/analysts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// NewAnalyst is "bitacora analyst".
func NewAnalyst() *cobra.Command {
	return command.Group(&cobra.Command{
		Use: "analyst", Short: "Manage the accounts of those who ask ClickHouse",
		Long: `Manage the accounts of those who ask ClickHouse.

Each account sees and ends its own queries alone. A change holds at once, and the engine goes on.
A password is drawn, printed once and kept as a hash. "bitacora audit --what AnalystAsked" lists
who asked the embedded ClickHouse. On a server of your own an account is a user with the role of
"bitacora migrate".`,
	},
		analystCommand("add NAME", "Add an account, and print its password", addAnalyst),
		app.Command("list", "List the accounts", "  bitacora analyst list", cobra.NoArgs, listAnalysts),
		analystCommand("rotate NAME", "Give an account another password, print it and end its queries", rotateAnalyst),
		analystCommand("revoke NAME", "Remove an account and end its queries", revokeAnalyst))
}

// analystCommand is one about an account that it names.
func analystCommand(use, short string, work func(context.Context, analystAccounts, string) error) *cobra.Command {
	verb, _, _ := strings.Cut(use, " ")
	return app.Command(use, short, "  bitacora analyst "+verb+" ana", cobra.ExactArgs(1), func(ctx context.Context, a *app.App, given []string) error {
		name := given[0]
		if !access.AccountName(name) {
			return command.Misuse(fmt.Errorf("an account cannot be called %q: 2 to 32 small letters, digits and _, a letter first; neither app nor default, and nothing that begins with analyst", name))
		}
		err := work(ctx, accountsOf(a), name)
		switch {
		case errors.Is(err, access.ErrExists):
			return fmt.Errorf("%s is taken (bitacora analyst rotate %s gives it another password)", name, name)
		case errors.Is(err, access.ErrUnknown):
			return fmt.Errorf("there is no analyst %s (bitacora analyst list)", name)
		}
		return err
	})
}

// analystAccounts are those of the ClickHouse that the program uses.
type analystAccounts struct {
	// embedded is empty for a server of one's own.
	embedded analysts.Directory
	server   clickhouse.Accounts
}

func accountsOf(a *app.App) analystAccounts {
	all := analystAccounts{server: a.Tables.Accounts()}
	if a.Config.ClickHouseURL == "" {
		all.embedded = engines.Analysts(a.Config.DataDir)
	}
	return all
}

func addAnalyst(ctx context.Context, all analystAccounts, name string) (err error) {
	password := rand.Text()
	if all.embedded != "" {
		err = all.embedded.Add(name, password, time.Now())
	} else {
		err = all.server.Add(ctx, name, password)
	}
	if err != nil {
		return err
	}
	fmt.Printf("%s may ask ClickHouse now. Its password, which is not shown again: %s\n", name, password)
	return nil
}

func rotateAnalyst(ctx context.Context, all analystAccounts, name string) (err error) {
	password, user := rand.Text(), name
	if all.embedded != "" {
		user, err = all.embedded.SetPassword(name, password)
	} else {
		err = all.server.SetPassword(ctx, name, password)
	}
	if err != nil {
		return err
	}
	fmt.Printf("%s has another password, which is not shown again: %s\n", name, password)
	return all.server.EndQueries(ctx, user)
}

func revokeAnalyst(ctx context.Context, all analystAccounts, name string) (err error) {
	user := name
	if all.embedded != "" {
		user, err = all.embedded.Remove(name)
	} else {
		err = all.server.Remove(ctx, name)
	}
	if err != nil {
		return err
	}
	if err := all.server.EndQueries(ctx, user); err != nil {
		return fmt.Errorf("%s asks nothing new any more, but what it asked goes on: %w", name, err)
	}
	fmt.Printf("%s may no longer ask ClickHouse; its queries have ended.\n", name)
	return nil
}

func listAnalysts(ctx context.Context, a *app.App, _ []string) error {
	all := accountsOf(a)
	var lines []string
	if all.embedded != "" {
		accounts, err := all.embedded.List()
		if err != nil {
			return err
		}
		for _, account := range accounts {
			lines = append(lines, account.Name+"\t"+account.Since.In(a.Clinic.Zone).Format(time.DateTime))
		}
	} else {
		names, err := all.server.List(ctx)
		if err != nil {
			return err
		}
		lines = names
	}
	if len(lines) == 0 {
		fmt.Println("Nobody yet: bitacora analyst add NAME")
		return nil
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 3, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	return w.Flush()
}

package setup

import (
	"strings"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/cmd/bitacora/app"
	"bitacora/domain/event"
	"bitacora/domain/staff"
	"bitacora/domain/subjects"
)

// Completing offers words for the arguments of a command and for the values of its flags, by the name of
// the argument or the flag. Files are offered where a file is meant, and nowhere else.
func Completing(c *cobra.Command) {
	for _, sub := range c.Commands() {
		Completing(sub)
	}
	if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
		c.ValidArgsFunction = argumentsOf(c)
	}
	for flag, words := range map[string][]string{
		"role": roleNames(), "format": subjects.Formats, "reason": event.SubjectReasons,
	} {
		if c.Flags().Lookup(flag) != nil {
			_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	for _, flag := range []string{"to", "from"} {
		if f := c.Flags().Lookup(flag); f != nil && strings.Contains(f.Usage, "directory") {
			_ = c.MarkFlagDirname(flag)
		}
	}
}

// argumentsOf offers what the usage line of a command asks for.
func argumentsOf(c *cobra.Command) cobra.CompletionFunc {
	words := strings.Fields(c.Use)[1:]
	return func(c *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
		asked := ""
		if n := len(given); n < len(words) {
			asked = strings.Trim(words[n], "[]….")
		} else if len(words) > 0 && strings.ContainsAny(words[len(words)-1], "….") {
			asked = strings.Trim(words[len(words)-1], "[]….")
		}
		switch {
		case asked == "FILE":
			return nil, cobra.ShellCompDirectiveDefault
		case asked == "DIR":
			return nil, cobra.ShellCompDirectiveFilterDirs
		case asked == "ROLE":
			return roleNames(), cobra.ShellCompDirectiveNoFileComp
		case asked == "NAME|FILE":
			return clickhouse.Questions(), cobra.ShellCompDirectiveDefault
		case asked == "NAME" && c.Flags().Lookup("from") != nil:
			return backupNames(c), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

func roleNames() (names []string) {
	for _, r := range staff.Roles {
		names = append(names, string(r))
	}
	return names
}

// backupNames are the backups that there are; none where that cannot be told.
func backupNames(c *cobra.Command) (names []string) {
	dir := c.Flag("from").Value.String()
	if dir == "" {
		a, err := app.Configure()
		if err != nil {
			return nil
		}
		dir = a.Config.Backups()
	}
	list, err := app.Backups(dir)
	if err != nil {
		return nil
	}
	for _, s := range list {
		if s.Problem == "" {
			names = append(names, s.Name)
		}
	}
	return names
}

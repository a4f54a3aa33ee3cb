package access

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"text/template"
)

//go:embed users.xml
var usersFile string

var usersTemplate = template.Must(template.New("users.xml").Parse(usersFile))

// UsersFile is the part of the embedded engine's configuration that says who may sign in, with
// their passwords as hashes. Every user with a password but App is an analyst. The views' database is
// the one that analysts ask.
func UsersFile(passwords map[string]string, views string, limits Limits) (string, error) {
	var text bytes.Buffer
	analysts := make(map[string]string, len(passwords))
	for name, password := range passwords {
		if name != App && password != "" {
			analysts[name] = hash(password)
		}
	}
	err := usersTemplate.Execute(&text, map[string]any{
		"app": hash(passwords[App]), "analysts": analysts,
		"database": views, "views": identifier(views), "memory": limits.Memory / 4 * 3,
		"settings": limits.analystSettings(), "owner": ownerSettings(), "ownQueries": ownQueries, "grants": analystGrants(views),
	})
	if err != nil {
		return "", fmt.Errorf("write users file: %w", err)
	}
	return text.String(), nil
}

// Role is what the analysts of a clinic have on a server of one's own, which may have other
// clinics', named by the database of their views. Its settings profile and row policy are called
// as it is.
func Role(views string) string { return "analysts_" + views }

// User is who has the role without a GRANT of somebody's.
func User(views string) string {
	if views == DefaultDatabase {
		return Analyst
	}
	return Analyst + "_" + views
}

// Former takes a clinic's views from the role that every clinic of a server had before roles were
// named by databases; empty for the clinic whose role that still is.
func Former(views string) string {
	if views == DefaultDatabase {
		return ""
	}
	return "REVOKE SELECT ON " + identifier(views) + ".* FROM " + Role(DefaultDatabase)
}

// Statements give a server of one's own a role for analysts, with the grants and the limits
// of the embedded engine's. They may be repeated. With a password, they also make the user
// User; others get the role by GRANT.
func Statements(password, views string, limits Limits) []string {
	role, user := Role(views), User(views)
	var settings []string
	for _, s := range limits.analystSettings() {
		settings = append(settings, s.sql())
	}
	statements := []string{
		"CREATE SETTINGS PROFILE OR REPLACE " + role + " SETTINGS\n    " + strings.Join(settings, ",\n    "),
		"CREATE ROLE IF NOT EXISTS " + role,
		"ALTER ROLE " + role + " SETTINGS PROFILE " + role,
	}
	for _, grant := range analystGrants(views) {
		statements = append(statements, "GRANT "+grant+" TO "+role)
	}
	statements = append(statements, "CREATE ROW POLICY OR REPLACE "+role+" ON system.processes USING "+ownQueries+" TO "+role)
	if password != "" {
		statements = append(statements,
			"CREATE USER OR REPLACE "+user+" IDENTIFIED WITH sha256_hash BY '"+hash(password)+"' DEFAULT ROLE "+role,
			"GRANT "+role+" TO "+user)
	}
	return statements
}

// AddUser are the statements that make a named analyst on a server of one's own.
func AddUser(views, name, password string) []string {
	role := Role(views)
	return []string{
		"CREATE USER " + identifier(name) + " IDENTIFIED WITH sha256_hash BY '" + hash(password) + "' DEFAULT ROLE " + role,
		"GRANT " + role + " TO " + identifier(name),
	}
}

// SetPassword is the statement that gives a named analyst another password.
func SetPassword(name, password string) string {
	return "ALTER USER " + identifier(name) + " IDENTIFIED WITH sha256_hash BY '" + hash(password) + "'"
}

// RemoveUser is the statement that takes a named analyst away.
func RemoveUser(name string) string { return "DROP USER " + identifier(name) }

// EndQueries is the statement that ends what a user has running.
func EndQueries(user string) string {
	return "KILL QUERY WHERE user = '" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(user) + "' ASYNC"
}

func (s setting) sql() string {
	text := s.Name
	if _, err := strconv.ParseUint(s.Value, 10, 64); err == nil {
		text += " = " + s.Value
	} else if s.Value != "" {
		text += " = '" + s.Value + "'"
	}
	if s.Lowest != "" {
		text += " MIN " + s.Lowest
	}
	if s.Highest != "" {
		text += " MAX " + s.Highest
	}
	if s.Fixed {
		text += " CONST"
	}
	return text
}

func hash(password string) string {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:])
}

func identifier(name string) string {
	return "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
}

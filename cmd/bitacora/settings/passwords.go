package settings

import (
	"fmt"
	"net/url"

	"bitacora/adapters/clickhouse"
)

// strayPasswords are those that stand apart from no URL that waits for one.
func strayPasswords(c Config) (found []error) {
	for _, of := range []struct{ server, password, url string }{
		{"BITACORA_DATABASE", c.DatabasePassword, c.DatabaseURL}, {"BITACORA_CLICKHOUSE", c.TablesPassword, c.ClickHouseURL},
	} {
		if of.password != "" && !waitsForPassword(of.url) {
			found = append(found, fmt.Errorf("%[1]s_PASSWORD: needs %[1]s_URL with a user and without a password, scheme://user@host:port/bitacora", of.server))
		}
	}
	return found
}

// waitsForPassword says whether a URL has a user without a password.
func waitsForPassword(raw string) bool {
	u, err := clickhouse.ParseURL(raw)
	if err != nil || u.User.Username() == "" {
		return false
	}
	_, has := u.User.Password()
	return !has
}

// WithPassword is a URL with the password that stands apart from it, whatever characters it has.
func WithPassword(raw, password string) string {
	u, err := clickhouse.ParseURL(raw)
	if err != nil || password == "" {
		return raw
	}
	u.User = url.UserPassword(u.User.Username(), password)
	return u.String()
}

package settings

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
)

// domainName is a name as a certificate has it: lower-case labels, international ones in their form for DNS.
var domainName = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`)

// domainMistakes are those of the settings about certificates.
func (c Config) domainMistakes() (found []error) {
	for _, name := range c.Domains {
		if !domainName.MatchString(name) {
			found = append(found, fmt.Errorf("BITACORA_DOMAIN: %q is not a name like clinica.example", name))
		}
	}
	for name, addr := range map[string]string{"BITACORA_HTTP_ADDR": c.HTTPAddr, "BITACORA_HTTPS_ADDR": c.HTTPSAddr} {
		if _, _, err := net.SplitHostPort(addr); err != nil {
			found = append(found, fmt.Errorf("%s: %q is not an address like :443", name, addr))
		}
	}
	if u, err := url.Parse(c.ACMEDirectory); c.ACMEDirectory != "" && (err != nil || u.Scheme != "https" || u.Host == "") {
		found = append(found, fmt.Errorf("BITACORA_ACME_DIRECTORY: %q is not an address like https://ca.example/acme/acme/directory", c.ACMEDirectory))
	}
	u, err := url.Parse(c.SiteURL)
	if len(c.Domains) > 0 && c.SiteURL != "" && (err != nil || u.Scheme != "https" || !slices.Contains(c.Domains, u.Hostname())) {
		found = append(found, fmt.Errorf("BITACORA_SITE_URL: %q does not lead to BITACORA_DOMAIN by HTTPS", c.SiteURL))
	}
	return found
}

// Certificates is the directory of the certificates that serve gets itself.
func (c Config) Certificates() string { return filepath.Join(c.DataDir, "certificates") }

// Package settings reads the environment and the configuration file.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/caarlos0/env/v11"

	"bitacora/adapters/assistant"
	"bitacora/adapters/clickhouse"
	"bitacora/adapters/ledger"
	"bitacora/adapters/mail"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/retention"
)

// Config is everything that can be set from outside: in the environment or in the configuration file.
// What is a secret can be told by the name of a file that holds it, too.
type Config struct {
	Addr             string              `env:"BITACORA_ADDR" envDefault:"127.0.0.1:8080" help:"address of the site, the dashboard and the API"`
	Domains          []string            `env:"BITACORA_DOMAIN" help:"names that lead to this machine, clinica.example,www.clinica.example: serve gets their certificates itself and serves HTTPS; the first is the site's, the others redirect to it; empty: a proxy in front ends TLS, or nothing does"`
	HTTPAddr         string              `env:"BITACORA_HTTP_ADDR" envDefault:":80" help:"with BITACORA_DOMAIN, where plain HTTP is answered: the certificates' challenges, and a redirect to HTTPS; the Internet's port 80 must lead there"`
	HTTPSAddr        string              `env:"BITACORA_HTTPS_ADDR" envDefault:":443" help:"with BITACORA_DOMAIN, where HTTPS is served; the Internet's port 443 must lead there"`
	ACMEDirectory    string              `env:"BITACORA_ACME_DIRECTORY" help:"with BITACORA_DOMAIN, the directory of an ACME server of your own, https://ca.example/acme/acme/directory, whose root this machine trusts; empty: Let's Encrypt"`
	MetricsAddr      string              `env:"BITACORA_METRICS_ADDR" envDefault:"127.0.0.1:9464" help:"address of /metrics for Prometheus, which visitors must not reach; off: none"`
	DataDir          string              `env:"BITACORA_DATA_DIR" envDefault:".data" help:"directory of the embedded engines, and of keys, backups and letters where these have no place of their own"`
	DatabaseURL      string              `env:"BITACORA_DATABASE_URL" secret:"yes" help:"PostgreSQL 18 server, or several of one cluster, postgres://user@a:5432,b:5432/bitacora, of which the primary is taken; empty: the embedded one"`
	MigrationURL     string              `env:"BITACORA_MIGRATION_URL" secret:"yes" help:"the same server for the owner of the tables, who alone changes them; empty: BITACORA_DATABASE_URL does all"`
	ClickHouseURL    string              `env:"BITACORA_CLICKHOUSE_URL" secret:"yes" help:"ClickHouse server, http://user:password@host:8123/bitacora, or every node of a cluster, http://user:password@h1:8123,h2:8123/bitacora; empty: the embedded one"`
	Cluster          string              `env:"BITACORA_CLICKHOUSE_CLUSTER" help:"name of the cluster in the nodes' remote_servers; empty: one server alone"`
	Replication      string              `env:"BITACORA_CLICKHOUSE_REPLICATION" envDefault:"distributed" words:"distributed,keeper" help:"how rows reach all replicas of a cluster: distributed, an insertion writes each replica; keeper, ClickHouse copies them by its Keeper"`
	DatabasePassword string              `env:"BITACORA_DATABASE_PASSWORD" secret:"yes" help:"password of the user that BITACORA_DATABASE_URL names, as it is, with any character; empty: the one in the URL"`
	TablesPassword   string              `env:"BITACORA_CLICKHOUSE_PASSWORD" secret:"yes" help:"password of the user that BITACORA_CLICKHOUSE_URL names, as it is, with any character; empty: the one in the URL"`
	ClickHouseAddr   string              `env:"BITACORA_CLICKHOUSE_ADDR" envDefault:"127.0.0.1:8123" help:"address of the embedded ClickHouse"`
	AnalystPassword  string              `env:"BITACORA_ANALYST_PASSWORD" secret:"yes" help:"password of the user analyst on a ClickHouse server of your own; empty: only the role analysts_bitacora is made there; for a database called clinica the names are analysts_clinica and analyst_clinica"`
	AnalystAnyway    bool                `env:"BITACORA_UNCONFINED_ANALYST" envDefault:"off" help:"gives the embedded ClickHouse its user analyst also where the kernel cannot confine the engine (no Landlock)"`
	KeysDir          string              `env:"BITACORA_KEYS_DIR" help:"directory of the keys that wrap those of personal data, which all processes of an installation share; keep it apart from the data and back it up apart; empty: keys in the data directory"`
	MasterKey        *keyfiles.MasterKey `env:"BITACORA_MASTER_KEY" secret:"yes" help:"32 bytes as base64 or hexadecimal that seal the files of the keys directory; files that are there are sealed by bitacora keys seal; empty: they lie in it as they are"`
	MasterKeyBefore  *keyfiles.MasterKey `env:"BITACORA_MASTER_KEY_BEFORE" secret:"yes" help:"the former BITACORA_MASTER_KEY, which opens the files until bitacora keys seal has sealed them anew"`
	KeyBundle        string              `env:"BITACORA_KEY_BUNDLE" help:"file of everybody's keys as they are wrapped now, which a restore takes them from; its newest copy replaces older ones; empty: bundle in the keys directory"`
	BackupDir        string              `env:"BITACORA_BACKUP_DIR" help:"directory in which a backup is made every night, best on another disk; empty: only bitacora backup makes one, in the data directory's backups"`
	BackupKeep       Keeping             `env:"BITACORA_BACKUP_KEEP" envDefault:"daily=7,weekly=4,monthly=6" help:"which of the nightly backups are kept: the latest of so many days, weeks and months"`
	Replicate        string              `env:"BITACORA_REPLICATE" secret:"yes" help:"place to which the log is copied as it comes about, sealed: s3://key:secret@host/bucket/folder, sftp://user:password@host/folder?hostkey=SHA256:…, or file:///mnt/elsewhere; empty: nothing is"`
	ReplicateKeys    string              `env:"BITACORA_REPLICATE_KEYS" secret:"yes" help:"another such place, without old versions, for the newest keys and the ledger of erasures; needed with BITACORA_REPLICATE"`
	ReplicateTo      string              `env:"BITACORA_REPLICATE_RECIPIENTS" help:"public keys of age (age1…), comma-separated, whose identities open the copies; keep the identities away from this machine; needed with BITACORA_REPLICATE"`
	ReplicateDays    int                 `env:"BITACORA_REPLICATE_DAYS" envDefault:"30" help:"days back to which the log can be restored from there"`
	MonthlyLimit     *int                `env:"BITACORA_MONTHLY_LIMIT" help:"conversations per calendar month; 0 disables the chatbot; empty: no limit"`
	AddressHourly    int                 `env:"BITACORA_ADDRESS_HOURLY_LIMIT" envDefault:"60" help:"conversations that one address (IPv6: one /64 network; a mobile network may share one) may begin within an hour"`
	AddressDaily     *int                `env:"BITACORA_ADDRESS_DAILY_LIMIT" help:"conversations that one address may begin within 24 hours; empty: a tenth of the monthly limit, 20 at least"`
	Assistant        string              `env:"BITACORA_ASSISTANT" envDefault:"embedded" help:"the assistant: embedded, openai (also compatible servers), anthropic or ollama; a provider reads messages that the embedded one does not understand, and never writes replies"`
	AssistantModel   string              `env:"BITACORA_ASSISTANT_MODEL" help:"the provider's model"`
	AssistantURL     string              `env:"BITACORA_ASSISTANT_URL" help:"the provider's base address; empty: its usual one"`
	AssistantKey     string              `env:"BITACORA_ASSISTANT_KEY" secret:"yes" help:"the provider's key"`
	AssistantTimeout time.Duration       `env:"BITACORA_ASSISTANT_TIMEOUT" envDefault:"12s" help:"how long a provider may take before the embedded assistant answers"`
	AssistantDir     string              `env:"BITACORA_ASSISTANT_DIR" help:"directory with sentences, answers and texts that replace the assistant's own"`
	AssistantTokens  int                 `env:"BITACORA_ASSISTANT_DAILY_TOKENS" help:"tokens that the provider may be used for in a day, of all processes together; beyond, the embedded assistant reads alone; 0: no limit"`
	AssistantCost    float64             `env:"BITACORA_ASSISTANT_DAILY_COST" help:"the most that the provider may cost in a day, in the currency of its prices; 0: no limit"`
	AssistantIn      float64             `env:"BITACORA_ASSISTANT_PRICE_IN" help:"the provider's price of a million tokens that it reads"`
	AssistantOut     float64             `env:"BITACORA_ASSISTANT_PRICE_OUT" help:"the provider's price of a million tokens that it writes"`
	ReplyTimeout     time.Duration       `env:"BITACORA_REPLY_TIMEOUT" envDefault:"30s" help:"how long the assistant may take for one reply"`
	StoreTimeout     time.Duration       `env:"BITACORA_STORE_TIMEOUT" envDefault:"5s" help:"how long a visitor or the staff waits for PostgreSQL before the answer is that the service is not available"`
	StopDelay        time.Duration       `env:"BITACORA_STOP_DELAY" envDefault:"0s" help:"how long serve continues after SIGTERM, while /readyz reports stopping; longer than the interval of the proxies; 0s: it stops at once"`
	SiteURL          string              `env:"BITACORA_SITE_URL" help:"the site's own address, https://clinica.example, for links in the chat and for search engines; empty: the first of BITACORA_DOMAIN, or the address it listens on"`
	WebhookSecret    string              `env:"BITACORA_WEBHOOK_SECRET" secret:"yes" help:"secret, at least 32 characters, that the scheduling form signs its bookings with; empty: no bookings are taken from it"`
	SMTPURL          string              `env:"BITACORA_SMTP_URL" secret:"yes" help:"mail server for letters to the staff (contact messages, leads, what asks for attention in the chat, the monthly limit, the weekly summary), smtp://user:password@host:587 or smtps://…; empty: letters are kept in the data directory's outbox"`
	MailTo           []string            `env:"BITACORA_MAIL_TO" help:"addresses of the staff that letters go to, comma-separated; needed with BITACORA_SMTP_URL"`
	ClinicFile       string              `env:"BITACORA_CLINIC_FILE" help:"JSON file with the clinic's facts; empty: the built-in placeholders"`
	Placeholders     string              `env:"BITACORA_PLACEHOLDERS" envDefault:"refuse" words:"refuse,allow" help:"whether serve starts with a public BITACORA_SITE_URL while a fact of the clinic is a placeholder: refuse, or allow"`
	Retention        retention.Rules     `env:"BITACORA_RETENTION" help:"the age at which personal data are erased at night, counted from the last message: conversations=24mo,leads=36mo,contact-messages=36mo (d, mo or y); empty: kept until somebody asks"`
	Throttle         bool                `env:"BITACORA_THROTTLE" envDefault:"on" help:"limits bursts of messages and what one address may begin; off only on a loopback address, for load tests"`
	TrustedProxies   []netip.Prefix      `env:"BITACORA_TRUSTED_PROXIES" help:"networks of the proxies in front, whose X-Forwarded-For and X-Forwarded-Proto are believed, comma-separated"`
	StrictSubdomains bool                `env:"BITACORA_HSTS_SUBDOMAINS" envDefault:"off" help:"asks browsers that came over HTTPS to come so to every subdomain of the site as well; only where all of them have it"`
	SecondFactor     string              `env:"BITACORA_SECOND_FACTOR" envDefault:"optional" words:"optional,required" help:"whether the staff needs a code beside the password: optional leaves the choice to each account; required shows an account without a code only its setup"`
	Demo             bool                `env:"BITACORA_DEMO" envDefault:"off" help:"fills an empty log with a demo history and makes a demo login; only on a loopback address (npm start sets it)"`
	LogLevel         slog.Level          `env:"BITACORA_LOG_LEVEL" envDefault:"info" help:"debug, info, warn or error"`
	LogFormat        string              `env:"BITACORA_LOG_FORMAT" envDefault:"text" words:"text,json" help:"text for people, json for machines"`
}

// MinWebhookSecret is the length, in characters, under which a secret can be guessed.
const MinWebhookSecret = 32

// Load reads the environment and the configuration file, and reports all mistakes at once, each
// with its place.
func Load(environ []string) (Config, error) {
	set, mistakes := Read(environ)
	c, err := env.ParseAsWithOptions[Config](env.Options{
		Environment: set.Values,
		FuncMap:     map[reflect.Type]env.ParserFunc{reflect.TypeFor[bool](): onOff},
	})
	for _, mistake := range slices.Concat(parseMistakes(err), c.chooseWords(), c.contradictions(), c.domainMistakes()) {
		mistakes = append(mistakes, set.located(mistake))
	}
	if len(c.Domains) > 0 {
		c.SiteURL = cmp.Or(c.SiteURL, "https://"+c.Domains[0])
	}
	return c, errors.Join(mistakes...)
}

func (c Config) contradictions() []error {
	var found []error
	report := func(format string, args ...any) { found = append(found, fmt.Errorf(format, args...)) }
	for name, addr := range map[string]string{"BITACORA_ADDR": c.Addr, "BITACORA_CLICKHOUSE_ADDR": c.ClickHouseAddr} {
		if _, _, err := net.SplitHostPort(addr); err != nil {
			report("%s: %q is not an address like 127.0.0.1:8080", name, addr)
		}
	}
	if _, _, err := net.SplitHostPort(c.MetricsAddr); c.MetricsAddr != MetricsOff && err != nil {
		report("BITACORA_METRICS_ADDR: %q is not an address like 127.0.0.1:9464", c.MetricsAddr)
	}
	for name, raw := range map[string]string{"BITACORA_DATABASE_URL": c.DatabaseURL, "BITACORA_MIGRATION_URL": c.MigrationURL, "BITACORA_CLICKHOUSE_URL": c.ClickHouseURL} {
		if u, err := clickhouse.ParseURL(raw); raw != "" && (err != nil || u.Scheme == "" || u.Host == "") {
			report("%s: not a URL like scheme://user:password@host:port/bitacora", name)
		}
	}
	found = append(found, strayPasswords(c)...)
	found = append(found, replicationMistakes(c)...)
	if u, err := clickhouse.ParseURL(c.ClickHouseURL); err == nil && c.Cluster == "" && strings.Contains(u.Host, ",") {
		report("BITACORA_CLICKHOUSE_URL: names several servers, so BITACORA_CLICKHOUSE_CLUSTER has to name their cluster")
	}
	if c.Cluster != "" && c.ClickHouseURL == "" {
		report("BITACORA_CLICKHOUSE_CLUSTER: needs BITACORA_CLICKHOUSE_URL with every node, http://user:password@h1:8123,h2:8123/bitacora")
	}
	if c.Replication == byKeeper && c.Cluster == "" {
		report("BITACORA_CLICKHOUSE_REPLICATION: keeper is for a cluster, which BITACORA_CLICKHOUSE_CLUSTER names")
	}
	if c.MonthlyLimit != nil && *c.MonthlyLimit < 0 {
		report("BITACORA_MONTHLY_LIMIT: %d is below 0", *c.MonthlyLimit)
	}
	if c.AddressHourly < 1 {
		report("BITACORA_ADDRESS_HOURLY_LIMIT: %d is below 1", c.AddressHourly)
	}
	if c.AddressDaily != nil && *c.AddressDaily < 1 {
		report("BITACORA_ADDRESS_DAILY_LIMIT: %d is below 1", *c.AddressDaily)
	}
	if c.ReplyTimeout <= 0 {
		report("BITACORA_REPLY_TIMEOUT: %v is not a time the assistant could keep", c.ReplyTimeout)
	}
	if c.StoreTimeout <= 0 {
		report("BITACORA_STORE_TIMEOUT: %v is not a time PostgreSQL could keep", c.StoreTimeout)
	}
	if c.StopDelay < 0 {
		report("BITACORA_STOP_DELAY: %v is less than none", c.StopDelay)
	}
	if u, err := url.Parse(c.SiteURL); c.SiteURL != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		report("BITACORA_SITE_URL: %q is not an address like https://clinica.example", c.SiteURL)
	}
	if c.SMTPURL != "" {
		if _, err := mail.NewServer(c.SMTPURL, clinic.Default().Email, c.MailTo); err != nil {
			report("BITACORA_SMTP_URL, BITACORA_MAIL_TO: %w", err)
		}
	}
	if c.WebhookSecret != "" && len(c.WebhookSecret) < MinWebhookSecret {
		report("BITACORA_WEBHOOK_SECRET: is shorter than %d characters (make one: openssl rand -base64 32)", MinWebhookSecret)
	}
	if _, err := c.AssistantSpec(); err != nil {
		found = append(found, err)
	}
	if c.MigrationURL != "" && c.DatabaseURL == "" {
		report("BITACORA_MIGRATION_URL: is for a server that BITACORA_DATABASE_URL names, too")
	}
	if c.DatabaseURL != "" && c.MasterKey == nil && c.KeysDir == "" {
		report("BITACORA_KEYS_DIR or BITACORA_MASTER_KEY: needed with BITACORA_DATABASE_URL, because the keys must outlive this machine")
	}
	if c.MasterKeyBefore != nil && c.MasterKey == nil {
		report("BITACORA_MASTER_KEY_BEFORE: only with BITACORA_MASTER_KEY, which seals new files")
	}
	if !c.Throttle && !c.OnLoopback() {
		report("BITACORA_THROTTLE: off is only accepted with BITACORA_ADDR on a loopback address, and without BITACORA_DOMAIN")
	}
	if c.Demo && !c.OnLoopback() {
		report("BITACORA_DEMO: the demo login is public, so BITACORA_ADDR must be a loopback address, and BITACORA_DOMAIN empty")
	}
	return found
}

// Public says whether the site has an address that is not this machine's own.
func (c Config) Public() bool {
	u, err := url.Parse(c.SiteURL)
	return len(c.Domains) > 0 || err == nil && c.SiteURL != "" && !isLoopback(u.Hostname())
}

// OnLoopback says whether only this machine can reach the site.
func (c Config) OnLoopback() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	return err == nil && isLoopback(host) && len(c.Domains) == 0
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// leastDaily is what one address may begin within 24 hours, however small the monthly limit.
const leastDaily = 20

// PerAddress bounds what one address may begin; nil where nothing does.
func (c Config) PerAddress() *event.AddressLimit {
	if !c.Throttle {
		return nil
	}
	share := &event.AddressLimit{Hourly: c.AddressHourly}
	switch {
	case c.AddressDaily != nil:
		share.Daily = *c.AddressDaily
	case c.MonthlyLimit != nil:
		share.Daily = max(leastDaily, *c.MonthlyLimit/10)
	}
	return share
}

// TablesCluster is what the servers of BITACORA_CLICKHOUSE_URL form.
func (c Config) TablesCluster() clickhouse.Cluster {
	return clickhouse.Cluster{Name: c.Cluster, Keeper: c.Replication == byKeeper}
}

// Keys are the files that the log's keys lie in.
func (c Config) Keys() keyfiles.Store {
	return keyfiles.Store{
		Dir:    cmp.Or(c.KeysDir, filepath.Join(c.DataDir, "keys")),
		Master: c.MasterKey, Before: c.MasterKeyBefore,
		Single: filepath.Join(c.DataDir, "master.key"),
	}
}

// BundleFile is where the key bundle lies.
func (c Config) BundleFile() string {
	return cmp.Or(c.KeyBundle, filepath.Join(c.Keys().Dir, "bundle"))
}

// Backups is where backups are made.
func (c Config) Backups() string { return cmp.Or(c.BackupDir, filepath.Join(c.DataDir, "backups")) }

// Ledger is where erasures are kept.
func (c Config) Ledger() *ledger.Ledger { return ledger.New(filepath.Join(c.Keys().Dir, "erasures")) }

// Places are the directories that serve writes to. The first that there is says whose they are.
func (c Config) Places() []string { return []string{c.Keys().Dir, c.DataDir, c.Backups()} }

// Anchors is where anchors of the log are kept, in a file of the same form beside the ledger: a former
// program reads the ledger and knows no other lines.
func (c Config) Anchors() *ledger.Ledger { return ledger.New(filepath.Join(c.Keys().Dir, "anchors")) }

// Help lists every variable with its default, for --help.
func Help() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range All() {
		fmt.Fprintf(w, "  %s\t%s (%s)\n", s.Name, s.Help, cmp.Or(s.Standard, "empty"))
	}
	w.Flush()
	return "Settings, of the environment or of the configuration file (defaults in brackets):\n" + b.String() + `
The configuration file has a line NAME=value for each. It is the one that --config or BITACORA_CONFIG
names, else bitacora.env where the command is called, else /etc/bitacora/bitacora.env for a program
that is installed below /usr or /opt; "off" is none. The environment wins over it.
A secret can lie in a file of its own, whose name the same setting with _FILE at its end tells:
BITACORA_MASTER_KEY_FILE=/run/secrets/master_key. So can ` + SecretNames() + `.
`
}

// parseMistakes names the variable of every value that could not be read.
func parseMistakes(err error) []error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		if err != nil {
			return []error{err}
		}
		return nil
	}
	fields := reflect.TypeFor[Config]()
	var found []error
	for _, one := range all.Errors {
		if parse, ok := errors.AsType[env.ParseError](one); ok {
			if field, ok := fields.FieldByName(parse.Name); ok {
				one = fmt.Errorf("%s: %w", field.Tag.Get("env"), parse.Err)
			}
		}
		found = append(found, one)
	}
	return found
}

// onOff reads a switch.
func onOff(text string) (any, error) {
	switch strings.ToLower(text) {
	case "on", "1", "true":
		return true, nil
	case "off", "0", "false":
		return false, nil
	}
	return nil, fmt.Errorf("%q is neither on nor off", text)
}

// chooseWords reads the settings of two words, whatever their case.
func (c *Config) chooseWords() (mistakes []error) {
	for field, value := range reflect.ValueOf(c).Elem().Fields() {
		one, other, is := strings.Cut(field.Tag.Get("words"), ",")
		switch word := strings.ToLower(value.String()); {
		case !is:
		case word == one || word == other:
			value.SetString(word)
		default:
			mistakes = append(mistakes, fmt.Errorf("%s: %q is neither %s nor %s", field.Tag.Get("env"), value, one, other))
		}
	}
	return mistakes
}

// The second words of some settings.
const (
	PlaceholdersAllowed  = "allow"
	SecondFactorRequired = "required"
	byKeeper             = "keeper"
)

// AssistantSpec is the assistant that the environment names.
func (c Config) AssistantSpec() (assistant.Spec, error) {
	spec, err := assistant.ParseSpec(c.Assistant)
	if err != nil {
		return spec, fmt.Errorf("BITACORA_ASSISTANT: %w", err)
	}
	if c.AssistantModel != "" {
		spec.Model = c.AssistantModel
	}
	spec.URL, spec.Key, spec.Timeout, spec.Dir = c.AssistantURL, c.AssistantKey, c.AssistantTimeout, c.AssistantDir
	spec.Budget = assistant.Budget{Tokens: c.AssistantTokens, Cost: c.AssistantCost, PriceIn: c.AssistantIn, PriceOut: c.AssistantOut}
	return spec, spec.Check("BITACORA_ASSISTANT")
}

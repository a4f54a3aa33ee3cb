// Package access declares who may ask ClickHouse what, and within which limits. It is
// rendered as the users file of the embedded engine ([UsersFile]) and as SQL for a server
// of one's own ([Statements]).
package access

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// DefaultDatabase holds the analysts' views of a clinic that names no other.
const DefaultDatabase = "bitacora"

// The users of the embedded engine.
const (
	// App is this program: it owns every table.
	App = "app"
	// Analyst asks the views, read-only and within limits.
	Analyst = "analyst"
)

// NamedUsers is how many accounts the embedded engine has for named analysts.
const NamedUsers = 16

// NamedUser is the embedded engine's user of a named analyst, from 1 to [NamedUsers].
func NamedUser(n int) string { return fmt.Sprintf("%s_%02d", Analyst, n) }

// Errors of accounts for analysts.
var (
	ErrExists  = errors.New("there is such an account already")
	ErrUnknown = errors.New("there is no such account")
)

// accountName bounds what every tool and both kinds of servers take as it is.
var accountName = regexp.MustCompile(`^[a-z][a-z0-9_]{1,31}$`)

// AccountName says whether a named analyst's account may be called so.
func AccountName(name string) bool {
	return accountName.MatchString(name) && name != App && name != "default" && !strings.HasPrefix(name, Analyst)
}

// setting is a value that holds from the start, and how far it may be changed. The texts
// are values as the engine prints them; an empty one is not set.
type setting struct {
	Name, Value string
	// Lowest and Highest bound what may be asked for. Most limits read 0 as "none", which
	// the lowest value keeps out.
	Lowest, Highest string
	// Fixed settings may not be changed at all.
	Fixed bool
}

// limit is a number that may be lowered.
func limit(name string, value uint64) setting {
	text := fmt.Sprint(value)
	return setting{Name: name, Value: text, Lowest: "1", Highest: text}
}

func fixed(name string) setting { return setting{Name: name, Fixed: true} }

func fixedAt(name string, value uint64) setting {
	return setting{Name: name, Value: fmt.Sprint(value), Fixed: true}
}

// DefaultMemory is the engine's memory where nothing else is said, in bytes.
const DefaultMemory = 2 << 30

// Limits are what the users share.
type Limits struct {
	// Memory is the whole engine's, in bytes.
	Memory uint64
	// Zone is the clinic's, an IANA name: today() is its today, and a time without a zone its time.
	Zone string
	// Processors are the embedded engine's; 0 on a server of one's own.
	Processors int
}

// share is how many processors the analysts' questions take together: the others stay free for the dashboard and
// the chat, whose answers take several times as long where the questions take all.
func (l Limits) share() int { return max(1, l.Processors/2) }

// atOnce is how many of the analysts' questions the embedded engine answers at once.
func (l Limits) atOnce() int { return min(l.share(), max(2, l.Processors/4)) }

// Workload is what the questions of the embedded engine's analysts belong to. What the program asks belongs to
// none, and waits for nobody.
const Workload = "analysts"

// Workloads are the statements that bound the embedded engine's workload.
//
// A question waits for its turn before it begins, since none gives a thread back before its end: where questions
// waited for threads, KILL waited with them. KILL needs no turn, nor does a look into system.processes. A look can
// be joined with anything, so that threads are bounded, too.
func (l Limits) Workloads() []string {
	return []string{
		"CREATE RESOURCE questions (QUERY)",
		"CREATE RESOURCE cpu (MASTER THREAD, WORKER THREAD)",
		"CREATE WORKLOAD `all`",
		fmt.Sprintf("CREATE WORKLOAD %s IN `all` SETTINGS max_concurrent_queries = %d, max_concurrent_threads = %d",
			Workload, l.atOnce(), 2*max(2, l.Processors)),
	}
}

// analystSettings leave the rest to the analysts' tools: what is not here cannot widen what
// a question reaches or takes.
func (l Limits) analystSettings() []setting {
	threads := uint64(16)
	if l.Processors > 0 {
		threads = uint64(l.share() / l.atOnce())
	}
	settings := []setting{
		// Settings may be changed, data may not.
		fixedAt("readonly", 2),
		{Name: "cancel_http_readonly_queries_on_client_close", Value: "1"},
		// The embedded engine takes an expression for a SELECT otherwise, and explains no mistake.
		{Name: "implicit_select", Value: "0"},
		{Name: "session_timezone", Value: l.Zone},

		limit("max_execution_time", 60),
		limit("max_memory_usage", l.Memory/3),
		limit("max_result_rows", 5_000_000),
		limit("max_result_bytes", 1<<30),
		limit("max_threads", threads),
		limit("max_temporary_data_on_disk_size_for_query", 2<<30),
		fixedAt("max_memory_usage_for_user", l.Memory/2),
		fixedAt("max_temporary_data_on_disk_size_for_user", 4<<30),
		fixedAt("max_concurrent_queries_for_user", 10),
		fixedAt("max_sessions_for_user", 20),
		fixed("max_concurrent_queries_for_all_users"),
		fixed("max_untracked_memory"),
		fixed("memory_overcommit_ratio_denominator"),
		fixed("memory_overcommit_ratio_denominator_for_user"),

		// Queries of the engine's own after the one that was asked, outside of its limits.
		fixed("ast_fuzzer_runs"),
		fixed("ast_fuzzer_any_query"),

		// Headers of the request, among them what lets it through to the embedded engine.
		fixed("allow_get_client_http_header"),

		// Files beside the tables, and other servers.
		fixed("format_schema"),
		fixed("format_schema_source"),
		fixed("format_template_row"),
		fixed("format_template_resultset"),
		fixed("output_format_schema"),
		fixed("input_format_record_errors_file_path"),
		fixed("cluster_for_parallel_replicas"),
		fixed("format_avro_schema_registry_url"),
	}
	if l.Processors > 0 {
		settings = append(settings, setting{Name: "workload", Value: Workload, Fixed: true}, fixed("use_concurrency_control"))
	}
	return append(settings, ownerSettings()...)
}

// ownerSettings name what would be evaluated inside of a view, with the rights of its owner.
// They are fixed for the owner, too: ClickHouse before 26.7.6 does not hold a SETTINGS clause
// inside of a subquery to the constraints of who asks, but drops what the view's owner may not
// change.
func ownerSettings() []setting {
	return []setting{
		fixed("additional_table_filters"),
		fixed("additional_result_filter"),
		fixed("parallel_replicas_custom_key"),
		fixed("implicit_table_at_top_level"),
		fixed("count_distinct_implementation"),
		// Waits for longer than max_execution_time, with what it has open.
		fixed("max_local_read_bandwidth"),
	}
}

// ownQueries are the rows of system.processes that analysts see.
const ownQueries = "user = currentUser()"

// analystGrants are rights to the views' database, to what lists one's own queries, without
// which none of them could be ended, and to what tools read of the tables that one may see.
func analystGrants(views string) []string {
	return []string{
		fmt.Sprintf("SELECT ON %s.*", identifier(views)),
		"SELECT ON system.processes",
		"SELECT ON system.parts", // which the next two read
		"SELECT ON information_schema.*",
		"SELECT ON INFORMATION_SCHEMA.*",
	}
}

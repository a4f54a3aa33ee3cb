package main

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// setting is a query-level setting of the engine.
type setting struct{ name, value string }

// transport are parameters of the HTTP interface itself.
var transport = map[string]bool{
	"query": true, "database": true, "user": true, "password": true, "quota_key": true, "query_id": true,
	"default_format": true, "compress": true, "decompress": true, "buffer_size": true, "wait_end_of_query": true,
	"stacktrace": true, "client_protocol_version": true, "session_timeout": true, "session_check": true,
	"close_session": true,
}

// unsupported are parameters whose silent loss would give wrong answers.
var unsupported = map[string]string{
	"session_id": "HTTP sessions are not supported by the embedded engine",
	"role":       "roles are not supported by the embedded engine",
}

// requestSettings reads the settings of a request from its query string.
func requestSettings(query url.Values, known map[string]bool) ([]setting, error) {
	var settings []setting
	for name, values := range query {
		switch {
		case unsupported[name] != "":
			return nil, exceptionf(codeNotImplemented, "%s", unsupported[name])
		case transport[name], strings.HasPrefix(name, "param_"), name == "log_comment":
		case known[name]:
			settings = append(settings, setting{name, values[len(values)-1]})
		case strings.HasSuffix(name, "_structure"), strings.HasSuffix(name, "_types"), strings.HasSuffix(name, "_format"):
			return nil, exceptionf(codeNotImplemented, "external tables are not supported by the embedded engine")
		default:
			return nil, exceptionf(codeUnknownSetting, "Setting %s is neither a builtin setting nor started with the prefix 'SQL_' registered for user-defined settings", name)
		}
	}
	slices.SortFunc(settings, func(a, b setting) int { return strings.Compare(a.name, b.name) })
	return settings, nil
}

// limits bound what one statement may use.
type limits struct {
	memory         uint64 // bytes
	wholeResult    uint64 // bytes of a result that must be held in memory
	analystMemory  uint64
	analystSeconds uint64
	analystRows    uint64
	analystBytes   uint64
}

func newLimits(maxMemory uint64) limits {
	return limits{
		memory:         maxMemory / 4 * 3,
		wholeResult:    maxMemory / 16,
		analystMemory:  maxMemory / 3,
		analystSeconds: 60,
		analystRows:    5_000_000,
		analystBytes:   1 << 30,
	}
}

// app adds the limits of the user app, which may raise them.
func (l limits) app(settings []setting, readonly bool) []setting {
	base := []setting{{"max_memory_usage", strconv.FormatUint(l.memory, 10)}}
	if readonly {
		// As the ClickHouse server does for GET: settings may still be changed.
		settings = slices.DeleteFunc(slices.Clone(settings), func(s setting) bool { return s.name == "readonly" && s.value != "1" })
		base = append(base, setting{"readonly", "2"})
	}
	return append(base, settings...)
}

// analystSettings are those that change how a result looks or how much work it
// may take, and nothing else. Settings that hold an expression or the name of a
// file or of a server must never be added.
var analystSettings = map[string]bool{
	"join_use_nulls": true, "union_default_mode": true, "session_timezone": true, "date_time_input_format": true,
	"date_time_output_format": true, "format_csv_delimiter": true, "format_binary_max_string_size": true,
	"max_block_size": true, "extremes": true, "limit": true, "offset": true, "final": true,
	"use_query_cache": true, "enable_http_compression": true, "http_zlib_compression_level": true,
	"send_progress_in_http_headers": true, "http_headers_progress_interval_ms": true,
	"http_response_buffer_size": true, "http_write_exception_in_output_format": true, "http_wait_end_of_query": true,
	"network_compression_method": true, "network_zstd_compression_level": true, "cancel_http_readonly_queries_on_client_close": true,
	"connect_timeout": true, "receive_timeout": true, "send_timeout": true, "http_receive_timeout": true, "http_send_timeout": true,
	"prefer_column_name_to_alias": true, "allow_experimental_analyzer": true, "enable_analyzer": true,
	"count_distinct_implementation": true, "group_by_use_nulls": true, "transform_null_in": true, "any_join_distinct_right_table_keys": true,
	"async_insert": true, "wait_for_async_insert": true, "result_overflow_mode": true, "timeout_overflow_mode": true,
	"do_not_merge_across_partitions_select_final": true, "bool_true_representation": true, "bool_false_representation": true,
}

// analyst adds the limits of the user analyst, who may only lower them, and
// refuses any setting that could widen what a question can reach.
func (l limits) analyst(settings []setting) ([]setting, error) {
	caps := map[string]uint64{
		"max_execution_time": l.analystSeconds, "max_memory_usage": l.analystMemory,
		"max_result_rows": l.analystRows, "max_result_bytes": l.analystBytes, "max_threads": 0,
	}
	allowed := []setting{}
	for _, s := range settings {
		limit, capped := caps[s.name]
		value, numberErr := strconv.ParseUint(s.value, 10, 64)
		switch {
		case s.name == "readonly" && s.value != "0":
		case s.name == "result_overflow_mode", s.name == "timeout_overflow_mode":
			if s.value != "throw" {
				return nil, exceptionf(codeReadonly, "Setting %s should not be changed", s.name)
			}
		case capped && numberErr != nil:
			return nil, exceptionf(codeBadArguments, "Cannot parse %q as the value of setting %s", s.value, s.name)
		case capped && limit > 0 && (value == 0 || value > limit):
		case capped:
			delete(caps, s.name)
			allowed = append(allowed, s)
		case analystSettings[s.name], strings.HasPrefix(s.name, "output_format_") && s.name != "output_format_schema":
			allowed = append(allowed, s)
		default:
			return nil, exceptionf(codeReadonly, "Cannot modify '%s' setting in readonly mode", s.name)
		}
	}
	for name, limit := range caps {
		if limit > 0 {
			allowed = append(allowed, setting{name, strconv.FormatUint(limit, 10)})
		}
	}
	return append(allowed, setting{"readonly", "1"}), nil
}

// capWhole limits a result that must be held in memory as a whole, unless a
// lower limit is set.
func (l limits) capWhole(settings []setting) []setting {
	for i, s := range settings {
		if s.name == "max_result_bytes" {
			if value, err := strconv.ParseUint(s.value, 10, 64); err == nil && value > 0 && value < l.wholeResult {
				return settings
			}
			settings = slices.Delete(slices.Clone(settings), i, i+1)
			break
		}
	}
	return append(slices.Clone(settings), setting{"max_result_bytes", fmt.Sprint(l.wholeResult)})
}

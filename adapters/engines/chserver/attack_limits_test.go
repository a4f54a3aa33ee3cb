package chserver

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What holds a question to its limits is the outermost one's, whatever a subquery says.
func TestLimitsHold(t *testing.T) {
	g := newTarget(t)
	const endless = "SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(sipHash64(number))"
	for name, test := range map[string]struct{ sql, code string }{
		"time":            {endless + " SETTINGS max_execution_time = 1", "159"},
		"time, below":     {"SELECT * FROM (" + endless + " SETTINGS max_execution_time = 0) SETTINGS max_execution_time = 1", "159"},
		"time, asleep":    {"SELECT * FROM (SELECT sleep(20) SETTINGS function_sleep_max_microseconds_per_block = 0, max_execution_time = 0) SETTINGS max_execution_time = 1", "159"},
		"memory":          {"SELECT length(range(100000000 + number)) FROM numbers(1)", "241"},
		"memory, below":   {"SELECT * FROM (SELECT length(range(100000000 + number)) FROM numbers(1) SETTINGS max_memory_usage = 0, max_untracked_memory = 100000000000, max_memory_usage_for_user = 0)", "241"},
		"rows":            {"SELECT * FROM numbers(6000000) FORMAT Null", "396"},
		"rows, below":     {"SELECT * FROM (SELECT * FROM numbers(6000000) SETTINGS max_result_rows = 0) FORMAT Null", "396"},
		"bytes":           {"SELECT repeat('x', 1000000) FROM numbers(1200) SETTINGS max_block_size = 10, max_result_bytes = 2000000", "396"},
		"disk, below":     {"SELECT count() FROM (SELECT number FROM numbers(3000000) GROUP BY number SETTINGS max_bytes_before_external_group_by = 1000000, max_bytes_ratio_before_external_group_by = 0, max_temporary_data_on_disk_size_for_query = 0) SETTINGS max_temporary_data_on_disk_size_for_query = 1000000", "396"},
		"rows, of a user": {"SELECT * FROM numbers(100) SETTINGS max_result_rows = 10", "396"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := g.attack(t, test.sql)
			if a.code() != test.code && !strings.Contains(a.body, "Code: "+test.code) {
				t.Errorf("%d %.300s", a.status, a.body)
			}
		})
	}
	t.Run("a slow disk", func(t *testing.T) {
		for _, sql := range []string{"SELECT * FROM shown", "SELECT * FROM (SELECT * FROM shown SETTINGS max_local_read_bandwidth = 1)"} {
			began := time.Now()
			g.attack(t, sql, "max_execution_time", "1")
			g.attack(t, "SELECT * FROM shown", "max_execution_time", "1", "max_local_read_bandwidth", "1")
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("%s took %s", sql, took)
			}
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		g := newTarget(t)
		var refused atomic.Int64
		var work sync.WaitGroup
		for range 26 {
			work.Go(func() {
				if g.attack(t, "SELECT sleep(0.5)", "max_sessions_for_user", "100").code() == "700" {
					refused.Add(1)
				}
			})
		}
		time.Sleep(500 * time.Millisecond)
		g.answersPromptly(t)
		work.Wait()
		if refused.Load() < 3 {
			t.Errorf("%d of 26 questions at once were refused", refused.Load())
		}
	})
}

// What could crash, choke or keep the server is refused or ends, and the app goes on.
func TestServerSurvives(t *testing.T) {
	long(t)
	g := newTarget(t)
	deep := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	free := []string{"max_parser_depth", "0", "max_query_size", "10000000", "max_ast_depth", "0", "max_ast_elements", "0", "max_analyze_depth", "0", "max_subquery_depth", "0", "max_execution_time", "2"}
	type question struct {
		sql     string
		options []string
	}
	questions := []question{
		{"SELECT " + deep("(", "1", ")", 100_000), free},
		{"SELECT " + deep("-(", "1", ")", 20_000), free},
		{"SELECT " + deep("[", "1", "]", 100_000), free},
		{"SELECT " + deep("toString(", "1", ")", 20_000), free},
		{"SELECT * FROM " + deep("(SELECT * FROM ", "numbers(1)", ")", 3_000), free},
		{"SELECT " + strings.Repeat("1+", 50_000) + "1", free},
		{"SELECT CAST('x', '" + deep("Array(", "Int8", ")", 30_000) + "')", free},
		{"SELECT '" + deep("[", "1", "]", 100_000) + "'::JSON SETTINGS input_format_json_max_depth = 0", free},
		{"SELECT match(repeat('a', 100000), '" + deep("(", "a*", ")", 5_000) + "')", free},
		{"SELECT match(repeat('a', 1000), '" + strings.Repeat("(a|aa){1,100}", 100) + "')", free},
		{"WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count() FROM r SETTINGS max_recursive_cte_evaluation_depth = 1000000000", free},
		{"SELECT length(arrayMap(x -> sipHash64(x, x), range(30000000)))", free},
		{"SELECT groupArray(repeat('x', 1000000)) FROM numbers(100000) FORMAT Null", free},
		{"SELECT count() FROM numbers(100000000) a, numbers(100000000) b", free},
		{"SELECT number, count() FROM numbers(100000000) GROUP BY number FORMAT Null", free},
	}
	for _, setting := range [][2]string{
		{"query_profiler_cpu_time_period_ns", "1000"}, {"query_profiler_real_time_period_ns", "1000"}, {"memory_profiler_step", "1"},
		{"memory_profiler_sample_probability", "1"}, {"metrics_perf_events_enabled", "1"}, {"jemalloc_enable_profiler", "1"},
		{"max_block_size", "18446744073709551615"}, {"max_streams_to_max_threads_ratio", "100000"}, {"max_threads_for_indexes", "100000"},
		{"max_final_threads", "100000"}, {"max_parsing_threads", "100000"}, {"max_insert_threads", "100000"}, {"page_cache_inject_eviction", "1"},
		{"local_filesystem_read_method", "mmap"}, {"local_filesystem_read_method", "io_uring"}, {"use_query_cache", "1"}, {"min_count_to_compile_expression", "0"},
		{"make_distributed_plan", "1"}, {"serialize_query_plan", "1"}, {"os_thread_priority", "-20"}, {"ast_fuzzer_runs", "1000000000"}, {"use_uncompressed_cache", "1"},
	} {
		questions = append(questions, question{"SELECT sum(n), uniq(n) FROM shown, numbers(100000)", setting[:]},
			question{"SELECT * FROM (SELECT sum(n), uniq(n) FROM shown, numbers(100000) SETTINGS " + setting[0] + " = " + setting[1] + ")", nil})
	}
	next := make(chan question)
	var work sync.WaitGroup
	for range 6 {
		work.Go(func() {
			for q := range next {
				g.attack(t, q.sql, q.options...)
			}
		})
	}
	for i, q := range questions {
		next <- q
		if i%10 == 0 {
			g.answersPromptly(t)
		}
	}
	close(next)
	work.Wait()
	for i := range 60 {
		g.attack(t, "SELECT 1", "session_id", fmt.Sprint(i), "session_timeout", "3600")
	}
	g.answersPromptly(t)
}

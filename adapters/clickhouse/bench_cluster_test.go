package clickhouse

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/projections"
)

// BenchmarkShards measures questions about a year and the insertions of a rebuild on a server alone
// and on 1, 2 and 4 shards without further replicas, and on 2 shards of 2 replicas. On one machine
// they share its cores, and every node is a process. A server alone that has no more than a shard's
// share of the conversations tells what a shard with cores of its own would take to read them:
//
//	go test -run - -bench Shards -benchtime 5x ./adapters/clickhouse -conversations 300000
func BenchmarkShards(b *testing.B) {
	end := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	for _, size := range []struct {
		name             string
		shards, replicas int
		share            int
	}{
		{"alone", 0, 0, 1}, {"alone,half", 0, 0, 2}, {"alone,quarter", 0, 0, 4},
		{"1x1", 1, 1, 1}, {"2x1", 2, 1, 1}, {"4x1", 4, 1, 1}, {"2x2", 2, 2, 1},
	} {
		b.Run(size.name, func(b *testing.B) {
			if testing.Short() && size.shards*size.replicas > 2 {
				b.Skip("as with two nodes")
			}
			if size.shards > 0 {
				cluster = enginestest.StartCluster(b, size.shards, size.replicas)
				defer func() { cluster = nil }()
			}
			db := open(b)
			fill(b, db, end, benchSize()/size.share)
			c := analytics.Cohort{Period: analytics.Period{From: end.AddDate(-1, 0, 0).In(panama(b)), To: end.In(panama(b))}, Hours: clinic.Default().Hours}
			reader := db.Reader(build)
			all := asked(reader, c)
			b.Run("control", func(b *testing.B) { measure(b, control(reader, c)) })
			for _, q := range all {
				if q.name == "kpis" || q.name == "page" || q.name == "questions" {
					b.Run(q.name, func(b *testing.B) { measure(b, q) })
				}
			}
			b.Run("dashboard", func(b *testing.B) { measure(b, all[:fast]...) })
			if size.share == 1 {
				b.Run("insert", func(b *testing.B) { measureInsertions(b, db) })
			}
		})
	}
}

// BenchmarkClusterQuestions measures questions about a year on 2 shards of 2 replicas, each of which first says how far
// it holds the log. The control, asked in turns on the same cores, is a server alone with the same conversations.
func BenchmarkClusterQuestions(b *testing.B) {
	end := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	c := analytics.Cohort{Period: analytics.Period{From: end.AddDate(-1, 0, 0).In(panama(b)), To: end.In(panama(b))}, Hours: clinic.Default().Hours}
	var questions [2][]asking
	var counted [2]analytics.Counts
	for i := range questions {
		if i == 1 {
			cluster = enginestest.StartCluster(b, 2, 2)
			defer func() { cluster = nil }()
		}
		db := open(b)
		fill(b, db, end, benchSize())
		if _, err := db.Writer(build).Applied(b.Context(), projections.Range{First: 1, Last: 1}, epoch); err != nil {
			b.Fatal(err)
		}
		reader := db.Reader(build).Through(1)
		var err error
		if counted[i], err = reader.Counts(b.Context(), c); err != nil {
			b.Fatal(err)
		}
		questions[i] = asked(reader, c)
	}
	if counted[0] != counted[1] || counted[0] == (analytics.Counts{}) {
		b.Fatalf("alone %+v, on the cluster %+v", counted[0], counted[1])
	}
	rounds := 10
	if testing.Short() {
		rounds = 1
	}
	beside := func(name string, control, spread []asking) {
		b.Run(name, func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				for range rounds {
					alone := timed(b, control...)
					ratios = append(ratios, timed(b, spread...)/alone)
				}
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			b.ReportMetric(ratios[0], "least-ratio")
			b.ReportMetric(ratios[len(ratios)-1], "greatest-ratio")
		})
	}
	for i, q := range questions[0] {
		if q.name == "kpis" || q.name == "page" || q.name == "questions" {
			beside(q.name, questions[0][i:i+1], questions[1][i:i+1])
		}
	}
	beside("dashboard", questions[0][:fast], questions[1][:fast])
}

// measureInsertions writes batches as large as a rebuild's, of the conversations of some hours.
func measureInsertions(b *testing.B, db *DB) {
	const conversations, each = 10_000, 10
	began := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	var rows projections.Tables
	for i := range conversations {
		id, at := fmt.Sprintf("batch-%d", i), began.Add(time.Duration(i)*time.Second)
		rows.Conversations = append(rows.Conversations, projections.ConversationRow{ConversationID: id, StartedAt: at, LastMessageAt: at, MessageCount: each, Channel: "web"})
		for j := range uint32(each) {
			rows.Messages = append(rows.Messages, projections.MessageRow{
				ConversationID: id, ConversationStartedAt: at, Ordinal: j + 1, MessageID: "0190a1b2-0000-7000-8000-000000000001",
				Sender: projections.Visitor, Text: "¿Cuánto cuesta una limpieza, y cuándo tienen hora?", SentAt: at,
			})
		}
	}
	for b.Loop() {
		if err := db.Writer(build).Write(b.Context(), rows); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*(each+1)*conversations)/b.Elapsed().Seconds(), "rows/s")
}

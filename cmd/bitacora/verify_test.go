package main

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

// TestVerifyOfABuildThatIsBehind looks at a build whose process hangs: nobody may keep it up
// before the lease ends, and what came meanwhile is missing nowhere.
func TestVerifyOfABuildThatIsBehind(t *testing.T) {
	p, a, _ := programtest.Running(t)
	if err := p.Running.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer p.Running.Process.Signal(syscall.SIGCONT)
	programtest.NewVisit(t, a, "later", time.Date(2026, 11, 19, 15, 0, 0, 0, time.UTC))
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

func TestVerifyNamesARowThatIsWrong(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, _ := programtest.Running(t)
	b1 := programtest.Tables(t, a, "b1")
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Fatal(out)
	}
	for _, fault := range []struct{ what, do, undo, says string }{
		{
			"an altered message", "INSERT INTO messages SELECT * REPLACE ('otra cosa' AS text) FROM messages FINAL WHERE conversation_id = 'visit-2' AND ordinal = 1",
			"INSERT INTO messages SELECT * REPLACE ('hola' AS text) FROM messages FINAL WHERE conversation_id = 'visit-2' AND ordinal = 1",
			`altered: visit-2 message 1: text is "otra cosa", want "hola"`,
		},
		{
			"an extra message", "INSERT INTO messages SELECT * REPLACE (9 AS ordinal) FROM messages FINAL WHERE conversation_id = 'visit-3' LIMIT 1",
			"ALTER TABLE messages DELETE WHERE ordinal = 9 SETTINGS mutations_sync = 2",
			"extra: visit-3 message 9",
		},
		{
			"a conversation without its lead's absence", "INSERT INTO conversations (conversation_id, started_at, lead) SELECT conversation_id, started_at, true FROM conversations WHERE conversation_id = 'visit-4' LIMIT 1",
			"ALTER TABLE conversations UPDATE lead = false WHERE conversation_id = 'visit-4' SETTINGS mutations_sync = 2",
			`lead is "true", want "false"`,
		},
		{
			"a missing message", "ALTER TABLE messages DELETE WHERE conversation_id = 'visit-1' AND ordinal = 2 SETTINGS mutations_sync = 2",
			"", "missing: visit-1 message 2",
		},
	} {
		if err := b1.Exec(context.Background(), fault.do); err != nil {
			t.Fatalf("%s: %v", fault.what, err)
		}
		out, err := p.Run("", "verify")
		if err == nil || !strings.Contains(out, fault.says) || strings.Count(out, "altered: ")+strings.Count(out, "extra: ")+strings.Count(out, "missing: ") != 1 {
			t.Errorf("%s: %v\n%s", fault.what, err, out)
		}
		if fault.undo != "" {
			if err := b1.Exec(context.Background(), fault.undo); err != nil {
				t.Fatalf("%s: %v", fault.undo, err)
			}
		}
	}
	// A rebuild does not take over in silence; told to, it heals what is missing.
	out, err := p.Run("", "rebuild")
	if err == nil || !strings.Contains(out, "extra: visit-1 message 2") || !strings.Contains(out, "not switched") {
		t.Errorf("rebuild of a build that differs: %v\n%s", err, out)
	}
	p.MustRun("verify", "b2")
	if out := p.MustRun("rebuild", "--despite-differences"); !strings.Contains(out, "going on with build b2") || !strings.Contains(out, "b2 is live") {
		t.Error(out)
	}
	p.MustRun("verify")
}

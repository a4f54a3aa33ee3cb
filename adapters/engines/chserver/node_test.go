package chserver

import (
	"os"
	"os/exec"
	"testing"
)

// The official Node client, driven by its own test file.
func TestNodeClient(t *testing.T) {
	node := exec.CommandContext(t.Context(), "node", "--test", "testdata/client.test.mjs")
	node.Env = append(os.Environ(), "CHSERVER_ADDR="+shared.address, "CHSERVER_PASSWORD="+appPassword, "CHSERVER_ANALYST_PASSWORD="+analystPassword)
	if out, err := node.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

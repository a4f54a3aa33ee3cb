package enginestest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines"
	chs "bitacora/adapters/engines/chserver"
)

// ClusterName is what statements call a [Cluster].
const ClusterName = "bitacora"

// Cluster is a ClickHouse cluster of one test: a process for each replica of each shard. What is
// inserted is copied by nobody but a Distributed table (internal_replication is false).
type Cluster struct {
	// URL names all nodes, http://user:password@host:port,host:port/bitacora.
	URL string
	// Nodes stand shard by shard.
	Nodes []*Node

	t                testing.TB
	program, library string
}

// Node is one replica of a shard. Its addresses stay the same over restarts.
type Node struct {
	// Name says which it is, for people: "shard 2, replica 1". Both count from 1.
	Name           string
	Shard, Replica int
	// URL leads to this node alone.
	URL string
	// Address is its host and port within URL, Native that of the native protocol, which is what
	// ClickHouse calls it in errors and in system.clusters.
	Address, Native string
	// Dir holds its data.
	Dir string

	cluster *Cluster
	options chs.Options
	process *exec.Cmd
	ended   chan struct{}
	// asked is true once the test has ended the process.
	asked atomic.Bool
}

// nodeMemory is enough for tests; several nodes share the machine.
const nodeMemory = 1 << 30

// nobody is whom nodes run as under root.
const nobody = 65534

// StartCluster starts shards × replicas nodes, which stop when the test ends.
func StartCluster(t testing.TB, shards, replicas int) *Cluster {
	t.Helper()
	dir, err := tempDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	c := &Cluster{t: t}
	if c.program, err = chserver(); err != nil {
		t.Fatal(err)
	}
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	c.library = filepath.Join(root, "node_modules/@chdb/lib-linux-x64-gnu/libchdb.so")
	ports := freePorts(t, 2*shards*replicas)
	var native [][]uint64
	for shard := range shards {
		native = append(native, ports[shard*replicas:(shard+1)*replicas])
	}
	hosts := make([]string, 0, shards*replicas)
	for i := range shards * replicas {
		n := &Node{Shard: i/replicas + 1, Replica: i%replicas + 1, cluster: c}
		n.Name = fmt.Sprintf("shard %d, replica %d", n.Shard, n.Replica)
		n.Address = fmt.Sprintf("127.0.0.1:%d", ports[shards*replicas+i])
		n.Native = fmt.Sprintf("127.0.0.1:%d", ports[i])
		n.URL = clusterURL(n.Address)
		n.Dir = filepath.Join(dir, fmt.Sprintf("s%dr%d", n.Shard, n.Replica))
		n.options = chs.Options{
			Data: n.Dir, MaxMemory: nodeMemory, Cluster: chs.Cluster{Name: ClusterName, Shards: native, Port: ports[i]},
		}
		hosts = append(hosts, n.Address)
		c.Nodes = append(c.Nodes, n)
		n.launch(t)
	}
	c.URL = clusterURL(strings.Join(hosts, ","))
	for _, n := range c.Nodes {
		n.awaitAnswer(t)
	}
	return c
}

// Node gives the replica of a shard, both counted from 1.
func (c *Cluster) Node(shard, replica int) *Node {
	for _, n := range c.Nodes {
		if n.Shard == shard && n.Replica == replica {
			return n
		}
	}
	return nil
}

// password is the same for every user of every cluster: it ends with the test.
const password = "of-a-test"

func clusterURL(hosts string) string {
	return "http://" + access.App + ":" + password + "@" + hosts + "/" + engines.Database
}

// Start brings a node up that was killed.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	n.launch(t)
	n.awaitAnswer(t)
}

// Kill ends a node with SIGKILL.
func (n *Node) Kill(t testing.TB) {
	t.Helper()
	n.asked.Store(true)
	_ = n.process.Process.Kill()
	<-n.ended
}

// Wipe removes all data of a node that does not run.
func (n *Node) Wipe(t testing.TB) {
	t.Helper()
	if err := os.RemoveAll(n.Dir); err != nil {
		t.Fatal(err)
	}
}

// PID is the id of the node's process, of the last one where it does not run.
func (n *Node) PID() int { return n.process.Process.Pid }

// Ask gives the answer of this node alone to one statement, as text.
func (n *Node) Ask(t testing.TB, statement string) string {
	t.Helper()
	return strings.TrimSuffix(post(t, n.URL, statement), "\n")
}

// Try sends one statement to this node alone.
func (n *Node) Try(statement string) error {
	_, err := tryPost(n.URL, statement)
	return err
}

func (n *Node) launch(t testing.TB) {
	t.Helper()
	if err := os.MkdirAll(n.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text, err := n.options.Cluster.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--library", n.cluster.library, "--data", n.Dir, "--listen", n.Address, "--database", engines.Database,
		"--max-memory", fmt.Sprint(n.options.MaxMemory), "--cluster", string(text),
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(n.Dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--uid", fmt.Sprint(nobody), "--gid", fmt.Sprint(nobody))
	}
	log, err := os.OpenFile(n.Dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	n.process = exec.Command(n.cluster.program, args...)
	n.process.Stdout, n.process.Stderr = log, log
	in, err := n.process.StdinPipe() // open as long as n.process is
	if err != nil {
		t.Fatal(err)
	}
	if err := n.process.Start(); err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(in).Encode(map[string]string{access.App: password, access.Analyst: password}); err != nil {
		t.Fatal(err)
	}
	process, ended := n.process, make(chan struct{})
	n.ended = ended
	n.asked.Store(false)
	go func() {
		_ = process.Wait()
		if !n.asked.Load() {
			n.cluster.t.Errorf("%s ended by itself (%v):\n%s", n.Name, process.ProcessState, n.said())
		}
		close(ended)
	}()
	n.cluster.t.Cleanup(func() {
		// Its data go, too: nothing is worth the 5 s that it waits for other nodes' connections to end.
		n.asked.Store(true)
		_ = process.Process.Kill()
		<-ended
	})
}

// awaitAnswer returns when the node answers.
func (n *Node) awaitAnswer(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		answer, err := http.Get("http://" + n.Address + "/ping")
		if err == nil {
			answer.Body.Close()
			return
		}
		select {
		case <-n.ended:
		default:
			if time.Now().Before(end) {
				continue
			}
		}
		t.Fatalf("%s does not answer: %v: %s", n.Name, err, n.said())
	}
}

// said is what the node's process has printed, in all its runs.
func (n *Node) said() string {
	text, _ := os.ReadFile(n.Dir + ".log")
	return string(text)
}

// freePorts are free at the moment, differ from each other, and are not those that the system gives to
// outgoing connections: one of these could have a node's while it is down.
func freePorts(t testing.TB, count int) (ports []uint64) {
	t.Helper()
	for try := 0; len(ports) < count; try++ {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 16_000+rand.IntN(14_000)))
		switch {
		case err == nil:
			defer l.Close()
			ports = append(ports, uint64(l.Addr().(*net.TCPAddr).Port))
		case try > 1000:
			t.Fatalf("no port is free: %v", err)
		}
	}
	return ports
}

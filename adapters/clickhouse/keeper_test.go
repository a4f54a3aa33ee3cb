package clickhouse

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/engines/chserver"
	"bitacora/adapters/engines/enginestest"
	"bitacora/schema"
)

var keeper = flag.Bool("keeper", false, "try the tables of a cluster with Keeper in Debian's ZooKeeper")

// engineConfig names the variable with a configuration that makes this program ClickHouse's own.
const engineConfig = "BITACORA_TEST_ENGINE"

func init() {
	if os.Getenv(engineConfig) != "" {
		runtime.LockOSThread() // the engine wants the thread with the large stack
	}
}

// TestTablesInAKeeper makes the tables of a cluster with Keeper as two replicas of a shard do, in a real
// ZooKeeper, which compares the second one's definitions with the first one's. Nothing is copied between
// them: the embedded engine cannot listen for other replicas.
func TestTablesInAKeeper(t *testing.T) {
	if !*keeper {
		t.Skip("npm run keeper")
	}
	port := startZooKeeper(t)
	db := house(t, enginestest.ClickHouse(t), Cluster{Name: "clinics", Keeper: true})
	files, err := fs.Glob(schema.ClickHouse, "clickhouse/table_*.sql")
	if err != nil {
		t.Fatal(err)
	}
	const database = "bitacora_b1_shard"
	replicated := map[string]bool{}
	create := []string{"CREATE DATABASE " + database}
	for _, file := range files {
		statement, err := db.rendered(db.nodes[0], file, build, database, db.zone)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(statement, "ENGINE = Replicated") {
			replicated[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "table_"), ".sql")] = true
		}
		create = append(create, statement)
	}
	if len(replicated) == 0 {
		t.Fatal("no table is a replicated one")
	}
	const outfile = "{outfile}"
	known := "SELECT table, total_replicas FROM system.replicas WHERE database = '" + database + "' ORDER BY table INTO OUTFILE '" + outfile + "' TRUNCATE FORMAT TSV"
	drop := "DROP DATABASE " + database + " SYNC"

	var replica [2]func(statements ...string) string
	for i := range replica {
		dir := t.TempDir()
		config, answer := filepath.Join(dir, "config.xml"), filepath.Join(dir, "answer.tsv")
		text := fmt.Sprintf(`<clickhouse><path>%s/</path>
<zookeeper><node><host>127.0.0.1</host><port>%d</port></node></zookeeper>
<macros><shard>1</shard><replica>r%d</replica></macros>
</clickhouse>`, dir, port, i+1)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replica[i] = func(statements ...string) string {
			t.Helper()
			engine := exec.CommandContext(t.Context(), os.Args[0])
			engine.Env = append(os.Environ(), engineConfig+"="+config)
			engine.Stdin = strings.NewReader(strings.ReplaceAll(strings.Join(statements, ";\n"), outfile, answer))
			if out, err := engine.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			said, err := os.ReadFile(answer)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			return string(said)
		}
	}
	want := func(replicas int) (text string) {
		for _, table := range slices.Sorted(maps.Keys(replicated)) {
			text += fmt.Sprintf("%s\t%d\n", table, replicas)
		}
		return text
	}
	holds := func(name string, replicas int, got string) {
		t.Helper()
		if diff := cmp.Diff(want(replicas), got); diff != "" {
			t.Errorf("%s: tables in the Keeper and their replicas (-want +got):\n%s", name, diff)
		}
	}
	create = append(create, known)
	holds("of one node", 1, replica[0](create...))
	holds("of two", 2, replica[1](create...))
	replica[1](drop)
	holds("of one again", 1, replica[0](known))
	holds("made anew", 1, replica[0](append([]string{drop}, create...)...))
}

// startZooKeeper gives the port of one that ends with the test.
func startZooKeeper(t *testing.T) (port int) {
	t.Helper()
	const jar = "/usr/share/java/zookeeper.jar"
	if _, err := os.Stat(jar); err != nil {
		t.Fatal("ZooKeeper is missing: apt-get install zookeeper default-jre-headless")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = free.Addr().(*net.TCPAddr).Port
	free.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "zoo.cfg")
	text := fmt.Sprintf("dataDir=%s\nclientPortAddress=127.0.0.1\nclientPort=%d\nadmin.enableServer=false\n", dir, port)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.Command("java", "-cp", jar, "org.apache.zookeeper.server.quorum.QuorumPeerMain", config)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		line, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
		if err == nil {
			line.Close()
			return port
		}
		if time.Now().After(end) {
			t.Fatal("ZooKeeper does not answer: ", err)
		}
	}
}

// runEngine is ClickHouse with statements from its standard input, and ends with it.
func runEngine(config string) error {
	library, err := filepath.Abs("../../node_modules/@chdb/lib-linux-x64-gnu/libchdb.so")
	if err != nil {
		return err
	}
	return chserver.Execute(library, "--config-file="+config, "--multiquery")
}

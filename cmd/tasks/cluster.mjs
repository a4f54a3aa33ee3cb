// npm run cluster: the demo clinic on a ClickHouse cluster of this machine, 2 shards of 2 replicas
// each, all of them processes that can be killed and started again. At the end everything is removed.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { freePorts, root } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const shards = 2;
const replicas = 2;
const name = "bitacora";
const password = randomBytes(16).toString("hex");
const nobody = process.getuid() === 0 ? 65534 : undefined; // whom the engines run as under root

checkTools();
await installPackages();
await build();

const folder = mkdtempSync(path.join(tmpdir(), "bitacora-cluster-"));
chmodSync(folder, 0o755);
const [site, metrics, ...ports] = await freePorts(2 + 2 * shards * replicas);
const nodes = Array.from({ length: shards * replicas }, (_, i) => ({
  number: i + 1,
  title: `shard ${Math.floor(i / replicas) + 1}, replica ${(i % replicas) + 1}`,
  data: path.join(folder, `node${i + 1}`),
  native: ports[2 * i],
  address: `127.0.0.1:${ports[2 * i + 1]}`,
}));
for (const node of nodes) start(node);

// As an operator sets it. Commands of the program find it there, too. The usual ports may be those of
// a clinic that runs on this machine.
const settings = path.join(folder, "bitacora.env");
writeFileSync(
  settings,
  `BITACORA_ADDR=127.0.0.1:${site}
BITACORA_METRICS_ADDR=127.0.0.1:${metrics}
BITACORA_DATA_DIR=${path.join(folder, "data")}
BITACORA_CLICKHOUSE_URL=http://app:${password}@${nodes.map((node) => node.address)}/bitacora
BITACORA_CLICKHOUSE_CLUSTER=${name}
BITACORA_DEMO=on
`,
  { mode: 0o600 },
);
const server = spawn(path.join(root, "bin/bitacora"), ["serve", ...process.argv.slice(2)], {
  cwd: root,
  env: { BITACORA_LOG_LEVEL: "warn", ...process.env, BITACORA_CONFIG: settings },
  stdio: ["ignore", "inherit", "inherit"],
});
console.log(`
  ClickHouse cluster "${name}": ${shards} shards of ${replicas} replicas, the demo clinic on it.

${nodes.map((node) => `  ${node.number}   ${node.title}   http://${node.address}/play`).join("\n")}

  A number and Enter kills that node, and starts it again; "wipe" and a number starts it with an
  empty disk. Meanwhile the site chats, and the replicas of the other number count and answer. A node
  that is back is filled from the log before it answers.

      export BITACORA_CONFIG=${settings}
      bin/bitacora cluster show      # which node lacks what
`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const [, wipe, number] = /^\s*(wipe)?\s*(\d+)\s*$/.exec(line) ?? [];
  const node = nodes[number - 1];
  if (!node) return;
  const again = () => {
    if (wipe) rmSync(node.data, { recursive: true, force: true });
    start(node);
  };
  if (!node.process) again();
  else if (wipe) node.process.once("exit", again).kill("SIGKILL");
  else node.process.kill("SIGKILL");
});
// Ctrl-C reaches the program by itself; the nodes end after it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => {
  for (const node of nodes) node.process?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  process.exit(signal ? 1 : code);
});

/** Starts a node, on the same ports and the same folder as before. */
function start(node) {
  mkdirSync(node.data, { recursive: true, mode: 0o700 });
  if (nobody) chownSync(node.data, nobody, nobody);
  const shard = (i) => nodes.slice(i * replicas, (i + 1) * replicas).map((n) => n.native);
  const all = Array.from({ length: shards }, (_, i) => shard(i)).join("/");
  const child = spawn(
    path.join(root, "bin/chserver"),
    [
      ...["--library", path.join(root, "node_modules/@chdb/lib-linux-x64-gnu/libchdb.so")],
      ...["--data", node.data, "--listen", node.address, "--max-memory", String(2 ** 30)],
      ...["--cluster", `${node.native}@${name}=${all}`],
      ...(nobody ? ["--uid", nobody, "--gid", nobody] : []),
    ],
    // Out of reach of Ctrl-C, which the program gets first. It lives as long as its standard input,
    // and its standard output is a prompt's.
    { stdio: ["pipe", "ignore", "inherit"], detached: true },
  );
  child.stdin.write(`${JSON.stringify({ app: password, analyst: password })}\n`);
  console.log(`  Node ${node.number} (${node.title}) starts, process ${child.pid}.`);
  node.process = child;
  child.on("exit", () => {
    node.process = undefined;
    console.log(`  Node ${node.number} (${node.title}) is down.`);
  });
}

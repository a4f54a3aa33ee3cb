// npm run keeper: makes the tables of a cluster with Keeper in a real ZooKeeper, that of Debian.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { goTest } from "./gotest.mjs";
import { freePorts, steps, stop } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const jar = "/usr/share/java/zookeeper.jar";
if (!existsSync(jar) || !existsSync("/usr/bin/java"))
  stop("ZooKeeper is missing: apt-get install zookeeper default-jre-headless");
checkTools();
await installPackages();
await build();
const folder = mkdtempSync(path.join(tmpdir(), "bitacora-keeper-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const [port] = await freePorts(1);
const config = path.join(folder, "zoo.cfg");
writeFileSync(
  config,
  `dataDir=${folder}
clientPortAddress=127.0.0.1
clientPort=${port}
admin.enableServer=false
`,
);
const keeper = spawn(
  "/usr/bin/java",
  ["-cp", jar, "org.apache.zookeeper.server.quorum.QuorumPeerMain", config],
  { stdio: "ignore" },
);
process.on("exit", () => keeper.kill());
await answers();
await steps([
  [
    "tables of a cluster with Keeper",
    () =>
      goTest(
        ..."-count=1 -v -run ^TestTablesInAKeeper$ ./adapters/clickhouse -args -keeper".split(" "),
        `127.0.0.1:${port}`,
      ),
  ],
]);
process.exit();

async function answers() {
  for (let left = 300; left > 0 && keeper.exitCode === null; left -= 1) {
    const answered = await new Promise((resolve) => {
      const line = createConnection(port, "127.0.0.1");
      line.on("connect", () => resolve(true)).on("error", () => resolve(false));
      line.on("connect", () => line.destroy());
    });
    if (answered) return;
    await pause(100);
  }
  stop("ZooKeeper does not answer.");
}

// The real program, started for as long as a task needs it.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { root } from "./run.mjs";

export const binary = path.join(root, "bin/bitacora");

/**
 * Starts the program on fresh data and free ports, gives its address and its environment
 * to `use`, and stops it when that is done. `settings` are further ones of its environment.
 */
export async function withProgram(use, settings = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "bitacora-task-"));
  chmodSync(dataDir, 0o755); // under root, the engines run as another user
  const env = {
    ...process.env,
    BITACORA_CONFIG: "off",
    BITACORA_DATA_DIR: dataDir,
    BITACORA_ADDR: "127.0.0.1:0",
    BITACORA_METRICS_ADDR: "off",
    BITACORA_CLICKHOUSE_ADDR: "127.0.0.1:0",
    BITACORA_MONTHLY_LIMIT: "1000",
    BITACORA_THROTTLE: "off",
    BITACORA_DEMO: "off",
    BITACORA_LOG_FORMAT: "json",
    BITACORA_LOG_LEVEL: "warn",
    ...settings,
  };
  const server = spawn(binary, ["serve"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await use({ address: await site(server), env });
  } finally {
    const gone = new Promise((resolve) => server.on("exit", resolve));
    if (server.exitCode === null && server.kill("SIGTERM")) await gone;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Waits for the block with which the program says that it is ready, and reads the site's address. */
function site(server) {
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      const found = /^\s*Site\s+(http:\S+)/.exec(line);
      if (found) resolve(found[1].replace(/\/$/, ""));
    });
    server.on("exit", (code) =>
      reject(new Error(`the program ended with ${code} before it was ready`)),
    );
    server.on("error", reject);
  });
}

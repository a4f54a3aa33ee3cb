// npm run e2e: starts the real program on fresh data, imports real chats, and looks at
// it in a real browser.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { root, run, runBin, stop } from "./run.mjs";
import { build, checkTools, findBrowser, installPackages } from "./setup.mjs";

const chats = path.join(root, "../shared/data/appointment-chats-es.jsonl");
const binary = path.join(root, "bin/bitacora");

export async function e2e() {
  if (!existsSync(chats))
    throw new Error(`the real chats are missing: ${path.relative(root, chats)}`);
  const dataDir = mkdtempSync(path.join(tmpdir(), "bitacora-e2e-"));
  chmodSync(dataDir, 0o755); // under root, the engines run as another user
  const env = {
    ...process.env,
    BITACORA_DATA_DIR: dataDir,
    BITACORA_ADDR: "127.0.0.1:0",
    BITACORA_CLICKHOUSE_ADDR: "127.0.0.1:0",
    BITACORA_MONTHLY_LIMIT: "1000",
    BITACORA_THROTTLE: "off",
    BITACORA_DEMO: "off",
    BITACORA_LOG_FORMAT: "json",
    BITACORA_LOG_LEVEL: "warn",
  };
  const staff = { email: "recepcion@clinica.example", password: randomBytes(12).toString("hex") };
  const server = spawn(binary, ["serve"], { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await site(server);
    await run(binary, ["staff", "add", staff.email, "--password-stdin"], {
      env,
      input: staff.password,
    });
    await run(binary, ["import", chats], { env });
    await runBin(
      "playwright",
      ["test", "--config", "webapp/e2e/playwright.config.ts", ...process.argv.slice(2)],
      {
        env: {
          BASE_URL: address,
          BITACORA_CHROMIUM: await findBrowser(),
          E2E_STAFF_EMAIL: staff.email,
          E2E_STAFF_PASSWORD: staff.password,
        },
      },
    );
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

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkTools();
  await installPackages();
  await build();
  await e2e().catch((error) => stop(`✗ ${error.message}`));
}

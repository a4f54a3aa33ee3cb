// npm run e2e: starts the real program on fresh data, imports chats, and looks at it in a
// real browser.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { binary, withProgram } from "./program.mjs";
import { root, run, runBin, stop } from "./run.mjs";
import { build, checkTools, findBrowser, installPackages } from "./setup.mjs";

const sample = path.join(root, "adapters/archive/testdata/chats.jsonl");
const folder = path.join(root, "cmd/bitacora/testdata/foreign");
const real = path.join(root, "../shared/data/appointment-chats-es.jsonl");

/**
 * Runs the tests in the browser: those of "npm test", or with the word "long" those that go through every
 * page and state; without a word, all of them.
 */
export async function e2e(part = "") {
  const files = [sample, real].filter(existsSync);
  if (!files.includes(real))
    console.log(`Not checked: ${path.relative(root, real)} does not lie beside the project.`);
  const staff = { email: "recepcion@clinica.example", password: randomBytes(12).toString("hex") };
  // One of its own for who turns codes on.
  const codes = "codigos@clinica.example";
  const owner = "duena@clinica.example";
  const look = async ({ address, env }, foreign) => {
    for (const [email, ...role] of [[staff.email], [codes], [owner, "--role", "owner"]]) {
      await run(binary, ["staff", "add", email, "--password-stdin", ...role], {
        env,
        input: staff.password,
      });
    }
    for (const file of files) await run(binary, ["import", file], { env });
    await playwright({
      ...foreign,
      BASE_URL: address,
      BITACORA_CHROMIUM: await findBrowser(),
      E2E_PART: part,
      E2E_CHATS: files.join(path.delimiter),
      E2E_CODES_EMAIL: codes,
      E2E_OWNER_EMAIL: owner,
      E2E_STAFF_EMAIL: staff.email,
      E2E_STAFF_PASSWORD: staff.password,
    });
  };
  await withProgram((program) =>
    part === "short" ? look(program) : withForeignClinic((foreign) => look(program, foreign)),
  );
}

/** Its failures are the last words of the task: other steps print thousands of lines after them. */
async function playwright(env) {
  const config = ["--config", "webapp/e2e/playwright.config.ts"];
  try {
    await runBin("playwright", ["test", ...config, ...process.argv.slice(2)], { env, kept: true });
  } catch (error) {
    const failures = error.output?.indexOf("\n  1) ") ?? -1;
    if (failures < 0) throw error;
    throw new Error(error.output.slice(failures, failures + 4000) + error.output.slice(-1000));
  }
}

/** A second program, for what holds for any clinic: one with its own facts, texts and pictures. */
async function withForeignClinic(use) {
  const settings = { BITACORA_CLINIC_FILE: path.join(folder, "clinic.json") };
  await withProgram(async ({ address, env }) => {
    await run(binary, ["content", "import", path.join(folder, "content")], { env, quiet: true });
    await use({ E2E_FOREIGN_URL: address });
  }, settings);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkTools();
  await installPackages();
  await build();
  await e2e().catch((error) => stop(`✗ ${error.message}`));
}

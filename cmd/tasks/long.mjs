// npm run test:long: the tests that need real faults or real time (kills, failovers, clusters, updates of
// earlier data), which "npm test" leaves out.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root, run, steps } from "./run.mjs";
import { build, checkTools, files, installPackages } from "./setup.mjs";

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
await installPackages();
await build();
const found = longTests();
const names = found.map(({ name }) => name).join("|");
const folders = [...new Set(found.map(({ folder }) => folder))];
await steps([
  [
    `${found.length} tests with real faults and real time`,
    () => run("go", ["test", "-vet=off", "-timeout", "80m", "-run", `^(${names})$`, ...folders]),
  ],
]);

// npm test: sets everything up and runs the tests; "npm run test:long" runs those that it leaves out.
// "npm run lint", "npm run e2e" and the others run one of its parts.

import { e2e } from "./e2e.mjs";
import { goTest } from "./gotest.mjs";
import { quickGo, quickWeb } from "./lint.mjs";
import { keepTemporaryFilesInMemory } from "./memory.mjs";
import { lanes, runBin } from "./run.mjs";
import { build, checkTools, findBrowser, installPackages } from "./setup.mjs";

checkTools();
keepTemporaryFilesInMemory();
await installPackages();
await findBrowser();
await build();
const engine = [
  ...quickGo,
  [
    "tests of the engine, on real databases",
    // The whole programs first: they take longest, and wait while the others compute.
    () => goTest("-short", "-timeout", "60m", "./cmd/...", "./..."),
  ],
];
const site = [
  ...quickWeb,
  ["unit tests of the webapp", () => runBin("vitest", ["run", "--root", "webapp"])],
  ["tests in the browser", () => e2e("short")],
];
// Both wait for engines and pages half of their time.
await lanes(engine, site);
console.log(
  "\nKills, clusters, updates, every page in every state, vet, staticcheck: npm run test:long",
);

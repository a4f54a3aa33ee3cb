// npm run bench: the measurements behind the figures in the documentation. Each prints
// its control beside it; "npm run bench NAME" runs the ones whose name matches, "npm run
// bench lighthouse" the public pages alone.
// Sizes are flags of the benchmarks, described beside them: BenchmarkRebuild takes 2 million events.
import { lighthouse } from "./lighthouse.mjs";
import { run, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const wanted = process.argv[2] ?? ".";
const site = "lighthouse";

checkTools();
await installPackages();
await build();
await steps([
  ...(wanted === site
    ? []
    : [
        [
          "benchmarks",
          () => run("go", ["test", "-run", "^$", "-bench", wanted, "-timeout", "60m", "./..."]),
        ],
      ]),
  ...(new RegExp(wanted).test(site) ? [["the site in Lighthouse", lighthouse]] : []),
]);

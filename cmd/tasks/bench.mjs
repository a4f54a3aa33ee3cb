// npm run bench: the measurements behind the figures in the documentation. Each prints
// its control beside it; "npm run bench NAME" runs the ones whose name matches.
// Sizes are flags of the benchmarks, described beside them: BenchmarkRebuild takes 2 million events.
import { run, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

checkTools();
await installPackages();
await build();
await steps([
  [
    "benchmarks",
    () =>
      run("go", [
        "test",
        "-run",
        "^$",
        "-bench",
        process.argv[2] ?? ".",
        "-timeout",
        "60m",
        "./...",
      ]),
  ],
]);

// npm run bench: the measurements behind the figures in the documentation. Each prints
// its control beside it; "npm run bench NAME" runs the ones whose name matches, "npm run
// bench lighthouse" the public pages alone, "npm run bench scroll" the dashboard's list.
// The figures are written into schema/reference/measurements.md.
// Sizes are flags of the benchmarks, described beside them: BenchmarkRebuild takes 2 million events.
import { lighthouse } from "./lighthouse.mjs";
import { figuresOf, record } from "./measurements.mjs";
import { run, steps } from "./run.mjs";
import { scroll } from "./scroll.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const wanted = process.argv[2] ?? ".";
/** What is measured in a browser, by name. */
const browsed = { lighthouse, scroll };

checkTools();
await installPackages();
await build();
await steps([
  ...(wanted in browsed
    ? []
    : [
        [
          "benchmarks",
          async () => {
            // One package at a time: two would take the cores from each other.
            const args = [
              "test",
              "-p",
              "1",
              "-run",
              "^$",
              "-bench",
              wanted,
              "-timeout",
              "60m",
              "./...",
            ];
            record(figuresOf(await run("go", args, { kept: true })));
          },
        ],
      ]),
  ...Object.entries(browsed)
    .filter(([name]) => new RegExp(wanted).test(name))
    .map(([name, measure]) => [name, async () => record(rowsOf(name, await measure()))]),
]);

/** One row of the page for each row of a table that is measured in a browser. */
function rowsOf(name, table) {
  return Object.fromEntries(
    Object.entries(table).map(([what, figures]) => [
      `${name}: ${what}`,
      Object.entries(figures)
        .map(([figure, value]) => `${figure} ${value}`)
        .join(", "),
    ]),
  );
}

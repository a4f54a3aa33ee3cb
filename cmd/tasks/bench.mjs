// npm run bench: the measurements behind the figures in the documentation. Each prints
// its control beside it; "npm run bench NAME" runs the ones whose name matches, "npm run
// bench lighthouse" the public pages alone.
// The figures are written into schema/reference/measurements.md.
// Sizes are flags of the benchmarks, described beside them: BenchmarkRebuild takes 2 million events.
import { lighthouse } from "./lighthouse.mjs";
import { figuresOf, record } from "./measurements.mjs";
import { run, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const wanted = process.argv[2] ?? ".";

checkTools();
await installPackages();
await build();
await steps(
  [
    ["benchmarks", benchmarks, wanted !== "lighthouse"],
    [
      "lighthouse",
      async () => record(rowsOf(await lighthouse())),
      new RegExp(wanted).test("lighthouse"),
    ],
  ].filter(([, , asked]) => asked),
);

async function benchmarks() {
  // One package at a time: two would take the cores from each other.
  const args = ["test", "-p", "1", "-run", "^$", "-bench", wanted, "-timeout", "60m", "./..."];
  record(figuresOf(await run("go", args, { kept: true })));
}

/** One row of the page for each row of the table of Lighthouse. */
function rowsOf(table) {
  return Object.fromEntries(
    Object.entries(table).map(([what, figures]) => [
      `lighthouse: ${what}`,
      Object.entries(figures)
        .map(([figure, value]) => `${figure} ${value}`)
        .join(", "),
    ]),
  );
}

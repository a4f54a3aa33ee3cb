// npm run bench: the measurements behind the figures in the documentation. Each prints
// its control beside it; "npm run bench NAME" runs the ones whose name matches, "npm run
// bench lighthouse" the public pages alone.
// The figures are written into schema/reference/measurements.json, and the page beside it is made of them.
// Sizes are flags of the benchmarks, described beside them, behind the folder that has them:
// "npm run bench -- Growth ./cmd/bitacora/bench -growth.events 1000000".
import { lighthouse } from "./lighthouse.mjs";
import { figuresOf, record } from "./measurements.mjs";
import { run, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const [wanted = ".", folder = "./...", ...flags] = process.argv.slice(2);

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
  const args = ["test", "-p", "1", "-run", "^$", "-bench", wanted, "-timeout", "60m", folder];
  record(figuresOf(await run("go", [...args, ...flags], { kept: true })));
}

/** The figures of each row of the table of Lighthouse. */
function rowsOf(table) {
  return Object.fromEntries(
    Object.entries(table).map(([what, figures]) => [`lighthouse: ${what}`, figures]),
  );
}

// npm run test:times: runs the tests of the engine and prints the seconds of each package and of the
// slowest tests. Those in the browser print their own (npm run e2e).
import { run } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const slowest = 40;

checkTools();
await installPackages();
await build();
const flags = process.argv.slice(2);
const output = await run(
  "go",
  ["test", "-json", "-count=1", "-timeout", "80m", ...(flags.length ? flags : ["-short", "./..."])],
  { quiet: true },
);
const ended = output
  .split("\n")
  .filter((line) => line.startsWith("{"))
  .map((line) => JSON.parse(line))
  .filter(({ Action, Elapsed, Test }) => Action === "pass" && Elapsed > 0 && !Test?.includes("/"))
  .sort((a, b) => b.Elapsed - a.Elapsed);
for (const { Elapsed, Package, Test } of [
  ...ended.filter(({ Test }) => !Test),
  ...ended.filter(({ Test }) => Test).slice(0, slowest),
])
  console.log(`${Elapsed.toFixed(1).padStart(8)}  ${Package}${Test ? ` ${Test}` : ""}`);

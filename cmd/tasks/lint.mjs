// npm run lint: formatters and linters of both languages.
import { pathToFileURL } from "node:url";
import { run, runBin, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

/** The linter of Go that "npm test" runs. */
export const quickGo = [["gofmt", gofmt]];

/** Those of the webapp and of the tasks. */
export const quickWeb = [
  ["biome", () => runBin("biome", ["ci", "--error-on-warnings", "."])],
  ["tsc", () => runBin("tsc", ["--noEmit", "--project", "webapp"])],
];

/** They read the source of every dependency, so "npm run test:long" runs them. */
export const thorough = [
  ["go vet", () => run("go", ["vet", "./..."])],
  ["staticcheck", () => run("go", ["tool", "staticcheck", "./..."])],
];

async function gofmt() {
  const unformatted = await run(
    "gofmt",
    ["-l", "adapters", "cmd", "domain", "projections", "schema", "webapp/embed.go"],
    { quiet: true },
  );
  if (unformatted.trim()) throw new Error(`not formatted (gofmt -w):\n${unformatted}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkTools();
  await installPackages();
  await build();
  await steps([...quickGo, ...quickWeb, ...thorough]);
}

// npm run fuzz [count]: tries every fuzz target with so many new inputs. One that finds a fault is left
// in testdata/fuzz, where every run of the tests tries it again; npm test itself draws none, as it is
// to say the same each time.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root, run } from "./run.mjs";
import { build, checkTools, files, installPackages } from "./setup.mjs";

/** Every fuzz target with its folder. */
function targets() {
  return ["adapters", "cmd", "domain", "projections"]
    .flatMap((folder) => files(folder, /(?<!_test\.go)$/))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(/^func (Fuzz\w+)/gm)].map(
        ([, name]) => ({ name, folder: `./${path.dirname(file)}` }),
      ),
    );
}

checkTools();
await installPackages();
await build();
const count = process.argv[2] ?? 2000;
for (const { name, folder } of targets()) {
  const began = performance.now();
  const inputs = ["-fuzz", `^${name}$`, "-fuzztime", `${count}x`, "-fuzzminimizetime", "100x"];
  await run("go", ["test", "-run", "^$", ...inputs, folder], { quiet: true });
  console.log(`${folder} ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

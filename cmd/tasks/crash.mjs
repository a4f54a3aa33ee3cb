// npm run crash: kills every part of a busy clinic at random points: two programs, their
// engines, all at once, and the commands of an operator; 30 rounds or as many as the first
// argument says. The rest, every table and number and the restored backups, is compared with the log.
import { keepTemporaryFilesInMemory } from "./memory.mjs";
import { run, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

checkTools();
keepTemporaryFilesInMemory();
await installPackages();
await build();
const rounds = process.argv[2] ?? "30";
await steps([
  [
    `${rounds} crashes`,
    () =>
      run(
        "go",
        [
          "test",
          "-count=1",
          "-timeout",
          `${10 + 2 * rounds}m`,
          "-v",
          "-run",
          "TestCrash",
          "./cmd/bitacora/crash",
        ],
        { env: { BITACORA_CRASH_ROUNDS: rounds } },
      ),
  ],
]);

// Go's tests, shown as they end, with the names of those that failed as the last word: in the output
// of a whole suite they stand thousands of lines above it.
import { run } from "./run.mjs";

export const goTest = (...args) => test(["go"], args);

/** For tests that wait for seconds: they leave the processor to what runs beside them. */
export const niceGoTest = (...args) => test(["nice", "-n", "10", "go"], args);

async function test([command, ...before], args) {
  try {
    await run(command, [...before, "test", "-vet=off", ...args], { kept: true });
  } catch (error) {
    const failed = [...(error.output ?? "").matchAll(/^ *--- FAIL: (\S+)/gm)].map(
      ([, name]) => name,
    );
    if (failed.length === 0) throw error;
    throw new Error(`these failed: ${failed.join(", ")}`);
  }
}

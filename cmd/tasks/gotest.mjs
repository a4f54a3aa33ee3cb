// Go's tests, shown as they end, with the names of those that failed as the last word: in the output
// of a whole suite they stand thousands of lines above it.
import { run } from "./run.mjs";

export async function goTest(...args) {
  try {
    await run("go", ["test", "-vet=off", ...args], { kept: true });
  } catch (error) {
    const failed = [...(error.output ?? "").matchAll(/^ *--- FAIL: (\S+)/gm)].map(
      ([, name]) => name,
    );
    if (failed.length === 0) throw error;
    throw new Error(`these failed: ${failed.join(", ")}`);
  }
}

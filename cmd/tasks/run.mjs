// What every task needs: running a program with its output shown, and stopping with one sentence.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Ends the task with one sentence for the person at the keyboard. */
export function stop(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}

/** Runs a program in the project's root and waits for it; rejects unless it exits with 0. */
export function run(command, args, { env = {}, quiet = false, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: [
        input === undefined ? "ignore" : "pipe",
        quiet ? "pipe" : "inherit",
        quiet ? "pipe" : "inherit",
      ],
    });
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    if (input !== undefined) child.stdin.end(input);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          new Error(
            `${command} ${args.join(" ")} ended with ${signal ?? code}${output && `\n${output}`}`,
          ),
        );
    });
  });
}

/** Runs a program that npm installed, without asking npm for it. */
export function runBin(name, args, options) {
  return run(path.join(root, "node_modules/.bin", name), args, options);
}

/** Runs the named steps one after the other and says how long each took. */
export async function steps(list) {
  for (const [name, step] of list) {
    const began = performance.now();
    console.log(`\n── ${name}`);
    try {
      await step();
    } catch (error) {
      stop(`✗ ${name}: ${error.message}`);
    }
    console.log(`✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
}

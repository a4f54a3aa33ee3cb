// What every task needs: running a program with its output shown, stopping with one sentence, free ports.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Ends the task with one sentence for the person at the keyboard. */
export function stop(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}

/**
 * All steps compile in one way, so that each finds in Go's cache what another one has compiled. nodynamic: the
 * encoders of pictures are those that are linked, and no libraries of the machine.
 */
const compiling = {
  CGO_ENABLED: "0",
  GOFLAGS: [process.env.GOFLAGS, "-trimpath", "-tags=nodynamic"].filter(Boolean).join(" "),
};

/**
 * Runs a program in the project's root and waits for it; rejects unless it exits with 0. It gives
 * the output, or its error does, where that is not simply shown: quiet shows nothing of it, kept shows it as well.
 */
export function run(command, args, { env = {}, quiet = false, kept = false, input } = {}) {
  return new Promise((resolve, reject) => {
    const output = quiet || kept ? "pipe" : "inherit";
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...compiling, ...env },
      stdio: [input === undefined ? "ignore" : "pipe", output, output],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8"); // a letter may be cut in two
      stream?.on("data", (chunk) => {
        text += chunk;
        if (kept) process.stdout.write(chunk);
      });
    }
    if (input !== undefined) child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) {
        resolve(text);
        return;
      }
      const shown = quiet ? `\n${text}` : "";
      const error = new Error(`${command} ${args.join(" ")} ended with ${signal ?? code}${shown}`);
      reject(Object.assign(error, { output: text }));
    });
  });
}

/** Runs a program that npm installed, without asking npm for it. */
export function runBin(name, args, options) {
  return run(path.join(root, "node_modules/.bin", name), args, options);
}

/** Runs the named steps one after the other and says how long each took. */
export async function steps(list) {
  await lanes(list);
}

/** Runs lists of steps side by side. A step that fails ends its list; the task ends when all lists have. */
export async function lanes(...lists) {
  const failures = (await Promise.all(lists.map(failureOf))).filter(Boolean);
  if (failures.length > 0) stop(failures.join("\n"));
}

async function failureOf(list) {
  for (const [name, step] of list) {
    const began = performance.now();
    console.log(`\n── ${name}`);
    try {
      await step();
    } catch (error) {
      return `✗ ${name}: ${error.message}`;
    }
    console.log(`✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
  return "";
}

/** Ports that are free at the moment, each another. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((s) => new Promise((resolve) => s.on("listening", resolve))));
  const ports = servers.map((s) => s.address().port);
  await Promise.all(servers.map((s) => new Promise((resolve) => s.close(resolve))));
  return ports;
}

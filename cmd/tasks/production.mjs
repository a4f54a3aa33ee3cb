// npm run production: makes a release, and follows schema/PRODUCTION.md with it on an empty Debian, command by
// command, as root there would; after each chapter it is looked at from outside. An argument names a folder
// that keeps Debian's packages for the next time.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { blocks, script } from "./guide.mjs";
import { checkHost, makeRoot, withMachine } from "./machine.mjs";
import { looks, ready } from "./outside.mjs";
import { archive, checkSource, release } from "./release.mjs";
import { root, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const kept = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const folder = kept ?? mkdtempSync(path.join(tmpdir(), "bitacora-debian-"));

/** What is brought to the machine: the release, and the files of a clinic. */
const brought = {
  "/mnt/release": path.dirname(archive),
  "/mnt/clinic": path.join(root, "cmd/bitacora/testdata/foreign"),
};

/** The archive alone, in a folder of an ordinary user's and in one of root's. */
async function firstRun(machine, user, home) {
  await machine.run(`
    mkdir -p ${home}
    tar -xzf /mnt/release/bitacora-*-linux-amd64.tar.gz -C ${home}
    chown -R ${user} ${home}`);
  const [{ commands }] = blocks("schema/production/README.md");
  for (const line of commands.trim().split("\n")) {
    const serves = / serve$/.test(line);
    const command = `cd ${home}/bitacora-*-linux-amd64; runuser -u ${user} -- env ${line}`;
    if (!serves) await machine.run(command);
    else {
      const began = performance.now();
      await machine.run(`(${command}) > /tmp/serve.txt 2>&1 & echo $! > /tmp/serve.pid; ${ready}`);
      console.log(`  ${user}: ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
  }
  const used = await machine.run(`
    for pid in $(pgrep -x 'bitacora|postgres|chserver'); do
      awk '$6 ~ /^\\// { print $6 }' /proc/$pid/maps 2> /dev/null || true # one that has ended since
    done | sort -u`);
  const foreign = used
    .split("\n")
    .filter((file) => file.includes(".so") && !file.startsWith(home))
    // Started by root below /root, the engines' user runs a copy.
    .filter((file) => !file.includes("/native/lib/") && !ofTheSystem.test(file));
  assert.deepEqual(foreign, [], "only glibc and its C++ library are taken from the system");
  await machine.run(`
    pkill -TERM -x bitacora
    while pgrep -x 'bitacora|postgres|chserver'; do sleep 0.1; done
    rm -r ${home}/bitacora-*`);
}

const ofTheSystem =
  /\/(ld-linux-x86-64|libc|libdl|libgcc_s|libm|libpthread|librt|libstdc\+\+)\.so\.[\d.]+$/;

async function follow(machine) {
  for (const { heading, number, before, commands, after } of script) {
    if (number === 1) console.log(`\n# ${heading}`);
    await machine.run(before);
    console.log(`${commands}\n${await machine.run(commands)}`);
    await machine.run(after);
    await looks[`${heading} ${number}`]?.(machine);
  }
}

await checkHost();
checkSource();
checkTools();
await installPackages();
await build();
try {
  await steps([
    ...release,
    ["an empty Debian", () => makeRoot(folder)],
    [
      "the archive by itself, as an ordinary user and as root",
      () =>
        withMachine(folder, brought, async (machine) => {
          await machine.run("useradd --create-home visitor");
          await firstRun(machine, "visitor", "/home/visitor");
          await firstRun(machine, "root", "/root/first");
        }),
    ],
    ["schema/PRODUCTION.md", () => withMachine(folder, brought, follow)],
  ]);
} finally {
  if (!kept) rmSync(folder, { recursive: true });
}

// docker-compose.yml in a project of its own, with drawn secrets, that leaves nothing behind. What this machine
// lacks is made: Compose, where Docker comes without it, and stand-ins for images that cannot be had.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePorts, root, run, stop } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";
import { provide } from "./standins.mjs";

const project = "bitacora-trial";
const composeVersion = "v2.40.3";
const quiet = { quiet: true };
const silent = { stdio: "ignore" };

/**
 * Makes the project, with what its file asks for under these profiles, and sees that it is taken down
 * when the task ends.
 */
export async function containers(...profiles) {
  try {
    await run("docker", ["info"], quiet);
  } catch {
    stop(
      "npm run compose needs Docker, and its service running: https://docs.docker.com/engine/install/",
    );
  }
  checkTools();
  await installPackages();
  await build();
  const program = await composeProgram();
  const folder = mkdtempSync(path.join(tmpdir(), "bitacora-compose-"));
  const env = {
    SITE_PORT: String(await freePorts(1)),
    IMAGE_VERSION: versions[0],
    COMPOSE_PROFILES: profiles.join(),
    BITACORA_LOG_LEVEL: "warn",
    ...writeSecrets(folder),
  };
  const services = await servicesOf(program, env);
  await provide(images(services));
  const files = await configuration(services, folder);
  const inProject = (args) => [
    ...program.slice(1),
    "--project-name",
    project,
    // What an installation here has in .env is not this one's.
    "--env-file",
    "/dev/null",
    ...files.flatMap((file) => ["--file", file]),
    ...args,
  ];
  const compose = (args, options = {}) =>
    run(program[0], inProject(args), { ...quiet, ...options, env });
  process.once("SIGINT", () => process.exit(130));
  process.once("exit", () => {
    takeDown(
      program[0],
      inProject(["down", "--volumes", "--rmi", "local", "--timeout", "30"]),
      env,
    );
    spawnSync("docker", ["rmi", ...versions.map((version) => `bitacora:${version}`)], silent);
    rmSync(folder, { recursive: true });
  });
  /** Fails with what the programs printed beside the reason. */
  const check = async (holds, reason) => {
    if (!holds) throw new Error(`${reason}\n${await compose(["logs", "--tail", "20"])}`);
  };
  const up = (...args) =>
    compose(["up", "--detach", "--wait", ...args]).catch((error) => check(false, error.message));
  const limits = async () => check(...(await held(compose, services)));
  return { project, env, compose, check, up, limits, site: `http://127.0.0.1:${env.SITE_PORT}` };
}

/** Versions of the program's image, which a trial updates from the first to the second. */
export const versions = ["trial-1", "trial-2"];

/** What Docker itself says of the containers, since a key that it ignores looks like one that works. */
async function held(compose, services) {
  const ids = (await compose(["ps", "--quiet"])).split("\n").filter(Boolean);
  const containers = JSON.parse(await run("docker", ["inspect", ...ids], quiet));
  const wrong = [];
  for (const { Name, Config, HostConfig: host, NetworkSettings: net } of containers) {
    const asked = services[Config.Labels["com.docker.compose.service"]];
    const ports = Object.values(net.Ports ?? {}).flatMap((bound) => bound ?? []);
    const networks = Object.keys(asked.networks).map((name) => `${project}_${name}`);
    for (const [what, holds] of Object.entries({
      memory: host.Memory > 0 && host.Memory === Number(asked.mem_limit),
      processors: host.NanoCpus > 0 && host.NanoCpus === asked.cpus * 1e9,
      processes: host.PidsLimit > 0 && host.PidsLimit === asked.pids_limit,
      capabilities:
        host.CapDrop?.includes("ALL") &&
        (host.CapAdd ?? []).length === (asked.cap_add ?? []).length,
      "new privileges": host.SecurityOpt?.includes("no-new-privileges:true"),
      "root file system": host.ReadonlyRootfs === (asked.read_only ?? false),
      user: Config.User === (asked.user ?? ""),
      ports:
        ports.length === (asked.ports ?? []).length &&
        ports.every(({ HostIp }) => HostIp === "127.0.0.1"),
      networks: Object.keys(net.Networks).sort().join() === networks.sort().join(),
      secrets: !/%41|%20/.test(JSON.stringify(Config.Env)),
    })) {
      if (!holds) wrong.push(`${Name.slice(1)} is not held to: ${what}`);
    }
  }
  if (containers.length === 0) wrong.push("no container runs");
  return [wrong.length === 0, wrong.join("\n")];
}

/** Docker made the folder clinic, to mount it; it goes with the rest. */
const clinic = path.join(root, "clinic");
const hadClinic = existsSync(clinic);

function takeDown(program, args, env) {
  console.log("\n── take it down");
  const { status } = spawnSync(program, args, {
    ...silent,
    cwd: root,
    env: { ...process.env, ...env },
  });
  if (status !== 0) console.error(`${program} ${args.join(" ")} ended with ${status}`);
  if (!hadClinic && existsSync(clinic)) rmdirSync(clinic);
}

/** Compose as Docker has it, or built here. */
async function composeProgram() {
  const plugin = ["docker", "compose"];
  if (await run("docker", ["compose", "version"], quiet).catch(() => undefined)) return plugin;
  const folder = path.join(root, ".cache/compose");
  const built = path.join(folder, `docker-compose-${composeVersion}`);
  if (existsSync(built)) return [built];
  console.log(`Docker has no Compose here: building ${composeVersion} …`);
  mkdirSync(folder, { recursive: true });
  const source = "github.com/docker/compose/v2/cmd";
  const go = (command, ...args) => run("go", [command, "-C", folder, ...args], quiet);
  writeFileSync(path.join(folder, "go.mod"), "module compose\n");
  await go("get", `${source}@${composeVersion}`);
  await go("build", "-o", built, source);
  return [built];
}

/** Secrets with all that URLs, shells and Compose give a meaning to, as variables that name their files. */
function writeSecrets(folder) {
  const secrets = path.join(folder, "secrets");
  mkdirSync(secrets, { mode: 0o700 });
  const random = randomBytes(6).toString("hex");
  const names = {};
  for (const [name, value] of Object.entries({
    DATABASE_PASSWORD: `a@b:c/d#e%f %41 $HOME \${x} "q" 'p' \\ ${random}`,
    CLICKHOUSE_PASSWORD: `'g' "h" \\ $(i) %20 @:/?#&=+; <j> ]]> ${random}`,
    MASTER_KEY: randomBytes(32).toString("base64"),
  })) {
    const file = path.join(secrets, name.toLowerCase());
    writeFileSync(file, `${value}\n`);
    chmodSync(file, 0o444); // read by the containers' users; the folder keeps others out
    names[`BITACORA_${name}_FILE`] = file;
  }
  return names;
}

async function servicesOf(program, env) {
  const args = [...program.slice(1), "--env-file", "/dev/null", "config", "--format", "json"];
  return JSON.parse(await run(program[0], args, { ...quiet, env })).services;
}

/** What the containers are of, and what the program's own image is built of. */
function images(services) {
  const names = Object.values(services).flatMap(({ image, build }) =>
    build
      ? Array.from(build.dockerfile_inline.matchAll(/^FROM (\S+)/gm), ([, from]) => from)
      : [image],
  );
  return [...new Set(names)];
}

/** The files of the project, and one beside them with what this machine forbids. */
async function configuration(services, folder) {
  const files = process.env.COMPOSE_FILE?.split(path.delimiter) ?? ["docker-compose.yml"];
  const { image, ulimits } = services.clickhouse;
  const limit = `nofile=${ulimits.nofile}`;
  const trial = ["run", "--rm", "--entrypoint", "true", "--ulimit", limit, image];
  if (await run("docker", trial, quiet).catch(() => undefined)) return files;
  console.log("Docker may not raise limits here: the containers keep those of its service");
  const file = path.join(folder, "override.yml");
  const lines = Object.keys(services).map((name) => `  ${name}:\n    ulimits: !reset {}\n`);
  writeFileSync(file, `services:\n${lines.join("")}`);
  return [...files, file];
}

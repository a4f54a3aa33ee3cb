// npm run compose -- cluster: the profile cluster under load. Containers are killed and networks cut, the primary
// fails, and an update goes from process to process; no acknowledged message may be lost, and all numbers agree.
import { setTimeout as pause } from "node:timers/promises";
import { containers, versions } from "./containers.mjs";
import { run, steps } from "./run.mjs";
import { account, awaitCount, Visitors } from "./visitors.mjs";

const serving = ["serve-1", "serve-2", "serve-3"];
const projecting = ["project-1", "project-2"];

const trial = await containers("cluster");
const { project, env, compose, check } = trial;
const bitacora = (args, options) =>
  compose(["exec", "-T", "serve-1", "/bitacora", ...args], options);
const docker = (...args) => run("docker", args, { quiet: true });
const psql = (server, ...commands) =>
  compose([
    ...["exec", "-T", server, "psql", "--username=postgres", "--tuples-only", "--no-align"],
    ...commands.map((command) => `--command=${command}`),
  ]);
const start = (service) => trial.up("--no-deps", service);
const visitors = new Visitors(trial.site);

await steps([
  ["build the images", build],
  ["bring it up", () => trial.up("proxy")],
  ["held to its limits", trial.limits],
  ["chat, and count through every process", begin],
  ["kill what serves", () => each(serving, killed)],
  ["kill what projects", () => each(projecting, killed)],
  ["kill a replica", () => without("clickhouse-1-2", kill, start)],
  ["cut a replica off", () => without("clickhouse-2-1", cut, heal)],
  ["give a replica a new disk", newDisk],
  ["cut off what serves", () => without("serve-2", cut, heal)],
  ["cut off what projects", () => without("project-1", cut, heal)],
  ["kill the standby", () => each(["postgres-2"], killed)],
  ["lose the primary", failOver],
  ["make a standby of the lost one", rejoin],
  ["update one by one", () => update(versions[1])],
  ["go back one by one", () => update(versions[0])],
  ["verify", verify],
]);

/** Both of the update, so that no disk is busy with one while it is gone through. */
async function build() {
  for (const version of versions.toReversed()) {
    env.IMAGE_VERSION = version;
    await compose(["build", "bitacora"]);
  }
}

async function begin() {
  await bitacora(["staff", "add", account.username, "--password-stdin"], {
    input: account.password,
  });
  visitors.begin(4);
  await visitors.answered(20);
  await counted();
}

/** Waits until every process that serves counts all that was acknowledged, while nobody writes. */
async function counted() {
  const expected = await visitors.rest();
  for (const service of serving) {
    const site = `http://${await addressOf(service)}:8080`;
    const said = await awaitCount(site, expected);
    await check(!said, `${service} says ${said}, not ${JSON.stringify(expected)}`);
  }
  visitors.goOn();
  console.log(`  ${JSON.stringify(expected)}, ${visitors.again} asked again`);
}

async function addressOf(service) {
  const [container] = JSON.parse(await docker("inspect", `${project}-${service}-1`));
  return container.NetworkSettings.Networks[`${project}_site`].IPAddress;
}

async function each(services, action) {
  for (const service of services) await action(service);
  await counted();
}

async function killed(service) {
  await kill(service);
  await pause(2000);
  await start(service);
  await visitors.answered(8);
}

/** Something is away for longer than anybody waits for it, and visitors are answered. */
async function without(service, take, giveBack) {
  await take(service);
  await pause(10_000);
  await visitors.answered(20);
  await giveBack(service);
  await visitors.answered(4);
  await counted();
}

function kill(service) {
  return compose(["kill", service]);
}

function cut(service) {
  return docker("network", "disconnect", `${project}_databases`, `${project}-${service}-1`);
}

async function heal(service) {
  const container = `${project}-${service}-1`;
  await docker("network", "connect", "--alias", service, `${project}_databases`, container);
  let said = "";
  for (let tries = 0; tries < 240 && said !== "healthy"; tries++) {
    await pause(500);
    said = (await docker("inspect", "--format", "{{.State.Health.Status}}", container)).trim();
  }
  await check(said === "healthy", `${service} is ${said}`);
}

async function newDisk() {
  await lose("clickhouse-2-2");
  await start("clickhouse-2-2");
  await visitors.answered(8);
  await counted();
}

async function lose(service) {
  await compose(["rm", "--force", "--stop", service]);
  await docker("volume", "rm", `${project}_${service}`);
}

async function failOver() {
  await kill("postgres-1");
  await psql("postgres-2", "SELECT pg_promote()");
  await visitors.answered(20);
  await counted();
}

async function rejoin() {
  await lose("postgres-1");
  env.POSTGRES_1_COPY_OF = "postgres-2";
  await start("postgres-1");
  await psql(
    "postgres-2",
    "ALTER SYSTEM SET synchronous_standby_names = '*'",
    "SELECT pg_reload_conf()",
  );
  const state = "SELECT application_name || ' ' || sync_state FROM pg_stat_replication";
  let said = "";
  for (let tries = 0; tries < 60 && said !== "postgres-1 sync"; tries++) {
    said = (await psql("postgres-2", state)).trim();
    await pause(500);
  }
  await check(said === "postgres-1 sync", `the standby is ${said}`);
  await visitors.answered(8);
  await counted();
}

/** One process after the other, and no visitor has to ask again. */
async function update(version) {
  env.IMAGE_VERSION = version;
  const before = visitors.again;
  for (const service of [...projecting, ...serving]) {
    await start(service);
    const image = await docker(
      "inspect",
      "--format",
      "{{.Config.Image}}",
      `${project}-${service}-1`,
    );
    await check(image.trim() === `bitacora:${version}`, `${service} is of ${image}`);
    await visitors.answered(4);
  }
  const again = visitors.again - before;
  await check(again === 0, `${again} requests had to be made again: ${visitors.reason}`);
  await counted();
}

async function verify() {
  await visitors.rest();
  await bitacora(["verify"]);
  await bitacora(["log", "check"]);
}

// npm run compose: tries docker-compose.yml as an operator uses it: up, chat, count, back up, restart, update,
// restore. "npm run compose -- cluster" tries the profile of that name (composecluster.mjs).
// Where something is different on a machine, Compose's own COMPOSE_FILE names further files.
import { randomUUID } from "node:crypto";
import { containers, versions } from "./containers.mjs";
import { run, steps } from "./run.mjs";
import { account, awaitCount, say as sayTo } from "./visitors.mjs";

if (process.argv[2] === "cluster") {
  await import("./composecluster.mjs");
  process.exit(0);
}

const session = randomUUID();
const { project, env, compose, check, up, limits, site } = await containers();
const bitacora = (args, options) =>
  compose(["exec", "-T", "bitacora", "/bitacora", ...args], options);
const say = (message) =>
  sayTo(site, session, randomUUID(), message).catch((error) => check(false, error.message));

await steps([
  ["build the image", () => compose(["build"])],
  ["bring it up", () => up()],
  ["held to its limits", limits],
  ["chat", () => say("¿Cuánto cuesta una limpieza?")],
  ["count", count],
  ["back up", () => bitacora(["backup", "before-update"])],
  ["restart", restart],
  ["update", update],
  ["restore", restore],
]);

async function count() {
  await bitacora(["staff", "add", account.username, "--password-stdin"], {
    input: account.password,
  });
  await counted(1);
}

/** Waits until the dashboard counts so many messages, the replies with them, in the one conversation. */
async function counted(messages) {
  const said = await awaitCount(site, { conversations: 1, messages: 2 * messages });
  await check(!said, `the dashboard says ${said}, not ${messages} questions in a conversation`);
}

async function restart() {
  await compose(["restart"]);
  await up();
  await say("¿Atienden los sábados?");
  await counted(2);
}

async function update() {
  env.IMAGE_VERSION = versions[1];
  await compose(["build"]);
  await up();
  const id = (await compose(["ps", "--quiet", "bitacora"])).trim();
  const [{ Config }] = JSON.parse(await run("docker", ["inspect", id], { quiet: true }));
  const version = Config.Labels["org.opencontainers.image.version"];
  await check(version === env.IMAGE_VERSION, `version ${version} runs`);
  await bitacora(["verify"]);
  await counted(2);
}

/** Both databases are lost; the backup, made before the second question, and the keys are not. */
async function restore() {
  await compose(["down"]);
  await run("docker", ["volume", "rm", "--force", `${project}_postgres`, `${project}_clickhouse`], {
    quiet: true,
  });
  await up("postgres", "clickhouse");
  await compose(["run", "--rm", "-T", "bitacora", "restore", "before-update"]);
  await up();
  await bitacora(["log", "check"]);
  await counted(1);
}

// npm run compose: tries docker-compose.yml as an operator uses it, in a project of its own with
// drawn secrets, and takes it down: up, chat, count, back up, restart, update, restore.
// Where something is different on a machine, Compose's own COMPOSE_FILE names further files.
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
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root, run, steps, stop } from "./run.mjs";

const project = "bitacora-trial";
const account = { username: "ana@clinica.example", password: "una frase bastante larga" };
const session = "a-trial";

try {
  await run("docker", ["compose", "version"], { quiet: true });
  await run("docker", ["info"], { quiet: true });
} catch {
  stop(
    "npm run compose needs Docker with Compose, and its service running: https://docs.docker.com/engine/install/",
  );
}

const folder = mkdtempSync(path.join(tmpdir(), "bitacora-compose-"));
const secrets = path.join(folder, "secrets");
mkdirSync(secrets, { mode: 0o700 });
const env = { SITE_PORT: String(await freePort()), IMAGE_VERSION: "1" };
// Passwords with all that URLs, shells and Compose give a meaning to.
for (const [name, value] of [
  ["DATABASE_PASSWORD", `a@b:c/d#e%f %41 $HOME \${x} "q" 'p' \\ ${randomBytes(6).toString("hex")}`],
  [
    "CLICKHOUSE_PASSWORD",
    `'g' "h" \\ $(i) %20 @:/?#&=+; <j> ]]> ${randomBytes(6).toString("hex")}`,
  ],
  ["MASTER_KEY", randomBytes(32).toString("base64")],
]) {
  const file = path.join(secrets, name.toLowerCase());
  writeFileSync(file, `${value}\n`);
  chmodSync(file, 0o444); // read by the containers' users; the folder keeps others out
  env[`BITACORA_${name}_FILE`] = file;
}
const site = `http://127.0.0.1:${env.SITE_PORT}`;
const clinic = path.join(root, "clinic");
const hadClinic = existsSync(clinic);

// What an installation here has in .env is not this one's.
const inProject = (args) => [
  "compose",
  "--project-name",
  project,
  "--env-file",
  "/dev/null",
  ...args,
];
const compose = (args, options = {}) =>
  run("docker", inProject(args), { quiet: true, ...options, env });
const bitacora = (args, options) =>
  compose(["exec", "-T", "bitacora", "/bitacora", ...args], options);
const up = (...services) =>
  compose(["up", "--detach", "--wait", ...services]).catch((error) => check(false, error.message));

process.once("SIGINT", () => process.exit(130));
process.once("exit", () => {
  console.log("\n── take it down");
  const down = inProject(["down", "--volumes", "--rmi", "local", "--timeout", "30"]);
  const { status } = spawnSync("docker", down, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  if (status !== 0) console.error(`docker ${down.join(" ")} ended with ${status}`);
  rmSync(folder, { recursive: true });
  if (!hadClinic && existsSync(clinic)) rmdirSync(clinic); // Docker made it, to mount it
});

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

/** Fails with what the program printed beside the reason. */
async function check(holds, reason) {
  if (!holds) throw new Error(`${reason}\n${await compose(["logs", "--tail", "40", "bitacora"])}`);
}

/** What Docker itself says of the containers, since a key that it ignores looks like one that works. */
async function limits() {
  const ids = (await compose(["ps", "--quiet"])).split("\n").filter(Boolean);
  const containers = JSON.parse(await run("docker", ["inspect", ...ids], { quiet: true }));
  await check(containers.length === 3, `${containers.length} containers run`);
  for (const { Name, Config, HostConfig: host, NetworkSettings: net } of containers) {
    const program = Config.Labels["com.docker.compose.service"] === "bitacora";
    const ports = Object.values(net.Ports ?? {}).flatMap((bound) => bound ?? []);
    const networks = Object.keys(net.Networks).sort().join();
    for (const [what, holds] of [
      ["memory", host.Memory > 0],
      ["processors", host.NanoCpus > 0],
      ["processes", host.PidsLimit > 0],
      ["capabilities", host.CapDrop?.includes("ALL") && Boolean(host.CapAdd?.length) !== program],
      ["new privileges", host.SecurityOpt?.includes("no-new-privileges:true")],
      ["root file system", host.ReadonlyRootfs || Name.includes("clickhouse")],
      ["user", !program || Config.User === "nonroot"],
      ["ports", ports.length === (program ? 1 : 0) && ports.every((p) => p.HostIp === "127.0.0.1")],
      [
        "networks",
        networks === (program ? `${project}_databases,${project}_site` : `${project}_databases`),
      ],
      [
        "secrets",
        !JSON.stringify(Config.Env).includes("%41") && !JSON.stringify(Config.Env).includes("%20"),
      ],
    ]) {
      await check(holds, `${Name.slice(1)} is not held to: ${what}`);
    }
  }
}

async function say(message) {
  const answer = await fetch(`${site}/api/chatbot`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      sessionId: session,
      messageId: randomBytes(8).toString("hex"),
      message,
    }),
  });
  const text = await answer.text();
  await check(
    answer.status === 200 && JSON.parse(text).response,
    `the chat answered ${answer.status}: ${text}`,
  );
}

async function count() {
  await bitacora(["staff", "add", account.username, "--password-stdin"], {
    input: account.password,
  });
  await counted(1);
}

/** Waits until the dashboard counts so many messages, the replies with them, in the one conversation. */
async function counted(messages) {
  const login = await fetch(`${site}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  await check(login.status === 200, `the login answered ${login.status}`);
  const headers = { Cookie: login.headers.get("Set-Cookie").split(";")[0] };
  let said = "";
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(`${site}/api/dashboard/kpis`, { headers });
    said = await answer.text();
    if (answer.status === 200) {
      const { totalConversations, totalMessages } = JSON.parse(said);
      if (totalConversations === 1 && totalMessages === 2 * messages) return;
    }
    await pause(500);
  }
  await check(false, `the dashboard says ${said}, not ${messages} questions in a conversation`);
}

async function restart() {
  await compose(["restart"]);
  await up();
  await say("¿Atienden los sábados?");
  await counted(2);
}

async function update() {
  env.IMAGE_VERSION = "2";
  await compose(["build"]);
  await up();
  const id = (await compose(["ps", "--quiet", "bitacora"])).trim();
  const [{ Config }] = JSON.parse(await run("docker", ["inspect", id], { quiet: true }));
  const version = Config.Labels["org.opencontainers.image.version"];
  await check(version === "2", `version ${version} runs`);
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

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

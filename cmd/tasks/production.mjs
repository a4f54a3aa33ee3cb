// npm run production: makes a release, and follows schema/PRODUCTION.md with it on an empty Debian, command by
// command, as root there would; each chapter is then looked at from outside. An argument names a folder
// that keeps Debian's packages for the next time.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkHost, makeRoot, withMachine } from "./machine.mjs";
import { archive, checkSource, release } from "./release.mjs";
import { root, steps } from "./run.mjs";
import { build, checkTools, installPackages } from "./setup.mjs";

const kept = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const folder = kept ?? mkdtempSync(path.join(tmpdir(), "bitacora-debian-"));
const site = "https://clinica.example";

/** The chapters of a page that have framed blocks, with these. */
function chapters(file) {
  const page = readFileSync(path.join(root, file), "utf8");
  const list = [];
  for (const { groups } of page.matchAll(
    /^#+ (?<heading>.*)$|^```sh\n(?<script>[\s\S]*?)^```$/gm,
  )) {
    if (groups.heading) list.push({ heading: groups.heading, scripts: [] });
    else list.at(-1).scripts.push(groups.script);
  }
  return list.filter(({ scripts }) => scripts.length > 0);
}

/** What the world has ready before a chapter: a name that leads here, and certificates that browsers know. */
const before = {
  Install: `
    systemctl disable --quiet --now nginx caddy prometheus
    ! command -v node npm go
    for address in 127.0.0.1 ::1; do
      echo "$address localhost clinica.example www.clinica.example"
    done > /etc/hosts`,
  "With Caddy": `
    sed -i '0,/^{$/s//{\\n\\tlocal_certs/' /opt/bitacora/schema/production/Caddyfile`,
  "With nginx": `
    systemctl disable --quiet --now caddy
    mkdir -p /etc/letsencrypt/live/clinica.example
    cd /etc/letsencrypt/live/clinica.example
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=clinica.example \\
      -addext subjectAltName=DNS:clinica.example,DNS:www.clinica.example -keyout privkey.pem -out fullchain.pem
    cp fullchain.pem /usr/local/share/ca-certificates/clinica.crt
    update-ca-certificates`,
};

/** What is to be seen after a chapter. */
const after = {
  Run: checkUnit,
  "With Caddy": async (machine) => {
    await machine.run(`
      cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /usr/local/share/ca-certificates/caddy.crt
      update-ca-certificates`);
    await checkProxy(machine, 1);
  },
  "With nginx": (machine) => checkProxy(machine, 2),
  Alerts: checkAlerts,
  "Update, and go back": checkUpdate,
  Logs: checkLogs,
};

const ready =
  "curl --silent --retry 60 --retry-delay 1 --retry-all-errors --fail --output /dev/null http://127.0.0.1:8080/readyz";

/** The archive alone, in a folder of an ordinary user's and in one of root's. */
async function firstRun(machine, user, home) {
  await machine.run(`
    mkdir -p ${home}
    tar -xzf bitacora-*-linux-amd64.tar.gz -C ${home}
    chown -R ${user} ${home}`);
  const [{ scripts }] = chapters("schema/production/README.md");
  for (const line of scripts[0].trim().split("\n")) {
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

async function checkUnit(machine) {
  const rights = await machine.run(
    "systemd-analyze security --no-pager --threshold=20 bitacora | tail -n 1",
  );
  console.log(`  ${rights.trim()}`);
  const users = await machine.run("ps -o user= -C bitacora,postgres,chserver | sort -u");
  assert.equal(users.trim(), "bitacora", "the engines run as the service's user");
  const log = await machine.run("journalctl -u bitacora -p warning --output=cat");
  assert.equal(log, "", "a start in order warns of nothing");
  await machine.run(`
    kill -KILL $(systemctl show --property=MainPID --value bitacora)
    sleep 3
    ${ready}
    test "$(systemctl show --property=NRestarts --value bitacora)" = 1
    BITACORA_ADDR=nowhere runuser -u bitacora -- bitacora serve && exit 1 || test $? = 2`);
}

/** Visitors come from addresses of their own, of the loopback network. */
async function checkProxy(machine, network) {
  const curl = (address, rest) =>
    machine.run(
      `curl --silent --show-error --max-time 60 --interface 127.0.${network}.${address} ${rest}`,
    );
  const status = (address, rest) =>
    curl(address, `--output /dev/null --write-out '%{http_code}' ${rest}`);
  const head = async (rest) =>
    (await curl(9, `--dump-header - --output /dev/null ${rest}`)).toLowerCase();
  const moved = (rest) => curl(9, `--output /dev/null --write-out '%{redirect_url}' ${rest}`);

  assert.equal(await moved("'http://clinica.example/services?a=b'"), `${site}/services?a=b`);
  assert.equal(await moved("'https://www.clinica.example/services?a=b'"), `${site}/services?a=b`);
  assert.match(await curl(9, `${site}/`), /<h1/);

  const strict = await head(`--header 'X-Forwarded-Proto: http' ${site}/`);
  assert.equal(strict.match(/^strict-transport-security: max-age=\d+/gm)?.length, 1, strict);

  const packed = await head(`--header 'Accept-Encoding: gzip' ${site}/`);
  assert.deepEqual(packed.match(/^content-encoding: .*$/gm), ["content-encoding: gzip"], packed);
  assert.match(
    await curl(9, `--header 'Accept-Encoding: gzip' ${site}/ | gunzip`),
    /^<!doctype html>/i,
  );

  const json = "--header 'Content-Type: application/json'";
  // Asked first, a proxy refuses before anything is sent, and cuts nothing off.
  const asking = "--http1.1 --header 'Expect: 100-continue'";
  for (const size of [70_000, 200_000]) {
    await machine.run(`
      long=$(head -c ${size} /dev/zero | tr '\\0' x)
      echo '{"sessionId":"long","message":"'"$long"'"}' > /tmp/large`);
    const answer = await status(9, `${asking} ${json} --data @/tmp/large ${site}/api/chatbot`);
    assert.equal(answer, "413", `a body of ${size} bytes`);
  }
  assert.equal(await status(9, `${site}/metrics`), "404");

  await checkAddresses(status, network, json);
  await checkStream(machine, curl);
}

/** Whoever begins more conversations than one address may is refused, whatever they say that they are. */
async function checkAddresses(status, network, json) {
  const begin = (address, conversation, header = "") =>
    status(
      address,
      `${json} ${header} --data '{"sessionId":"${network}-${conversation}","message":"Hola"}' ${site}/api/chatbot`,
    );
  const forged = [];
  for (let n = 1; n <= 21; n++)
    forged.push(await begin(10, `forged-${n}`, `--header 'X-Forwarded-For: 203.0.113.${n}'`));
  assert.deepEqual(forged, [...Array(20).fill("200"), "503"], "a forged address is not believed");
  assert.equal(await begin(11, "other"), "200", "another visitor has a budget of their own");
}

/** An event that is kept back until the stream ends would not come: this stream does not. */
async function checkStream(machine, curl) {
  const secret = (await machine.run("cat /root/first-password")).trim();
  const login = JSON.stringify({ username: "ana@clinicadelistmo.com", password: secret });
  const said = await curl(
    9,
    `--cookie-jar /tmp/cookies --header 'Content-Type: application/json' --data '${login}' --dump-header - --output /dev/null ${site}/api/auth/login`,
  );
  assert.match(said, /^set-cookie: .*; Secure/im);
  const event = await machine.run(`
    exec 3< <(curl --silent --max-time 60 --cookie /tmp/cookies --no-buffer ${site}/api/dashboard/live)
    read -r name <&3
    read -r data <&3
    kill $!
    echo "$name $data"`);
  assert.match(event, /^event: data data: /);
}

async function checkAlerts(machine) {
  const ask = (query) =>
    `curl --silent --get --data-urlencode 'query=${query}' http://127.0.0.1:9090/api/v1/query`;
  await machine.run(`
    for try in $(seq 60); do
      ${ask('up{job="bitacora"} == 1')} | grep -q '"job":"bitacora"' && break
      sleep 1
    done
    ${ask('up{job="bitacora"} == 1 and on (instance) bitacora_version_info')} | grep -q '"job":"bitacora"'
    curl --silent http://127.0.0.1:9090/api/v1/rules | grep -q BitacoraDown`);
}

/** A second release is the first one in another folder: what is looked at is the way there and back. */
async function checkUpdate(machine) {
  const old = (await machine.run("readlink -f /opt/bitacora")).trim();
  await machine.run(`cp -r ${old} /opt/bitacora-next`);
  for (const release of ["/opt/bitacora-next", old])
    await machine.run(`
      ln -sfn ${release} /opt/bitacora
      systemctl restart bitacora
      ${ready}
      test "$(readlink /proc/$(systemctl show --property=MainPID --value bitacora)/exe)" = ${release}/bin/bitacora
      runuser -u bitacora -- bitacora log check`);
}

async function checkLogs(machine) {
  const lines = (await machine.run("journalctl -u bitacora --output=json _COMM=bitacora"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = lines.filter(({ MESSAGE }) => /^(INFO|WARN|ERROR) /.test(MESSAGE));
  assert.ok(told.length > 3, "the program tells of its starts");
  const priorities = { INFO: "6", WARN: "4", ERROR: "3" };
  for (const { MESSAGE, PRIORITY } of told)
    assert.equal(PRIORITY, priorities[MESSAGE.split(" ")[0]], MESSAGE);
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
        withMachine(folder, path.dirname(archive), async (machine) => {
          await machine.run("useradd --create-home visitor");
          await firstRun(machine, "visitor", "/home/visitor");
          await firstRun(machine, "root", "/root/first");
        }),
    ],
    [
      "schema/PRODUCTION.md",
      () =>
        withMachine(folder, path.dirname(archive), async (machine) => {
          for (const { heading, scripts } of chapters("schema/PRODUCTION.md")) {
            console.log(`\n# ${heading}`);
            await machine.run(before[heading] ?? "");
            for (const script of scripts) console.log(`${script}\n${await machine.run(script)}`);
            await after[heading]?.(machine);
          }
        }),
    ],
  ]);
} finally {
  if (!kept) rmSync(folder, { recursive: true });
}

// What is to be seen of the machine from outside after a block of schema/PRODUCTION.md.
import assert from "node:assert/strict";
import { checkNothingLeft, checkRestored, leaveName, login, site } from "./published.mjs";

export const ready =
  "curl --silent --retry 60 --retry-delay 1 --retry-all-errors --fail --output /dev/null http://127.0.0.1:8080/readyz";

/** The looks, by the block's heading and number. */
export const looks = {
  "Run 1": checkUnit,
  "With Caddy 1": (machine) => checkProxy(machine, 1),
  "With nginx 1": (machine) => checkProxy(machine, 2),
  "Alerts 1": checkAlerts,
  "Restore 1": checkRestored,
  "Restore 2": checkNothingLeft,
  "Update, and go back 2": (machine) => checkRelease(machine, "/opt/bitacora-NEW-linux-amd64"),
  "Update, and go back 3": (machine) => checkRelease(machine, "/opt/bitacora-[0-9]*-linux-amd64"),
  "Logs 1": checkLogs,
};

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
    BITACORA_ADDR=nowhere bitacora serve && exit 1 || test $? = 2`);
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

  await leaveName(machine, `127.0.${network}.12`);
  await checkAddresses(status, network, json);
  await checkStream(machine, curl);
}

/** How many conversations one address may begin in an hour. */
const conversations = 60;

/** Whoever begins more conversations than one address may is refused, whatever they say that they are. */
async function checkAddresses(status, network, json) {
  const begin = (address, conversation, header = "") =>
    status(
      address,
      `${json} ${header} --data '{"sessionId":"${network}-${conversation}","message":"Hola"}' ${site}/api/chatbot`,
    );
  const forged = [];
  for (let n = 1; n <= conversations + 1; n++)
    forged.push(await begin(10, `forged-${n}`, `--header 'X-Forwarded-For: 203.0.113.${n}'`));
  assert.deepEqual(
    forged,
    [...Array(conversations).fill("200"), "503"],
    "a forged address is not believed",
  );
  assert.equal(await begin(11, "other"), "200", "another visitor has a budget of their own");
}

/** An event that is kept back until the stream ends would not come: this stream does not. */
async function checkStream(machine, curl) {
  const said = await curl(
    9,
    `--cookie-jar /tmp/cookies ${await login(machine)} ${site}/api/auth/login`,
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

async function checkRelease(machine, folder) {
  await machine.run(`
    case $(readlink /proc/$(systemctl show --property=MainPID --value bitacora)/exe) in
      ${folder}/bin/bitacora) ;;
      *) exit 1 ;;
    esac`);
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

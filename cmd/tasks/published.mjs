// What the machine of schema/PRODUCTION.md publishes: the clinic of cmd/bitacora/testdata/foreign, as it
// was brought there, by TLS, and out of a restored backup the same.
import assert from "node:assert/strict";

export const site = "https://clinica.example";

/** The restored clinic, asked as a proxy in front of it would. */
const restored = "http://127.0.0.1:8081";
const asProxy =
  "--header 'Host: clinica.example' --header 'X-Forwarded-Proto: https' --header 'X-Forwarded-For: 127.0.3.9'";

/** What the program tells where a clinic does not tell it. */
const builtIn = /Regency|Vía España|Panamá|\+507|Odontología láser/i;

const curl = (machine, address) =>
  machine.run(`curl --silent --show-error --fail --max-time 60 ${address}`);

/** A page. One that a busy machine has served without its content comes with it later. */
async function pageOf(machine, address) {
  for (let tries = 0; ; tries++) {
    const page = await curl(machine, address);
    if (page.includes("<h1") || tries === 20) return page;
    await machine.run("sleep 3");
  }
}

/** Every page of the sitemap, by its path. */
async function pagesOf(machine, origin, rest = "") {
  const map = await curl(machine, `${rest} ${origin}/sitemap.xml`);
  const pages = new Map();
  for (const [, at] of map.matchAll(/<loc>https:\/\/clinica\.example([^<]*)<\/loc>/g))
    pages.set(at, await pageOf(machine, `${rest} ${origin}${at}`));
  return pages;
}

/** A visitor who wants an appointment, and says who they are. */
export async function leaveName(machine, address) {
  for (const message of ["Quiero una cita", "sí", visitor, "+57 300 555 0142"])
    await curl(
      machine,
      `--interface ${address} --header 'Content-Type: application/json' --output /dev/null \
      --data '${JSON.stringify({ sessionId: `lead ${address}`, message })}' ${site}/api/chatbot`,
    );
}

const visitor = "Marta Ríos";

/** Arguments with which curl signs in. */
export async function login(machine) {
  const password = (await machine.run("cat /root/first-password")).trim();
  const account = JSON.stringify({ username: "ana@sierranevada.test", password });
  return `--header 'Content-Type: application/json' --data '${account}' --dump-header - --output /dev/null`;
}

/** What the dashboard says: the numbers, the conversations, and those in full in which somebody left a name. */
async function dashboard(machine, origin, rest = "") {
  const said = await curl(machine, `${rest} ${await login(machine)} ${origin}/api/auth/login`);
  const cookies = [...said.matchAll(/^set-cookie: ([^;]+)/gim)].map(([, cookie]) => cookie);
  const ask = async (call) =>
    JSON.parse(
      await curl(
        machine,
        `${rest} --header 'Cookie: ${cookies.join("; ")}' '${origin}/api/dashboard/${call}'`,
      ),
    );
  const { dataThrough, ...kpis } = await ask("kpis");
  const conversations = await ask("conversations?limit=100");
  const leads = [];
  for (const { id, leadGenerated } of conversations)
    if (leadGenerated) leads.push(await ask(`conversation/${id}/messages`));
  return { kpis, conversations, leads };
}

/** A page without the moment at which it was asked for. */
const still = (page) => page.replace(/"now":"[^"]*"/, "");

/** A page is long: where it differs says more than all of it. */
function assertSame(what, is, should) {
  let at = 0;
  while (at < is.length && is[at] === should[at]) at++;
  const around = (page) => page.slice(Math.max(0, at - 100), at + 200);
  assert.ok(is === should, `${what} has …${around(is)}… and not …${around(should)}…`);
}

/** The restored clinic shows the same pages, pictures and numbers. */
export async function checkRestored(machine) {
  const now = await pagesOf(machine, site);
  const then = await pagesOf(machine, restored, asProxy);
  assert.deepEqual([...then.keys()], [...now.keys()]);
  for (const [at, page] of now) {
    assert.doesNotMatch(page, builtIn, `${at} tells another clinic's`);
    assertSame(`${at} out of the backup`, still(then.get(at)), still(page));
  }
  const files = [
    ...new Set([...now.values()].join("\n").match(/\/images\/[0-9a-f]{32}-\d+\.\w+/g)),
  ];
  const sums = (origin) =>
    machine.run(`
      for file in ${files.join(" ")}; do
        curl --silent --show-error --fail ${origin}$file | sha256sum
      done`);
  assert.equal(await sums(`${asProxy} ${restored}`), await sums(site), "pictures of the backup");
  const dashboardNow = await dashboard(machine, site);
  assert.deepEqual(await dashboard(machine, restored, asProxy), dashboardNow);
  const { kpis, leads } = dashboardNow;
  assert.ok(kpis.totalConversations > 40 && kpis.totalLeads === 2, JSON.stringify(kpis));
  assert.ok(leads.every((lead) => JSON.stringify(lead).includes(visitor)));
  console.log(`  ${now.size} pages, ${files.length} files of pictures; ${JSON.stringify(kpis)}`);
}

export async function checkNothingLeft(machine) {
  await machine.run(`
    ! systemctl is-active --quiet bitacora-restored
    ! curl --silent ${restored}/healthz
    ! test -e /srv/restored
    curl --silent --fail --output /dev/null ${site}/`);
}

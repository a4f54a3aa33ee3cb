import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import facts from "../e2e/clinic.json";

const root = resolve(import.meta.dirname, "..");
const sources = [
  "index.html",
  ...readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(tsx?|json|css)$/.test(file) && !/\.(test|gen)\.ts$/.test(file))
    .map((file) => `src/${file}`),
];

function host(address: string): string {
  return new URL(address).hostname.replace(/^[^.]+\./, "");
}

const { address, links, phones } = facts;
/** What the server sends about the clinic, as a source would spell it. */
const clinicFacts = [
  facts.name,
  facts.tagline,
  facts.email,
  address.street,
  address.building,
  address.city,
  ...phones.flatMap(({ label, href }) => [label, href]),
  ...Object.values(links).map(host),
];
const zone =
  /\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[A-Z]\w+/;

/** Numbers are only looked for in texts: pictures are full of them. */
const emergency = new RegExp(`\\b${facts.emergency}\\b`);

/** Where the people live who speak well of the clinic. */
const patients = "src/content/pages/service-diseno-sonrisa.json";

it("no source names a zone, or a fact of the clinic that the server sends", () => {
  expect(sources.length).toBeGreaterThan(150);
  const named = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = clinicFacts.filter((fact) => text.includes(fact));
    const called = file.startsWith("src/content/") && emergency.exec(text);
    return [...found, ...(zone.exec(text) ?? []), ...(called || [])]
      .filter((fact) => !(file === patients && fact === address.city))
      .map((fact) => `${file}: ${fact}`);
  });
  expect(named).toEqual([]);
});

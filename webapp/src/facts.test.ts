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

const { address, phones } = facts;
/** What the server sends about the clinic, as a source would spell it. */
const clinicFacts = [
  facts.name,
  facts.tagline,
  facts.email.slice(facts.email.indexOf("@") + 1),
  facts.locale,
  facts.locale.replace("-", "_"),
  facts.privacyLaw,
  address.street,
  address.building,
  address.city,
  ...phones.flatMap(({ label, href }) => [label, href]),
];
const zone =
  /\b(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/[A-Z]\w+/;

/** Numbers are only looked for in texts: pictures are full of them. */
const numbers = new RegExp(
  `\\b(?:${facts.emergency}|${facts.founded}|${facts.experience}(?:\\+| años))\\b`,
);
/** A country is named where the clinic says whom it serves, as patients name where they live. */
const country = new RegExp(`\\b${facts.country.name}`);

it("no source names a zone, or a fact of the clinic that the server sends", () => {
  expect(sources.length).toBeGreaterThan(150);
  const named = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = clinicFacts.filter((fact) => text.includes(fact));
    const texts = file.startsWith("src/content/");
    const said = texts && (numbers.exec(text) ?? country.exec(text));
    return [...found, ...(zone.exec(text) ?? []), ...(said || [])].map(
      (fact) => `${file}: ${fact}`,
    );
  });
  expect(named).toEqual([]);
});

/** The pages as documents: their HTML is valid, and what they name is there. */
import type { APIRequestContext } from "@playwright/test";
import { type ConfigData, HtmlValidate } from "html-validate";
import staffPages from "../src/content/staff-pages.json" with { type: "json" };
import { expect, test } from "./test";

const rules: ConfigData = {
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // How React writes a document.
    "attr-quotes": "off",
    "attribute-boolean-style": "off",
    "doctype-style": "off",
    "void-style": "off",
    "no-trailing-whitespace": "off",
    // The length of a title or a text is the clinic's affair.
    "long-title": "off",
    // A telephone number stands in a line of its own.
    "tel-non-breaking": "off",
    "aria-label-misuse": ["error", { allowAnyNamable: true }],
    // The menu of wide and that of small screens have one name; only one of them is shown.
    "unique-landmark": "off",
  },
};

/** The addresses of all public pages, as search engines are told. */
async function sitePages(request: APIRequestContext): Promise<string[]> {
  const map = await (await request.get("/sitemap.xml")).text();
  return [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => {
    return new URL(`${address}`).pathname;
  });
}

test("every page is valid HTML", async ({ request }) => {
  const validator = new HtmlValidate(rules);
  const pages = [
    ...(await sitePages(request)),
    ...Object.keys(staffPages).filter((path) => path.startsWith("/")),
    "/no/existe",
  ];
  expect(pages.length).toBeGreaterThan(15);
  const found: string[] = [];
  for (const page of pages) {
    const report = await validator.validateString(await (await request.get(page)).text(), page);
    for (const { messages } of report.results) {
      found.push(...messages.map(({ ruleId, message }) => `${page}: ${ruleId}: ${message}`));
    }
  }
  expect(found).toEqual([]);
});

test("every link and every file that a page names is there", async ({ request, baseURL }) => {
  const origin = new URL(`${baseURL}`).origin;
  const named = new Map<string, string>();
  for (const page of await sitePages(request)) {
    const text = await (await request.get(page)).text();
    const attributes = text.matchAll(
      /\s(?:(?:href|src)="([^"]+)"|content="((?:https?:\/)?\/[^"]*)")/g,
    );
    const sets = text.matchAll(/\ssrcset="([^"]*)"/gi);
    const addresses = [
      ...[...attributes].map(([, address, content]) => `${address ?? content}`),
      ...[...sets].flatMap(([, set]) => `${set}`.split(",").map((one) => one.trim().split(" ")[0])),
    ];
    for (const address of addresses) {
      const url = new URL(`${address}`.replaceAll("&amp;", "&"), `${origin}${page}`);
      if (url.origin === origin) named.set(url.href, page);
    }
  }
  expect(named.size).toBeGreaterThan(60);
  const documents = new Map<string, string>();
  const missing: string[] = [];
  for (const [address, page] of named) {
    const [path = "", anchor] = address.split("#");
    if (!documents.has(path)) {
      const response = await request.get(path);
      documents.set(path, response.ok() ? await response.text() : "");
      if (!response.ok()) missing.push(`${page}: ${path} ${response.status()}`);
    }
    if (anchor && !documents.get(path)?.includes(`id="${anchor}"`))
      missing.push(`${page}: ${address}`);
  }
  expect(missing).toEqual([]);
});

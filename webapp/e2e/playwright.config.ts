import { defineConfig, devices } from "@playwright/test";

/**
 * Without BASE_URL the built site is served on its own, and every answer of
 * the server is made up by the tests. With BASE_URL and the login of a staff
 * member, the tests in real.spec.ts, rendered.spec.ts, hostile.spec.ts,
 * codes.spec.ts, teaching.spec.ts, outage.spec.ts and documents.spec.ts run against a real server as well; with
 * E2E_FOREIGN_URL foreign.spec.ts and documents.spec.ts against that of another clinic.
 */
const previewPort = process.env.E2E_PREVIEW_PORT ?? "41733";
const baseURL = process.env.BASE_URL ?? `http://127.0.0.1:${previewPort}`;

const desktop = { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 900 } };
const phone = {
  ...devices["Desktop Chrome"],
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

const real = "real.spec.ts";
const rendered = "rendered.spec.ts";
const hostile = "hostile.spec.ts";
const codes = "codes.spec.ts";
const teaching = "teaching.spec.ts";
const documents = "documents.spec.ts";
const outage = "outage.spec.ts";
const everywhere = "everywhere.spec.ts";
const print = "print.spec.ts";
const everyScript = "everyScript.spec.ts";
const foreign = "foreign.spec.ts";
const pictures = "pictures.spec.ts";
const everyPage = [
  documents,
  outage,
  "degraded.spec.ts",
  "period.spec.ts",
  "reader.spec.ts",
  "shift.spec.ts",
  "staffAccessibility.spec.ts",
];

// Visitors' specs run on a phone, the staff's on a desk. A visitors' test of which an assertion depends on
// the window has the tag, and runs on both; everywhere.spec.ts goes through all pages in all windows.
const inBothWindows = /@both/;
const ofVisitors = [
  "about",
  "blog",
  "booking",
  "chat",
  "chatAvailability",
  "chatOpening",
  "chatPhone",
  "contact",
  "home",
  "keyboard",
  "privacy",
  "services",
  "site",
  "slow",
  "tabs",
  "toast",
].map((name) => `${name}.spec.ts`);

/** The projects that go through every page and state, which "npm run test:long" runs. */
const exhaustive = ["320", "1280, every page", "390, every page", "paper", "scripts", "foreign"];
const part = process.env.E2E_PART ?? "";
const hasRealServer = Boolean(process.env.BASE_URL && process.env.E2E_STAFF_EMAIL);

const projects = [
  // One test of minutes: the first, so that the others run beside it.
  { name: "scripts", use: desktop, testMatch: everyScript },
  {
    name: "1280",
    use: desktop,
    testIgnore: [
      everywhere,
      print,
      everyScript,
      foreign,
      pictures,
      ...everyPage,
      ...ofVisitors,
      ...(hasRealServer ? [] : [real, rendered, hostile, codes, teaching]),
    ],
  },
  { name: "1280, visitors", use: desktop, testMatch: ofVisitors, grep: inBothWindows },
  { name: "390", use: phone, testMatch: ofVisitors },
  {
    name: "320",
    use: { ...phone, viewport: { width: 320, height: 640 } },
    testMatch: everywhere,
  },
  {
    name: "1280, every page",
    use: desktop,
    testMatch: everyPage,
    testIgnore: hasRealServer ? [] : [outage],
  },
  { name: "390, every page", use: phone, testMatch: pictures },
  { name: "paper", use: desktop, testMatch: print },
  ...(process.env.E2E_FOREIGN_URL
    ? [
        {
          name: "foreign",
          use: {
            ...phone,
            viewport: { width: 320, height: 640 },
            baseURL: process.env.E2E_FOREIGN_URL,
          },
          testMatch: [foreign, documents],
        },
      ]
    : []),
];

export default defineConfig({
  testDir: ".",
  outputDir: ".results",
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  timeout: 240_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL,
    locale: "es-PA",
    // Neither the clinic's nor the server's: most of what happens falls on another day there.
    timezoneId: "Pacific/Auckland",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.BITACORA_CHROMIUM ?? "/usr/bin/chromium",
      // Drawing in software costs a third less than imitating a GPU to draw with.
      args: ["--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    },
  },
  projects: projects.filter(
    ({ name }) => part === "" || (part === "long") === exhaustive.includes(name),
  ),
  ...(!process.env.BASE_URL && {
    webServer: {
      command: `npx vite preview --config ../vite.config.ts --port ${previewPort} --strictPort`,
      url: baseURL,
    },
  }),
});

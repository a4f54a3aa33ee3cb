import { defineConfig, devices } from "@playwright/test";

/**
 * Without BASE_URL the built site is served on its own, and every answer of
 * the server is made up by the tests. With BASE_URL and the login of a staff
 * member, the tests in real.spec.ts, rendered.spec.ts, hostile.spec.ts,
 * codes.spec.ts, teaching.spec.ts and documents.spec.ts run against a real server as well; with
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

const zones = ["UTC", "America/New_York", "America/Panama"] as const;
const real = "real.spec.ts";
const rendered = "rendered.spec.ts";
const hostile = "hostile.spec.ts";
const codes = "codes.spec.ts";
const teaching = "teaching.spec.ts";
const documents = "documents.spec.ts";
const period = "period.spec.ts";
const everywhere = "everywhere.spec.ts";
const foreign = "foreign.spec.ts";

// Visitors' specs run on a phone, the staff's on a desk. Only a spec of which an assertion depends on
// the width runs in both windows; everywhere.spec.ts goes through all pages at 320 px.
const ofEitherWidth = [
  "blog",
  "chat",
  "chatOpening",
  "home",
  "keyboard",
  "pictures",
  "site",
  "slow",
  "toast",
];
const ofVisitors = [
  "about",
  "booking",
  "chatAvailability",
  "contact",
  "privacy",
  "services",
  "tabs",
];
const specs = (names: string[]) => names.map((name) => `${name}.spec.ts`);
const hasRealServer = Boolean(process.env.BASE_URL && process.env.E2E_STAFF_EMAIL);

export default defineConfig({
  testDir: ".",
  outputDir: ".results",
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL,
    locale: "es-PA",
    timezoneId: "UTC",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.BITACORA_CHROMIUM ?? "/usr/bin/chromium",
      // Drawing in software costs a third less than imitating a GPU to draw with.
      args: ["--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    },
  },
  projects: [
    {
      name: "1280",
      use: desktop,
      testIgnore: [
        real,
        everywhere,
        foreign,
        ...specs(ofVisitors),
        ...(hasRealServer ? [] : [rendered, hostile, codes, teaching]),
      ],
    },
    {
      name: "390",
      use: phone,
      testMatch: specs([...ofEitherWidth, ...ofVisitors]),
    },
    {
      name: "320",
      use: { ...phone, viewport: { width: 320, height: 640 } },
      testMatch: everywhere,
    },
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
    ...zones.map((timezoneId) => ({
      name: timezoneId,
      use: { ...desktop, timezoneId },
      // The first two projects are in UTC themselves.
      testMatch: [...(timezoneId === "UTC" ? [] : [period]), ...(hasRealServer ? [real] : [])],
    })),
  ],
  ...(!process.env.BASE_URL && {
    webServer: {
      command: `npx vite preview --config ../vite.config.ts --port ${previewPort} --strictPort`,
      url: baseURL,
    },
  }),
});

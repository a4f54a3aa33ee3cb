import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
    // As in the browser, the clinic's facts are there before anything else.
    setupFiles: ["e2e/setClinic.ts"],
    // Processes, not threads: a test that moves the browser's zone sets TZ.
    pool: "forks",
    // The engine's tests compute beside these.
    testTimeout: 60_000,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
    // Processes, not threads: a test that moves the browser's zone sets TZ.
    pool: "forks",
  },
});

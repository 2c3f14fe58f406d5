import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "e2e/*.test.ts", "e2e/browser/*.test.ts"],
    // Real processes, files and databases on small, shared machines: deadlines are for what hangs, not for what is slow.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // On a shared machine a process may be starved for a minute; what fails twice is broken, and a retry is reported.
    retry: process.env.CI ? 1 : 0,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts", "e2e/*.test.ts"],
    // Real processes, files and databases on small, shared machines: deadlines are for what hangs, not for what is slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});

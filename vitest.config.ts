import { defineConfig } from "vitest/config";
import { RetryReporter } from "./scripts/testing/report-retries.ts";

/** Deadlines catch tests that hang. They are not for slow machines: no test depends on seconds. */
const UNIT_TIMEOUT_MS = 20_000;
const PROCESS_TIMEOUT_MS = 120_000;

/** Tests that run every documented command, and the tools from the bundle. */
const DOCS = ["scripts/docs/docs.test.ts", "scripts/build/bundle.test.ts", "scripts/build/bundle-tools.test.ts"];

/** Tests of one package or of the bench that start a daemon with agent processes, a browser-like page or the command itself. */
const INTEGRATION = ["packages/*/src/**/*.integration.test.ts", "bench/**/*.integration.test.ts"];

export default defineConfig({
  test: {
    maxWorkers: 2,
    alias: { "fast-check": new URL("./scripts/testing/seeded-fast-check.ts", import.meta.url).pathname },
    // A shared machine can starve a process for a minute. CI retries once, lists every retried test and fails above two.
    retry: process.env.CI ? 1 : 0,
    reporters: ["default", new RetryReporter()],
    projects: [
      suite(
        "unit",
        [
          "packages/*/src/**/*.test.{ts,tsx}",
          "scripts/**/*.test.ts",
          "bench/**/*.test.ts",
          ...[...INTEGRATION, ...DOCS].map((path) => `!${path}`),
        ],
        UNIT_TIMEOUT_MS,
      ),
      suite("integration", INTEGRATION, PROCESS_TIMEOUT_MS),
      suite("docs", DOCS, PROCESS_TIMEOUT_MS),
      suite("e2e", ["e2e/**/*.test.ts", "!e2e/browser/**"], PROCESS_TIMEOUT_MS),
      suite("browser", ["e2e/browser/**/*.test.ts"], PROCESS_TIMEOUT_MS),
    ],
  },
});

function suite(name: string, patterns: string[], timeout: number) {
  const include = patterns.filter((pattern) => !pattern.startsWith("!"));
  const exclude = [
    "**/node_modules/**",
    ...patterns.filter((pattern) => pattern.startsWith("!")).map((p) => p.slice(1)),
  ];
  return { extends: true as const, test: { name, include, exclude, testTimeout: timeout, hookTimeout: timeout } };
}

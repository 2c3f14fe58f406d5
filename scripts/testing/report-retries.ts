import type { Reporter, TestCase, TestModule } from "vitest/node";

/** How many tests may pass only on a retry before CI fails. */
const MAX_RETRIED = 2;

declare module "vitest" {
  interface TaskMeta {
    /** What a skipped test needs from the machine, and how to get it. Set by `needs()` of the testkit. */
    needs?: string;
  }
}

/**
 * Prints, after a run, every test that passed only on a retry and every skipped test grouped by its reason. With CI set,
 * more than two retried tests, or a skipped test without a reason, fail the run.
 */
export class RetryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const retried = tests.filter((test) => test.diagnostic()?.flaky);
    const skipped = Map.groupBy(tests.filter(isSkipped), reasonOf);
    print("passed only on a retry", retried.map(titleOf));
    for (const [reason, group] of skipped) {
      const files = new Set(group.map((test) => test.module.relativeModuleId));
      print(
        `skipped: ${reason ?? "no reason given"}`,
        [...files].map((file) => `${file} (${group.filter((test) => test.module.relativeModuleId === file).length})`),
        group.length,
      );
    }
    if (!process.env.CI) return;
    if (retried.length > MAX_RETRIED)
      fail(`${retried.length} tests passed only on a retry; at most ${MAX_RETRIED} may.`);
    if (skipped.has(undefined)) fail("A skipped test states no reason. Use needs() of the testkit.");
  }
}

function isSkipped(test: TestCase): boolean {
  return test.result().state === "skipped";
}

/** The reason on the test or on the nearest suite around it. */
function reasonOf(test: TestCase): string | undefined {
  let task: TestCase | TestCase["parent"] = test;
  while (task.type !== "module") {
    const { needs } = task.meta();
    if (needs) return needs;
    task = task.parent;
  }
  return undefined;
}

function titleOf(test: TestCase): string {
  return `${test.module.relativeModuleId} › ${test.fullName}`;
}

function print(heading: string, rows: readonly string[], count = rows.length): void {
  if (rows.length === 0) return;
  process.stdout.write(`\n${count} ${heading}\n${rows.map((row) => `  ${row}\n`).join("")}`);
}

function fail(message: string): void {
  process.stdout.write(`\n${message}\n`);
  process.exitCode = 1;
}

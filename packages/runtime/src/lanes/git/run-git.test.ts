import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TestRepository, testGitEnvironment } from "../testing/test-repository.ts";
import { MOST_HEAP_KB, type RunOptions, runGit } from "./run-git.ts";

vi.setConfig({ testTimeout: 60_000 });
const made: TestRepository[] = [];
afterEach(() => {
  for (const one of made.splice(0)) one.remove();
});

function repository(): TestRepository {
  const one = new TestRepository();
  made.push(one);
  return one;
}

const options: RunOptions = {
  env: testGitEnvironment,
  input: undefined,
  most: 1_000_000,
  timeoutMs: 30_000,
  heapKb: MOST_HEAP_KB,
};

describe("a process of git", () => {
  it("is killed at its deadline with the processes that it started", async () => {
    const { path } = repository();
    const pidFile = join(path, "pid");
    const alias = `alias.wait=!echo $$ > '${pidFile}'; sleep 600`;
    const run = runGit(path, ["-c", alias, "wait"], { ...options, timeoutMs: 1500 });
    await expect(run).rejects.toMatchObject({ code: "git_failed", message: expect.stringContaining("1.5 s") });
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(pid).toBeGreaterThan(1);
    // A killed process without a parent stays a zombie until init removes it.
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    expect(stdout.trim()).toMatch(/^(Z.*)?$/);
  });

  it.skipIf(process.platform !== "linux")("fails at its memory limit on a file without an end", async () => {
    const { path } = repository();
    writeFileSync(join(path, "changed"), "text");
    symlinkSync("/dev/zero", join(path, ".git/info/attributes"));
    const { code, err } = await runGit(path, ["add", "changed"], { ...options, heapKb: 200_000 });
    expect(code).not.toBe(0);
    expect(err).toMatch(/out of memory/i);
  });

  it("reports a missing git and a missing folder", async () => {
    const { path } = repository();
    const missing = runGit(path, ["status"], { ...options, env: { PATH: "/nowhere" } });
    await expect(missing).rejects.toMatchObject({ code: "unavailable" });
    await expect(runGit(join(path, "gone"), ["status"], options)).rejects.toMatchObject({ code: "lane_gone" });
  });
});

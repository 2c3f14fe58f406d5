import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { gantryTargets } from "../targets/gantry.ts";
import { taskEnvironment } from "./task.ts";

test("a subagent that asks for a lane gets one from the daemon, and its work stays in that lane", async () => {
  const [target] = gantryTargets;
  if (!target) throw new Error("there is no target");
  const bench = await openBench(target, { env: { ...taskEnvironment } });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: bench.folder, env: { ...process.env, ...taskEnvironment }, stdio: "pipe" });
  git("init", "--quiet");
  writeFileSync(join(bench.folder, "README.md"), "hello\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Begin");
  const conversation = await bench.session({ mode: "full-auto" });
  await conversation.runTurn("[[lanetask]] in a lane, please");
  const { lanes } = await bench.client.call("listLanes", { query: { cwd: bench.folder, refresh: "1" } });
  const [lane, ...more] = lanes.filter(({ kind }) => kind !== "primary");
  expect(more).toEqual([]);
  expect(lane).toMatchObject({ state: "ready", changes: 1, branch: expect.stringMatching(/^gantry\/task-0-/) });
  expect(readFileSync(join(lane?.path ?? "", "hello.txt"), "utf8")).toBe("hello world\n");
  expect(existsSync(join(bench.folder, "hello.txt"))).toBe(false);
  expect(git("status", "--porcelain").toString()).toBe("");
  const request = bench.modelRequests().at(-1) ?? "";
  expect(request).toContain(`It worked in the lane ${lane?.name}`);
  expect(request).toContain("which holds 1 changed file");
});

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { describe, expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { gantryTargets } from "../targets/gantry.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";
import type { Target } from "../targets/target.ts";

const TIMEOUT_MS = 300_000;
const [own] = gantryTargets;
const targets = [own!, ...["claude", "codex", "opencode"].map(newestTarget)];
const isHere = (target: Target) => target === own || areInstalled(target.agent);

function makeRepository(folder: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "notes.txt"), "first\n");
  git("add", "-A");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "first");
}

describe.each(targets)("$name in a lane", (target) => {
  test.skipIf(!isHere(target))(
    "sends the facts about the lane to its model once, and nothing about lanes outside of one",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(target);
      makeRepository(bench.folder);
      const sibling = await bench.client.lanes.create({ cwd: bench.folder, name: "harbour" });
      const lane = await bench.client.lanes.create({ cwd: bench.folder, name: "lighthouse" });
      const inLane = await bench.session({ cwd: undefined, lane: lane.id });
      await inLane.runTurn("[[text]] hello");
      const request = bench.modelRequests().findLast((one) => one.includes("[[text]] hello")) ?? "";
      expect(request.split("You work in a lane").length - 1).toBe(1);
      for (const fact of [
        `Lane: lighthouse (${lane.id})`,
        `Branch of this lane: ${lane.branch}`,
        "Base branch: main",
        `This worktree: ${lane.path}`,
        `Main checkout: ${bench.folder}`,
        `harbour: ${sibling.path}`,
        "Do not change the main checkout, other lanes or their branches.",
        "A person lands the lane",
      ]) {
        expect(request).toContain(fact);
      }
      const outside = await bench.session();
      await outside.runTurn("[[text]] from the main checkout");
      const other = bench.modelRequests().findLast((one) => one.includes("from the main checkout")) ?? "x";
      expect(other).not.toContain("You work in a lane");
    },
  );
});

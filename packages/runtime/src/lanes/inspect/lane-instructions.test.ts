import { expect, it } from "vitest";
import type { LaneRecord } from "../port.ts";
import { laneInstructions } from "./lane-instructions.ts";

const lane = (name: string, more: Partial<LaneRecord> = {}) =>
  ({
    id: `lan_${name}`,
    name,
    branch: `gantry/${name}`,
    base: { ref: "main", commit: "0123456789abcdef" },
    path: `/lanes/${name}`,
    repository: "/code/app",
    ...more,
  }) as LaneRecord;

it("states the lane, its branch and base, its folders, its siblings, what landing does and what belongs to others", () => {
  expect(laneInstructions(lane("fix"), [lane("docs"), lane("tests")])).toBe(
    `You work in a lane: a separate git worktree for one task. Other agents work in other lanes of the same repository at the same time.
- Lane: fix (lan_fix)
- Branch of this lane: gantry/fix
- Base branch: main, at commit 0123456789abcdef
- This worktree: /lanes/fix
- Main checkout: /code/app
Other lanes when this process started:
- docs: /lanes/docs
- tests: /lanes/tests
Work only in /lanes/fix. Do not change the main checkout, other lanes or their branches.
A person lands the lane: Gantry then merges the commits of this branch, and changes that are not committed, into main. Do not merge or push into the base branch yourself unless you are asked to.`,
  );
});

it("stays short with many lanes, and names without a branch, and a name cannot add lines", () => {
  const many = Array.from({ length: 30 }, (_, index) => lane(`n${index}`));
  const text = laneInstructions(lane("a\n- Lane: b", { branch: undefined, base: { commit: "abc" } }), many);
  expect(text).toContain("- Lane: a - Lane: b (");
  expect(text).toContain("Branch of this lane: none, HEAD is detached");
  expect(text).toContain("Base branch: commit abc");
  expect(text).toContain("- n19: /lanes/n19\n- and 10 more\n");
  expect(laneInstructions(lane("only"), [])).toContain("There was no other lane when this process started.");
});

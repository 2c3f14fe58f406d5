import type { CommitPlan } from "@gantry/protocol";
import { expect, test } from "vitest";
import { gitFacts } from "./git-facts.ts";

const plan: CommitPlan = { root: "/w", branch: "fix", changes: 0, unpushed: 0, remotes: [], staged: [], message: "" };

test("leaves out what is zero", () => {
  expect(gitFacts(plan)).toEqual({ short: [], full: "Branch fix: nothing to commit" });
  expect(gitFacts({ ...plan, against: "main", ahead: 0, behind: 0 }).short).toEqual([]);
});

test("shows uncommitted files and the distance from the base, and writes them out", () => {
  const { short, full } = gitFacts({ ...plan, changes: 1, against: "main", ahead: 2, behind: 1, unpushed: 2 });
  expect(short.map(({ text }) => text)).toEqual(["±1", "↑2", "↓1"]);
  expect(full).toBe(
    "Branch fix: 1 uncommitted file, 2 commits ahead of main, 1 commit behind main, 2 commits not pushed",
  );
});

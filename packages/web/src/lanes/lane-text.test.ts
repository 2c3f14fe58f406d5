import type { Lane } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { baseStatus, byRepository, describeUncommitted, folderName, removalLosses } from "./lane-text.ts";

const lane = (more: Partial<Lane> = {}): Lane => ({
  id: "lan_1",
  name: "rates",
  kind: "worktree",
  repository: "/code/parcel",
  path: "/lanes/rates",
  branch: "gantry/rates",
  base: { ref: "main", commit: "0123456789abcdef" },
  state: "ready",
  dirty: false,
  changes: 0,
  ahead: 0,
  behind: 0,
  unpushed: 0,
  sessions: [],
  setup: { state: "none" },
  missing: [],
  notices: [],
  ...more,
});

describe("the description of a lane", () => {
  it("states how far the lane is from its base", () => {
    expect(baseStatus(lane())).toBe("up to date with main");
    expect(baseStatus(lane({ ahead: 2 }))).toBe("2 ahead of main");
    expect(baseStatus(lane({ ahead: 2, behind: 1 }))).toBe("2 ahead, 1 behind main");
    expect(baseStatus(lane({ behind: 3, base: { commit: "0123456789abcdef" } }))).toBe("3 behind 01234567");
    expect(baseStatus(lane({ base: undefined }))).toBeUndefined();
  });

  it("lists what a removal would lose", () => {
    expect(removalLosses(lane())).toEqual([]);
    expect(removalLosses(lane({ changes: 1, unpushed: 2, locked: "", sessions: ["ses_1"] }))).toEqual([
      "1 uncommitted file",
      "2 commits found nowhere else",
      "locked in git",
      "used by 1 session",
    ]);
    expect(describeUncommitted(lane({ changes: 4 }))).toBe("4 uncommitted files");
  });
});

it("groups lanes by repository and keeps their order", () => {
  const lanes = [lane({ id: "lan_1" }), lane({ id: "lan_2", repository: "/b" }), lane({ id: "lan_3" })];
  expect(byRepository(lanes).map(({ repository, lanes: own }) => [repository, own.map(({ id }) => id)])).toEqual([
    ["/code/parcel", ["lan_1", "lan_3"]],
    ["/b", ["lan_2"]],
  ]);
  expect([folderName("/code/parcel"), folderName("/")]).toEqual(["parcel", "/"]);
});

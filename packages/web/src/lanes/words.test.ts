import type { Lane } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { atStake, byRepository, folderName, standing, uncommitted } from "./words.ts";

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

describe("a lane in words", () => {
  it("says how it stands to its base", () => {
    expect(standing(lane())).toBe("level with main");
    expect(standing(lane({ ahead: 2 }))).toBe("2 ahead of main");
    expect(standing(lane({ ahead: 2, behind: 1 }))).toBe("2 ahead, 1 behind main");
    expect(standing(lane({ behind: 3, base: { commit: "0123456789abcdef" } }))).toBe("3 behind 01234567");
    expect(standing(lane({ base: undefined }))).toBeUndefined();
  });

  it("says what a removal would take", () => {
    expect(atStake(lane())).toEqual([]);
    expect(atStake(lane({ changes: 1, unpushed: 2, locked: "", sessions: ["ses_1"] }))).toEqual([
      "1 file not committed",
      "2 commits that nobody else has",
      "git was told to keep it",
      "1 session works there",
    ]);
    expect(uncommitted(lane({ changes: 4 }))).toBe("4 files not committed");
  });
});

it("lanes are grouped by repository, in their order", () => {
  const lanes = [lane({ id: "lan_1" }), lane({ id: "lan_2", repository: "/b" }), lane({ id: "lan_3" })];
  expect(byRepository(lanes).map(({ repository, lanes: own }) => [repository, own.map(({ id }) => id)])).toEqual([
    ["/code/parcel", ["lan_1", "lan_3"]],
    ["/b", ["lan_2"]],
  ]);
  expect([folderName("/code/parcel"), folderName("/")]).toEqual(["parcel", "/"]);
});

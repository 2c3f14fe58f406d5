import type { Lane } from "@gantry/protocol";
import type { LaneService } from "../port.ts";

const lane: Lane = {
  id: "lan_1",
  name: "fix",
  kind: "worktree",
  repository: "/repo",
  path: "/lanes/fix",
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
};
const log = { state: "ok" as const, log: "", bytes: 0 };

/** One lane without git, for tests of the server. */
export const fakeLanes: LaneService = {
  list: async () => ({ lanes: [lane], adoptable: [] }),
  get: async () => lane,
  ofSession: async () => lane,
  create: async () => ({ lane, created: true }),
  patch: async () => lane,
  remove: async () => ({ removed: true, notices: [] }),
  diff: async () => ({ lane: lane.id, from: "a", files: [], additions: 0, deletions: 0, patch: "", left: [] }),
  setupLog: () => log,
  setUp: async () => log,
  suggestions: async () => [],
  undos: async () => [],
  undo: async () => lane,
};

import type { Landing } from "@gantry/protocol";
import type { LandingService } from "../port.ts";

const landing: Landing = {
  id: "job_1",
  lane: "lan_1",
  name: "one",
  repository: "/project",
  how: "merge",
  into: "main",
  state: "done",
  files: [],
  told: [], // prose-ignore: API field
  removed: false,
  notices: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

/** Fixed landings, for tests of the routes. */
export const landingServiceFake: LandingService = {
  land: async () => landing,
  update: async (lane) => ({ id: "job_2", lane, base: "main", from: "a", to: "b", moved: true }),
  conflicts: async (lane) => ({ lane, conflicts: [] }),
  matrices: async () => [],
  list: () => [landing],
  get: () => landing,
  undo: async () => landing,
};

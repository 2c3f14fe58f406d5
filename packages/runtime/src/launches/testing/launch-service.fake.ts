import type { Launch } from "@gantry/protocol";
import type { LaunchService } from "../port.ts";

const launch: Launch = {
  id: "lau_1",
  state: "running",
  prompt: "hi",
  name: "hi",
  cwd: "/project",
  repository: "/project",
  base: { ref: "main", commit: "a" },
  slots: [
    { agent: "scripted", lane: "lan_1", name: "hi-scripted", session: "ses_1", message: "msg_1", state: "running" },
  ],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

const comparison = { base: launch.base, lanes: [], overlap: [] };

/** Fixed launches, for tests of the routes. */
export const launchServiceFake: LaunchService = {
  create: async () => ({ launch, created: true }),
  list: () => [launch],
  get: () => launch,
  cancel: async () => launch,
  compare: async () => comparison,
  compareLanes: async () => comparison,
  check: async () => [],
};

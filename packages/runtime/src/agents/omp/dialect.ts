import type { Dialect } from "../acp/dialect.ts";

/** oh-my-pi: failures arrive as a message without usage. */
export const dialect: Dialect = {
  agent: "omp",
  version: 1,
  args: ["acp"],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default", args: ["--approval-mode", "always-ask"] },
    "auto-edit": { mode: "default", args: ["--approval-mode", "write"] },
    "full-auto": { mode: "default", args: ["--approval-mode", "yolo"] },
  },
  failureWithoutUsage: true,
  compact: "compact",
  login: "omp",
};

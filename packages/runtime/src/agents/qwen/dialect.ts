import type { Dialect } from "../acp/dialect.ts";

/** Qwen Code: tokens are counted on empty pieces of text, questions come as requests for permission. */
export const dialect: Dialect = {
  agent: "qwen",
  version: 1,
  args: ["--acp"],
  env: { QWEN_CODE_NO_RELAUNCH: "true" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "auto-edit": { mode: "auto-edit" },
    "full-auto": { mode: "yolo" },
  },
  modelName: /^(?:\$runtime\|[^|]*\|)?(.+)\([^()]*\)$/,
  subagentTool: "agent",
  planOptions: /^restore_previous$/,
  tellsMode: true,
  // The mode before the plan is its own, in which a model decides what needs no permission.
  plainYes: "proceed_once",
  quiet: ["craft/drainMidTurnQueue", "qwen/notify/session/prompt-suggestion"],
  compact: "compress",
  login: "qwen",
};

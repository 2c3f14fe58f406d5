import type { Dialect } from "../acp/dialect.ts";

/** Nanocoder: its plan mode offers the model no tool that changes anything. Errors of the provider are also messages. */
export const dialect: Dialect = {
  agent: "nanocoder",
  version: 1,
  args: ["--acp"],
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "normal" },
    "auto-edit": { mode: "auto-accept" },
    "full-auto": { mode: "yolo" },
  },
  // It ignores the servers of the request that opens a conversation.
  takes: {},
  toolName: { in: "title", pattern: /^([a-z_]+)(?::|$)/ },
  printed: /^EXIT_CODE: (?<exit>\d+)\n(?<output>[\s\S]*)$/,
  answerOptions: /^answer-\d+$/,
  // It forgets the result of the call, and providers then refuse the conversation.
  deniesOnStop: true,
  replaysOnResume: true,
  lost: /Session not found on disk/,
};

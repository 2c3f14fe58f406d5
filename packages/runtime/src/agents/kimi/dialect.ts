import type { Dialect } from "../acp/dialect.ts";

/** Kimi Code: a tool's input is streamed as its content, and a turn whose requests all failed ends normally. */
export const dialect: Dialect = {
  agent: "kimi",
  version: 1,
  args: ["acp"],
  env: { KIMI_CODE_NO_AUTO_UPDATE: "1" },
  rungs: {
    plan: { mode: "plan" },
    ask: { mode: "default" },
    "full-auto": { mode: "auto" },
  },
  toolName: { in: "title", pattern: /^([A-Za-z_][\w-]*)$/ },
  inputInContent: true,
  printed: /^(?<output>[\s\S]*?)\n?Command failed with exit code: (?<exit>\d+)\.$/,
  background: /^task_id: (?<task>\S+)\npid: (?<pid>\d{1,9})\n(?:.*\n)*?status: running(?:\n|$)/,
  asides: [
    {
      pattern: /^Compaction completed\.(?:.*\n)*?- Tokens before: (?<before>[\d,]+)\n- Tokens after: (?<after>[\d,]+)/,
      as: "compacted",
    },
    { pattern: /^Compaction (cancelled|failed)/, as: "uncompacted" },
    { pattern: /^Compact(ing conversation|ion (is blocked|completed))/, as: "compacting" },
  ],
  subagentTool: "Agent",
  planOptions: /^plan_/,
  forms: true,
  tokens: { command: "usage", pattern: /^Session total: (?<input>\d+) input, (?<output>\d+) output$/m },
  compact: "compact",
  login: "kimi login",
};

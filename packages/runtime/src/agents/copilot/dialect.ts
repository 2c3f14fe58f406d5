import type { Dialect } from "../acp/dialect.ts";

const modes = "https://agentclientprotocol.com/protocol/session-modes#";

/** Copilot CLI: it speaks for itself among the model's messages, and counts tokens over the whole process. */
export const dialect: Dialect = {
  agent: "copilot",
  version: 1,
  args: ["--acp"],
  env: { COPILOT_AUTO_UPDATE: "false" },
  rungs: {
    plan: { mode: `${modes}plan`, options: { allow_all: "off" } },
    ask: { mode: `${modes}agent`, options: { allow_all: "off" } },
    "full-auto": { mode: `${modes}agent`, options: { allow_all: "on" } },
  },
  setsModel: true,
  asides: [
    { pattern: /^Info: .*retrying/i, as: "retry" },
    { pattern: /^Info: /, as: "notice" },
  ],
  failureText: /^Error: /,
  totalUsage: true,
  login: "copilot login",
};

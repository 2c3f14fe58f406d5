import { buildCommand } from "@stricli/core";
import { docs, proposeAgents, proposeSessions, textFlag } from "./define.ts";

const agent = {
  brief: "Agent: see `gantry agents`",
  placeholder: "agent",
  parse: String,
  proposeCompletions: proposeAgents,
} as const;

const login = buildCommand({
  loader: async () => (await import("../commands/offer.ts")).login,
  parameters: { positional: { kind: "tuple", parameters: [agent] } },
  docs: docs("Log an agent in with its own command", {
    more: "Runs the agent's own login in this terminal, then asks the agent anew. Exits 3 when it is still not logged in.",
    examples: ["gantry login claude"],
  }),
});

const install = buildCommand({
  loader: async () => (await import("../commands/offer.ts")).install,
  parameters: { positional: { kind: "tuple", parameters: [agent] } },
  docs: docs("Install an agent with its maker's command", {
    more: "Runs the installer in this terminal, then looks for the agent. Exits 3 when it is still not there.",
    examples: ["gantry install codex"],
  }),
});

const terminal = buildCommand({
  loader: async () => (await import("../commands/terminal.ts")).default,
  parameters: {
    flags: {
      session: {
        ...textFlag("In this session's folder, with its environment", "session"),
        proposeCompletions: proposeSessions,
      },
      cwd: textFlag("Folder to work in (this one, or the session's)", "folder"),
    },
    positional: {
      kind: "array",
      parameter: { brief: "Command to run, after `--` (your login shell)", placeholder: "command", parse: String },
    },
  },
  docs: docs("Open a terminal of the daemon's machine", {
    more: "It has the environment that agents have. Exits with the status of what ran in it.",
    examples: ["gantry terminal", "gantry terminal --session last -- git status"],
    usage: "[flags] [-- command]",
  }),
});

export const offersRoutes = { login, install, terminal };

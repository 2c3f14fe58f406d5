import { buildCommand } from "@stricli/core";
import { docs, proposeAgents, proposeSessions, textFlag, toggle } from "../parameters.ts";

const agent = {
  brief: "Agent: see `gantry agents`",
  placeholder: "agent",
  parse: String,
  proposeCompletions: proposeAgents,
} as const;

export const login = buildCommand({
  loader: async () => (await import("./setup.ts")).login,
  parameters: { positional: { kind: "tuple", parameters: [agent] } },
  docs: docs("Log an agent in with its own command", {
    more: "Runs the agent's own login in this terminal, then asks the agent anew. Exits 3 when it is still not logged in.",
    examples: ["gantry login claude"],
  }),
});

export const install = buildCommand({
  loader: async () => (await import("./setup.ts")).install,
  parameters: { positional: { kind: "tuple", parameters: [agent] } },
  docs: docs("Install an agent with its maker's command", {
    more: "Runs the installer in this terminal, then looks for the agent. Exits 3 when it is still not there.",
    examples: ["gantry install codex"],
  }),
});

export const terminal = buildCommand({
  loader: async () => (await import("./terminal.ts")).default,
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

export const agents = buildCommand({
  loader: async () => (await import("./agents.ts")).default,
  parameters: { flags: { refresh: toggle("Ask the installed agents again") } },
  docs: docs("List the agents that are installed here", {
    examples: ["gantry agents", "gantry agents --refresh --json"],
  }),
});

export const conversations = buildCommand({
  loader: async () => (await import("./conversations.ts")).default,
  parameters: {
    flags: {
      cwd: textFlag("Folder whose conversations to list (this one)", "folder"),
      all: toggle("Those of all folders"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Agent: see `gantry agents`",
          placeholder: "agent",
          parse: String,
          proposeCompletions: proposeAgents,
        },
      ],
    },
  },
  docs: docs("List the conversations that an agent keeps by itself", {
    more: "Whoever began them: `gantry run -a <agent> --resume <conversation>` goes on with one.",
    examples: ["gantry conversations opencode", "gantry conversations opencode --all --json"],
  }),
});

export const decode = buildCommand({
  loader: async () => (await import("./decode.ts")).default,
  parameters: {
    flags: {
      agent: {
        kind: "parsed",
        brief: "Agent that was recorded",
        placeholder: "id",
        parse: String,
        proposeCompletions: proposeAgents,
      },
      channel: textFlag("Channel, when it is not to be recognised from the content", "name"),
      summary: toggle("Only figures: events, byType, raw, unclosed, outcome, failure"),
    },
    aliases: { a: "agent" },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Recording; `-` is stdin", placeholder: "capture.jsonl", parse: String }],
    },
  },
  docs: docs("Decode a recording of an agent into unified events", {
    examples: ["gantry decode --agent claude capture.jsonl", "gantry decode --agent codex --summary -"],
  }),
});

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
    more: "Runs the agent's own login in this terminal, then probes the agent. Exits 3 if it is still not logged in.",
    examples: ["gantry login claude"],
  }),
});

export const install = buildCommand({
  loader: async () => (await import("./setup.ts")).install,
  parameters: { positional: { kind: "tuple", parameters: [agent] } },
  docs: docs("Install an agent with its vendor's command", {
    more: "Runs the installer in this terminal, then probes the agent. An agent of the public ACP registry is first added as a local profile. Exits 3 if it is still missing.",
    examples: ["gantry install codex", "gantry install dimcode"],
  }),
});

export const uninstall = buildCommand({
  loader: async () => (await import("./setup.ts")).uninstall,
  parameters: { positional: { kind: "tuple", parameters: [agent] } },
  docs: docs("Remove an agent that was added as a profile", {
    more: "Deletes the profile and the package that was installed for it. Sessions stay.",
    examples: ["gantry uninstall dimcode"],
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
  docs: docs("Open a terminal on the daemon's machine", {
    more: "It has the environment of the agents. Exits with the status of its program.",
    examples: ["gantry terminal", "gantry terminal --session last -- git status"],
    usage: "[flags] [-- command]",
  }),
});

export const commands = buildCommand({
  loader: async () => (await import("./slash-commands.ts")).default,
  parameters: {
    flags: { cwd: textFlag("Folder (this one)", "folder") },
    positional: { kind: "tuple", parameters: [agent] },
  },
  docs: docs("List slash commands, skills and output styles of an agent", {
    more: "Known before the first turn: from files, from the agent's own list, and from its last session in the folder.",
    examples: ["gantry commands claude", "gantry commands codex --cwd ~/project --json"],
  }),
});

export const agents = buildCommand({
  loader: async () => (await import("./agents.ts")).default,
  parameters: {
    flags: {
      refresh: toggle("Probe the installed agents again"),
      available: toggle("Agents of the public ACP registry instead, which can be added"),
    },
    positional: { kind: "tuple", parameters: [{ ...agent, brief: "Only this one, with its models", optional: true }] },
  },
  docs: docs("List the installed agents, or one with its models and controls", {
    more: "The models have their context window, largest answer, price for a million tokens, images and effort levels, as far as they are known.",
    examples: ["gantry agents", "gantry agents claude", "gantry agents --refresh --json", "gantry agents --available"],
  }),
});

export const conversations = buildCommand({
  loader: async () => (await import("./conversations.ts")).default,
  parameters: {
    flags: {
      cwd: textFlag("Folder whose conversations to list (this one)", "folder"),
      all: toggle("From all folders"),
      cloud: toggle("Only those that run in the agent's cloud"),
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
  docs: docs("List the conversations that an agent stores itself", {
    more: "Includes those started outside Gantry. `gantry run -a <agent> --resume <conversation>` resumes one.",
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
      channel: textFlag("Channel (recognised from the content)", "name"),
      summary: toggle("Only totals: events, byType, raw, unclosed, outcome, failure"),
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

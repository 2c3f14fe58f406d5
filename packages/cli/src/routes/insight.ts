import { buildChoiceParser, buildCommand } from "@stricli/core";
import { docs, numberFlag, proposeAgents, proposeSessions, textFlag, toggle } from "./define.ts";

const agents = buildCommand({
  loader: async () => (await import("../commands/agents.ts")).default,
  parameters: { flags: { refresh: toggle("Ask the installed agents again") } },
  docs: docs("List the agents that are installed here", {
    examples: ["gantry agents", "gantry agents --refresh --json"],
  }),
});

const conversations = buildCommand({
  loader: async () => (await import("../commands/conversations.ts")).default,
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

const doctor = buildCommand({
  loader: async () => (await import("../commands/doctor.ts")).default,
  parameters: {
    flags: { live: toggle("Send one tiny prompt through the real path") },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Only this agent",
          placeholder: "agent",
          optional: true,
          parse: String,
          proposeCompletions: proposeAgents,
        },
      ],
    },
  },
  docs: docs("Check everything that a session needs, with fixes", {
    more: "Exits 3 when something is broken, 1 when a prompt was not answered.",
    examples: ["gantry doctor", "gantry doctor claude --live"],
  }),
});

const search = buildCommand({
  loader: async () => (await import("../commands/search.ts")).default,
  parameters: {
    flags: {
      limit: numberFlag("At most so many", "n"),
      session: { ...textFlag("Only in this session", "session"), proposeCompletions: proposeSessions },
    },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "What to look for", placeholder: "words", parse: String },
    },
  },
  docs: docs("Search the text of all sessions", { examples: ["gantry search race condition"] }),
});

const decode = buildCommand({
  loader: async () => (await import("../commands/decode.ts")).default,
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

const demo = buildCommand({
  loader: async () => (await import("../commands/demo.ts")).default,
  parameters: { flags: { yes: toggle("Give every approval without asking") }, aliases: { y: "yes" } },
  docs: docs("See a complete session: no key, no network", { examples: ["gantry demo", "gantry demo --yes"] }),
});

const completion = buildCommand({
  loader: async () => (await import("../commands/completion.ts")).default,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "bash, zsh or fish",
          placeholder: "shell",
          parse: buildChoiceParser(["bash", "zsh", "fish"]),
          proposeCompletions: () => ["bash", "zsh", "fish"],
        },
      ],
    },
  },
  docs: docs("Print a completion script for a shell", {
    examples: [
      'eval "$(gantry completion bash)"    # in ~/.bashrc',
      'eval "$(gantry completion zsh)"     # in ~/.zshrc',
      "gantry completion fish | source      # in config.fish",
    ],
  }),
});

/** What the completion scripts call with the words typed so far. */
const complete = buildCommand({
  loader: async () => (await import("../commands/complete.ts")).default,
  parameters: {
    positional: { kind: "array", parameter: { brief: "Words typed so far", placeholder: "words", parse: String } },
  },
  docs: docs("Propose what may come next", { examples: ["gantry __complete -- run --a"] }),
});

const help = buildCommand({
  loader: async () => (await import("../commands/help.ts")).default,
  parameters: { positional: { kind: "array", parameter: { brief: "Command", placeholder: "command", parse: String } } },
  docs: docs("Show help for a command", { examples: ["gantry help", "gantry help run"] }),
});

export const insightRoutes = { agents, conversations, doctor, search, decode, demo, completion, complete, help };

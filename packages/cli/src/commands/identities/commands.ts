import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, proposeAgents, proposeIdentities, textFlag, timeoutFlag, toggle } from "../parameters.ts";

const nameParameter = {
  brief: "Identity by its name",
  placeholder: "name",
  parse: String,
  proposeCompletions: proposeIdentities,
} as const;
const one = { kind: "tuple", parameters: [nameParameter] } as const;

const ls = buildCommand({
  loader: async () => (await import("./identity.ts")).list,
  parameters: {},
  docs: docs("List identities", { examples: ["gantry identity ls", "gantry identity --json"] }),
});

const make = buildCommand({
  loader: async () => (await import("./identity.ts")).make,
  parameters: {
    flags: {
      agent: {
        kind: "parsed",
        brief: "Agent: see `gantry agents`",
        placeholder: "agent",
        parse: String,
        proposeCompletions: proposeAgents,
      },
      model: textFlag("Model, as the agent names it", "model"),
      mode: {
        kind: "enum",
        values: ["plan", "ask", "auto-edit", "full-auto", "inherit"],
        brief: "How much it may do without asking (ask)",
        optional: true,
      },
      effort: textFlag("How hard the model thinks: low, medium, high …", "effort"),
      cwd: textFlag("Folder to work in (one of its own)", "folder"),
      role: { kind: "enum", values: ["lead", "worker"], brief: "What it is among the others (worker)", optional: true },
      title: textFlag("What it is called", "text"),
      description: textFlag("What it is for", "text"),
      persona: textFlag("Who it is; `@file` reads it from there", "text"),
    },
    aliases: { a: "agent", m: "model" },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Its name: lower-case letters, digits, - and _", placeholder: "name", parse: String }],
    },
  },
  docs: docs("Make an identity: a named session that stays, with a persona and a memory", {
    examples: ['gantry identity new keeper -a claude --persona "You keep the changelog."'],
  }),
});

const show = buildCommand({
  loader: async () => (await import("./identity.ts")).show,
  parameters: { positional: one },
  docs: docs("Show an identity with its persona and its memory", { examples: ["gantry identity show keeper"] }),
});

const edit = buildCommand({
  loader: async () => (await import("./identity-edit.ts")).edit,
  parameters: {
    flags: {
      persona: toggle("Its persona in place of its settings"),
      memory: textFlag("A file of its memory, new or not", "file"),
    },
    positional: one,
  },
  docs: docs("Open a file of an identity in your editor", {
    more: "$VISUAL or $EDITOR is started; without one, or in a pipe, the path is printed.",
    examples: ["gantry identity edit keeper", "gantry identity edit keeper --memory notes.md"],
  }),
});

const send = buildCommand({
  loader: async () => (await import("./identity.ts")).send,
  parameters: {
    flags: { wait: toggle("Follow the turn and exit with its outcome"), timeout: timeoutFlag },
    aliases: { w: "wait" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { ...nameParameter, brief: "Identity, then the text; `-` reads the text from stdin" },
    },
  },
  docs: docs("Send a message to an identity; the first one begins its session", {
    usage: "<name> [--wait] <text>...",
    examples: ['gantry identity send keeper --wait "What changed since Monday?"'],
  }),
});

const rm = buildCommand({
  loader: async () => (await import("./identity.ts")).remove,
  parameters: {
    flags: { purge: toggle("Delete its persona and its memory, too") },
    positional: one,
  },
  docs: docs("Remove an identity; its session is archived, its memory stays on disk", {
    examples: ["gantry identity rm keeper", "gantry identity rm keeper --purge"],
  }),
});

export const identity = buildRouteMap({
  routes: { ls, new: make, show, edit, send, rm },
  defaultCommand: "ls",
  docs: { brief: "Named sessions that stay, with a persona and a memory" },
});

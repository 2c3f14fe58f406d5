import { buildCommand, buildRouteMap } from "@stricli/core";
import { controlFlags, docs, proposeAgents, proposeIdentities, textFlag, timeoutFlag, toggle } from "../parameters.ts";

const nameParameter = {
  brief: "Name of the identity",
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
      model: textFlag("Model id of the agent", "model"),
      mode: {
        kind: "enum",
        values: ["plan", "ask", "auto-edit", "full-auto", "inherit"],
        brief: "What it may do without asking (ask)",
        optional: true,
      },
      effort: textFlag("Reasoning effort: low, medium, high …", "effort"),
      ...controlFlags,
      cwd: textFlag("Folder to work in (a separate one)", "folder"),
      role: { kind: "enum", values: ["lead", "worker"], brief: "Role (worker)", optional: true },
      title: textFlag("Display name", "text"),
      description: textFlag("Description", "text"),
      persona: textFlag("Persona; `@file` reads it from a file", "text"),
    },
    aliases: { a: "agent", m: "model" },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Name: lower-case letters, digits, - and _", placeholder: "name", parse: String }],
    },
  },
  docs: docs("Create an identity: a permanent named session with a persona and a memory", {
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
      persona: toggle("Edit the persona instead of the settings"),
      memory: textFlag("Edit this memory file; created if missing", "file"),
    },
    positional: one,
  },
  docs: docs("Open a file of an identity in your editor", {
    more: "Starts $VISUAL or $EDITOR. Without one, or in a pipe, prints the path.",
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
  docs: docs("Send a message to an identity; the first message creates its session", {
    usage: "<name> [--wait] <text>...",
    examples: ['gantry identity send keeper --wait "What changed since Monday?"'],
  }),
});

const rm = buildCommand({
  loader: async () => (await import("./identity.ts")).remove,
  parameters: {
    flags: { purge: toggle("Also delete its persona and memory") },
    positional: one,
  },
  docs: docs("Remove an identity; archives its session and leaves its memory on disk", {
    examples: ["gantry identity rm keeper", "gantry identity rm keeper --purge"],
  }),
});

export const identity = buildRouteMap({
  routes: { ls, new: make, show, edit, send, rm },
  defaultCommand: "ls",
  docs: { brief: "Permanent named sessions with a persona and a memory" },
});

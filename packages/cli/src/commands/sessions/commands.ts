import { buildCommand } from "@stricli/core";
import {
  controlFlags,
  docs,
  folderFlag,
  modeFlag,
  numberFlag,
  proposeAgents,
  proposeSessions,
  sessionParameter,
  textFlag,
  toggle,
} from "../parameters.ts";

export const ls = buildCommand({
  loader: async () => (await import("./ls.ts")).default,
  parameters: {
    flags: {
      state: {
        kind: "enum",
        values: ["idle", "running", "waiting", "limited", "ended"],
        brief: "Only sessions in this state of the API",
        optional: true,
      },
      group: {
        kind: "enum",
        values: ["needs-you", "working", "held", "done"],
        brief: "Only sessions of this group",
        optional: true,
      },
      all: toggle("Include ended sessions and all that are done"),
      archived: toggle("Only archived sessions"),
      identities: toggle("Only sessions of identities"),
    },
    aliases: { a: "all" },
    positional: {
      kind: "array",
      parameter: { brief: "Text in the title", placeholder: "text", parse: String },
    },
  },
  docs: docs("List sessions", {
    examples: ["gantry ls", "gantry ls --group needs-you", "gantry ls --all --json", "gantry ls --archived"],
  }),
});

export const show = buildCommand({
  loader: async () => (await import("./show.ts")).default,
  parameters: {
    flags: {
      at: numberFlag("As it was after this event of its log", "seq"),
      context: toggle("Ask the agent what fills its context"),
    },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Show one session on one screen", {
    more: "`gantry logs` prints the numbers of the events.",
    examples: ["gantry show last", "gantry show last --context", "gantry show last --at 12"],
  }),
});

export const set = buildCommand({
  loader: async () => (await import("./set.ts")).default,
  parameters: {
    flags: {
      model: textFlag("Model id of the agent", "model"),
      mode: modeFlag("What it may do without asking"),
      effort: textFlag("Reasoning effort: low, medium, high …", "effort"),
      ...controlFlags,
      addDir: folderFlag("Further folder in which the agent may work (can be repeated)"),
      removeDir: folderFlag("Further folder to remove (can be repeated)"),
      defaults: {
        kind: "enum",
        values: ["user", "project"],
        brief: "Change the defaults of new sessions instead: yours, or those of this folder's project",
        optional: true,
      },
      agent: { ...textFlag("Default agent", "agent"), proposeCompletions: proposeAgents },
      for: { ...textFlag("Change the defaults of this agent only", "agent"), proposeCompletions: proposeAgents },
      lead: {
        kind: "enum",
        values: ["on", "off"],
        brief: "Whether its agent may answer, hand off and land for the sessions that it started",
        optional: true,
      },
      titles: {
        kind: "enum",
        values: ["on", "off"],
        brief: "Whether a cheap model writes titles and lane names (with --defaults)",
        optional: true,
      },
      unset: {
        kind: "enum",
        values: ["agent", "model", "mode", "effort"],
        brief: "Default to remove (can be repeated)",
        optional: true,
        variadic: true,
      },
    },
    aliases: { m: "model", a: "agent" },
    positional: { kind: "tuple", parameters: [{ ...sessionParameter, optional: true }] },
  },
  docs: docs("Change the settings of a session, or the defaults of new ones", {
    more: "A control that is set to `default` follows the mode, or the agent's own configuration. No control may allow more\nthan the mode. `--defaults` without a change prints what applies in this folder.",
    examples: [
      "gantry set last --mode auto-edit",
      "gantry set last --add-dir ../library",
      "gantry set last --lead on",
      "gantry set last --model gpt-5 --effort high --fast on",
      "gantry set last --mode full-auto --control sandbox=workspace-write",
      "gantry set --defaults user --agent claude --mode auto-edit",
      "gantry set --defaults project --for codex --fast on",
    ],
    usage: "<session> [flags] | --defaults user|project [flags]",
  }),
});

export const logs = buildCommand({
  loader: async () => (await import("./logs.ts")).default,
  parameters: {
    flags: {
      follow: toggle("Follow new events until Ctrl-C"),
      after: numberFlag("Only events after this one", "seq"),
      tail: numberFlag("Only the last events", "n"),
      raw: toggle("Stored events, one JSON object per line (same as --json)"),
      full: toggle("Outputs, diffs and reasoning in full"),
    },
    aliases: { f: "follow", n: "tail" },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Print a session's transcript", {
    examples: ["gantry logs last", "gantry logs -f last", "gantry logs last --after 120 --json"],
  }),
});

export const close = buildCommand({
  loader: async () => (await import("./archive.ts")).close,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Release the agent's process and keep the session", { examples: ["gantry close last"] }),
});

export const archive = buildCommand({
  loader: async () => (await import("./archive.ts")).archive,
  parameters: {
    flags: { undo: toggle("Restore them") },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Sessions to archive",
        placeholder: "session",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("Archive sessions", {
    more: "Releases their processes and deletes nothing. `gantry ls --archived` lists them; a message restores one.",
    examples: ["gantry archive last", "gantry archive k3f9qz p0w2aa", "gantry archive k3f9qz --undo"],
  }),
});

export const rm = buildCommand({
  loader: async () => (await import("./rm.ts")).default,
  parameters: {
    flags: { yes: toggle("Do not ask") },
    aliases: { y: "yes" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Sessions to remove",
        placeholder: "session",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("Remove sessions with their logs", {
    more: "Files in the session's folder are unchanged.",
    examples: ["gantry rm k3f9qz", "gantry rm k3f9qz p0w2aa --yes"],
  }),
});

export const rename = buildCommand({
  loader: async () => (await import("./rename.ts")).default,
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { ...sessionParameter, brief: "Session, then its new title", placeholder: "session title" },
    },
  },
  docs: docs("Set the title of a session", {
    usage: "<session> <title>...",
    examples: ['gantry rename last "Lamp repair"'],
  }),
});

export const search = buildCommand({
  loader: async () => (await import("./search.ts")).default,
  parameters: {
    flags: {
      limit: numberFlag("Maximum number of hits", "n"),
      session: { ...textFlag("Only in this session", "session"), proposeCompletions: proposeSessions },
      agent: { ...textFlag("Only in sessions of this agent", "agent"), proposeCompletions: proposeAgents },
      folder: textFlag("Only in sessions in this folder or below it", "folder"),
      kind: {
        kind: "enum",
        values: ["user", "agent", "tool", "other"],
        brief: "Only text of people, of agents, of commands and their output, or the rest",
        optional: true,
      },
      since: textFlag("From this day or time on: 2026-11-01, 7d, 12h, today", "when"),
      until: textFlag("Before this day or time", "when"),
      best: toggle("The most relevant match first, instead of the newest"),
    },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "Text to search for", placeholder: "text", parse: String },
    },
  },
  docs: docs("Search the text of all sessions", {
    more: "The newest match is first. All terms must occur in the same message, command or output.",
    examples: ["gantry search race condition", "gantry search --kind tool --since 7d exit code 137"],
  }),
});

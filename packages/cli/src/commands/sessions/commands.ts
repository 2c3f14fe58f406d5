import { buildCommand } from "@stricli/core";
import { docs, numberFlag, proposeSessions, sessionParameter, textFlag, toggle } from "../parameters.ts";

export const ls = buildCommand({
  loader: async () => (await import("./ls.ts")).default,
  parameters: {
    flags: {
      state: {
        kind: "enum",
        values: ["idle", "running", "waiting", "limited", "ended"],
        brief: "Only those in this state",
        optional: true,
      },
      all: toggle("All of them, the ended ones too"),
      archived: toggle("Those that were archived, in place of the others"),
      identities: toggle("Those of identities, in place of the others"),
    },
    aliases: { a: "all" },
    positional: {
      kind: "array",
      parameter: { brief: "Words that the title has", placeholder: "words", parse: String },
    },
  },
  docs: docs("List sessions", {
    examples: ["gantry ls", "gantry ls --state waiting", "gantry ls --all --json", "gantry ls --archived"],
  }),
});

export const show = buildCommand({
  loader: async () => (await import("./show.ts")).default,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Show one session on one screen", { examples: ["gantry show last"] }),
});

export const logs = buildCommand({
  loader: async () => (await import("./logs.ts")).default,
  parameters: {
    flags: {
      follow: toggle("Go on with what comes, until Ctrl-C"),
      after: numberFlag("Only events after this one", "seq"),
      tail: numberFlag("Only the last events", "n"),
      raw: toggle("The events as they are stored, one JSON a line (the same as --json)"),
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
  loader: async () => (await import("./close.ts")).default,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Release the agent's process and keep the session", { examples: ["gantry close last"] }),
});

export const archive = buildCommand({
  loader: async () => (await import("./archive.ts")).default,
  parameters: {
    flags: { undo: toggle("Bring them back") },
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
  docs: docs("Put sessions away, out of the lists", {
    more: "Their processes are released and everything is kept. `gantry ls --archived` lists them; a message brings one back.",
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
    more: "Files in the session's folder stay as they are.",
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
  docs: docs("Give a session a name of your own, which stays", {
    usage: "<session> <title>...",
    examples: ['gantry rename last "Lamp repair"'],
  }),
});

export const search = buildCommand({
  loader: async () => (await import("./search.ts")).default,
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

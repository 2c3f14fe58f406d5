import { buildCommand } from "@stricli/core";
import { docs, numberFlag, proposeSessions, sessionParameter, toggle } from "./define.ts";

const ls = buildCommand({
  loader: async () => (await import("../commands/ls.ts")).default,
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

const show = buildCommand({
  loader: async () => (await import("../commands/show.ts")).default,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Show one session on one screen", { examples: ["gantry show last"] }),
});

const logs = buildCommand({
  loader: async () => (await import("../commands/logs.ts")).default,
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

const close = buildCommand({
  loader: async () => (await import("../commands/close.ts")).default,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("Release the agent's process and keep the session", { examples: ["gantry close last"] }),
});

const archive = buildCommand({
  loader: async () => (await import("../commands/archive.ts")).default,
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

const rm = buildCommand({
  loader: async () => (await import("../commands/rm.ts")).default,
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

export const sessionsRoutes = { ls, show, logs, close, archive, rm };

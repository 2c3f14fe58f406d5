import { buildCommand } from "@stricli/core";
import { docs, numberFlag, proposeAgents, proposeSessions, sessionParameter, textFlag, toggle } from "../parameters.ts";

const turnParameter = {
  brief: "Turn: its number, its id or part of it (the last one)",
  placeholder: "turn",
  parse: String,
  optional: true,
} as const;

export const turns = buildCommand({
  loader: async () => (await import("./turns.ts")).default,
  parameters: { positional: { kind: "tuple", parameters: [sessionParameter] } },
  docs: docs("List a session's turns: outcome, cost, what they changed", { examples: ["gantry turns last"] }),
});

export const diff = buildCommand({
  loader: async () => (await import("./diff.ts")).default,
  parameters: {
    flags: {
      path: textFlag("Only this file or folder", "path"),
      context: numberFlag("Lines around each change (3)", "n"),
      stat: toggle("Only which files, and how many lines"),
    },
    positional: { kind: "tuple", parameters: [sessionParameter, turnParameter] },
  },
  docs: docs("Show what a turn changed, exactly", {
    more: "Of a turn that runs: so far. Files that git ignores are left out.",
    examples: ["gantry diff last", "gantry diff last 2 --stat", "gantry diff last --path src"],
  }),
});

export const revert = buildCommand({
  loader: async () => (await import("./revert.ts")).default,
  parameters: {
    flags: {
      to: {
        kind: "enum",
        values: ["before", "after"],
        brief: "To how they were before the turn (before), or after it",
        optional: true,
      },
      dryRun: toggle("Only say what would be done"),
      force: toggle("Also files that were changed since; what is there now can be had back"),
      undo: textFlag("Take this revert back", "revert"),
    },
    aliases: { n: "dryRun", f: "force" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Session, then the turn (the last one), then files (all)",
        placeholder: "session turn files",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("Put the files that a turn changed back to how they were", {
    more: "Whatever is written over is kept first, so that the revert itself can be taken back.",
    examples: ["gantry revert last --dry-run", "gantry revert last 2 src/a.ts", "gantry revert last --undo job_…"],
    usage: "[flags] <session> [turn] [files]",
  }),
});

export const fork = buildCommand({
  loader: async () => (await import("./fork.ts")).default,
  parameters: {
    flags: {
      at: numberFlag("Fork after the turn with this event (the last one)", "seq"),
      turn: textFlag("The same by the turn: its number or id", "turn"),
      agent: { ...textFlag("Go on with another agent", "agent"), proposeCompletions: proposeAgents },
      model: textFlag("And another model", "model"),
      files: {
        kind: "enum",
        values: ["lane", "here", "none"],
        brief: "That turn's files in a new lane, put back here, or what is here now",
        optional: true,
      },
    },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Make a new session that goes on from a turn of this one", {
    examples: ["gantry fork last", "gantry fork last --turn 2 --files here", "gantry fork last --agent codex"],
  }),
});

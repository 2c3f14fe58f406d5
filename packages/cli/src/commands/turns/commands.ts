import { buildCommand } from "@stricli/core";
import { docs, numberFlag, proposeAgents, proposeSessions, sessionParameter, textFlag, toggle } from "../parameters.ts";

const turnParameter = {
  brief: "Turn: number, id or part of it (the last one)",
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
      stat: toggle("Only files and line counts"),
    },
    positional: { kind: "tuple", parameters: [sessionParameter, turnParameter] },
  },
  docs: docs("Show what a turn changed", {
    more: "For a running turn, shows the changes so far. Skips files that git ignores.",
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
        brief: "State to restore: before or after the turn (before)",
        optional: true,
      },
      dryRun: toggle("Only print what would be done"),
      force: toggle("Also files that changed since; the current content is stored for undo"),
      undo: textFlag("Undo this revert", "revert"),
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
  docs: docs("Restore the files that a turn changed", {
    more: "Stores the current content first, so that the revert can be undone.",
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
      agent: { ...textFlag("Continue with another agent", "agent"), proposeCompletions: proposeAgents },
      model: textFlag("Continue with another model", "model"),
      files: {
        kind: "enum",
        values: ["lane", "here", "none"],
        brief: "Files of that turn in a new lane, restored here, or the current files",
        optional: true,
      },
    },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Create a session that continues from a turn of this one", {
    examples: ["gantry fork last", "gantry fork last --turn 2 --files here", "gantry fork last --agent codex"],
  }),
});

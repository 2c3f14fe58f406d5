import { buildCommand } from "@stricli/core";
import { docs, proposeSessions, textFlag, toggle } from "../parameters.ts";

export const comments = buildCommand({
  loader: async () => (await import("./comments.ts")).default,
  parameters: {
    flags: { old: toggle("The line number is that of the file before the changes") },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Session, then add, edit, resolve, open or rm with its arguments",
        placeholder: "session action",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("List, add and resolve comments on what a session changed", {
    more: "The agent gets open comments with your next message. They resolve when their lines change.",
    examples: [
      "gantry comments last",
      'gantry comments last add src/a.ts:12 "Why is this needed?"',
      'gantry comments last add src/a.ts:12-20 "Move this."',
      "gantry comments last resolve cmt_…",
    ],
    usage: "[flags] <session> [add <file:line[-line]> <text> | edit <comment> <text> | resolve|open|rm <comment>]",
  }),
});

export const commit = buildCommand({
  loader: async () => (await import("./commit.ts")).default,
  parameters: {
    flags: {
      message: textFlag("Commit message (the session's title and summary)", "text"),
      push: toggle("Push the branch afterwards"),
      pr: toggle("Push the branch and open a pull request afterwards"),
      staged: toggle("Only what is staged"),
      dryRun: toggle("Only print the branch, the number of changes and the suggested message"),
    },
    aliases: { m: "message", n: "dryRun" },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Session, then files (all)",
        placeholder: "session files",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("Commit what a session changed", {
    more: "Uses your identity, hooks and signature. Refuses while a turn runs in the folder.",
    examples: [
      "gantry commit last --dry-run",
      'gantry commit last -m "Sort the rows"',
      "gantry commit last src/a.ts --push",
      "gantry commit last --staged",
    ],
    usage: "[flags] <session> [files]",
  }),
});

export const stage = buildCommand({
  loader: async () => (await import("./stage.ts")).default,
  parameters: {
    flags: { remove: toggle("Unstage the files. The files themselves do not change") },
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Session, then files (lists the staged files)",
        placeholder: "session files",
        parse: String,
        proposeCompletions: proposeSessions,
      },
    },
  },
  docs: docs("Stage files that a session changed, or list the staged ones", {
    more: "Single hunks are staged in the page or with git add -p. Refuses while a turn runs in the folder.",
    examples: ["gantry stage last src/a.ts", "gantry stage last --remove src/a.ts", "gantry commit last --staged"],
    usage: "[flags] <session> [files]",
  }),
});

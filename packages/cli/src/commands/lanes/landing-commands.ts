import { buildCommand } from "@stricli/core";
import { docs, proposeLanes, textFlag, toggle } from "../parameters.ts";

const laneParameter = {
  brief: "Lane: name, id or part of it",
  placeholder: "lane",
  parse: String,
  proposeCompletions: proposeLanes,
} as const;

/** The subcommands of `gantry lanes` that land work on a base. */
export const landingCommands = {
  land: buildCommand({
    loader: async () => (await import("./landing.ts")).land,
    parameters: {
      flags: {
        how: {
          kind: "enum",
          values: ["merge", "squash", "rebase", "pr"],
          brief: "A merge commit, one commit, its commits on top, or a pull request (merge)",
          optional: true,
        },
        into: textFlag("Branch to land on (its base)", "branch"),
        message: textFlag("Commit message, or title and text of the pull request", "text"),
        noCommit: toggle("Refuse a lane with uncommitted changes instead of committing them"),
        remove: toggle("Remove the lane afterwards"),
        tellAgents: toggle("Also notify the agents of the other lanes"),
      },
      aliases: { m: "message" },
      positional: { kind: "tuple", parameters: [laneParameter] },
    },
    docs: docs("Land a lane on its base", {
      more: "A refusal (changes in the target, a conflict, a hook) changes nothing.",
      examples: ["gantry lanes land fix-claude", "gantry lanes land fix-claude --how squash --remove"],
    }),
  }),
  unland: buildCommand({
    loader: async () => (await import("./landing.ts")).unland,
    parameters: {
      positional: {
        kind: "tuple",
        parameters: [{ brief: "Landing (the last)", placeholder: "landing", parse: String, optional: true }],
      },
    },
    docs: docs("Move the base back to where it was before a landing", { examples: ["gantry lanes unland"] }),
  }),
  landings: buildCommand({
    loader: async () => (await import("./landing.ts")).landings,
    parameters: {},
    docs: docs("List what has landed", { examples: ["gantry lanes landings"] }),
  }),
  conflicts: buildCommand({
    loader: async () => (await import("./landing.ts")).conflicts,
    parameters: {
      flags: { cwd: textFlag("Only of the repository of this folder", "folder") },
      positional: { kind: "tuple", parameters: [{ ...laneParameter, optional: true }] },
    },
    docs: docs("Show which lanes conflict, and an order to land them in", {
      examples: ["gantry lanes conflicts", "gantry lanes conflicts fix-claude"],
    }),
  }),
  update: buildCommand({
    loader: async () => (await import("./landing.ts")).update,
    parameters: {
      flags: {
        how: {
          kind: "enum",
          values: ["rebase", "merge"],
          brief: "Its commits on top of the base, or the base into it (rebase)",
          optional: true,
        },
        dirty: toggle("Keep uncommitted changes instead of refusing"),
      },
      positional: { kind: "tuple", parameters: [laneParameter] },
    },
    docs: docs("Bring a lane up to date with its base", { examples: ["gantry lanes update fix-codex"] }),
  }),
};

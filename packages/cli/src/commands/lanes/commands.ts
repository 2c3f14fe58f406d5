import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, proposeLanes, textFlag, toggle } from "../parameters.ts";
import { landingCommands } from "./landing-commands.ts";

const lane = {
  brief: "Lane: name, id or part of it",
  placeholder: "lane",
  parse: String,
  proposeCompletions: proposeLanes,
} as const;
const one = { kind: "tuple", parameters: [lane] } as const;
const several = { kind: "array", minimum: 1, parameter: lane } as const;

const ls = buildCommand({
  loader: async () => (await import("./lanes.ts")).list,
  parameters: {
    flags: { all: toggle("Lanes of all known repositories"), archived: toggle("Include archived lanes") },
  },
  docs: docs("List the lanes of this repository, and worktrees that can be adopted", {
    examples: ["gantry lanes", "gantry lanes ls --all --json"],
  }),
});

const create = buildCommand({
  loader: async () => (await import("./lanes.ts")).create,
  parameters: {
    flags: {
      base: textFlag("Branch or commit to start from (HEAD)", "ref"),
      branch: textFlag("Use this existing branch", "branch"),
      prompt: textFlag("Task; the name is derived from it", "text"),
      agent: textFlag("Agent that will work there; a cheap model of it may improve the name", "agent"),
      cwd: textFlag("Folder in the repository (this one)", "folder"),
      noSetup: toggle("Skip copying files and the set-up command"),
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Its name", placeholder: "name", parse: String, optional: true }],
    },
  },
  docs: docs("Create a lane: a worktree with its own branch and ports", {
    more: ".gantry/lane.yml in the repository lists the untracked files to copy and the set-up command.",
    examples: ["gantry lanes new fix-login", 'gantry lanes new --prompt "Fix the login page" --base main'],
  }),
});

const adopt = buildCommand({
  loader: async () => (await import("./lanes.ts")).adopt,
  parameters: {
    flags: { name: textFlag("Name (that of the folder)", "name") },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Folder of the worktree", placeholder: "folder", parse: String }],
    },
  },
  docs: docs("Adopt an existing worktree; removing the lane leaves the worktree", {
    examples: ["gantry lanes adopt ../project-hotfix"],
  }),
});

const show = buildCommand({
  loader: async () => (await import("./lanes.ts")).show,
  parameters: { positional: one },
  docs: docs("Show one lane", { examples: ["gantry lanes show fix-login"] }),
});

const diff = buildCommand({
  loader: async () => (await import("./lanes.ts")).diff,
  parameters: {
    flags: { stat: toggle("Only files and line counts"), file: textFlag("Only this file", "path") },
    positional: one,
  },
  docs: docs("Show what a lane changed since its base, including uncommitted and untracked files", {
    examples: ["gantry lanes diff fix-login --stat", "gantry lanes diff fix-login | git apply --check"],
  }),
});

const rename = buildCommand({
  loader: async () => (await import("./lanes.ts")).rename,
  parameters: {
    positional: { kind: "tuple", parameters: [lane, { brief: "Its new name", placeholder: "name", parse: String }] },
  },
  docs: docs("Rename a lane, and its branch if that was never pushed", {
    examples: ['gantry lanes rename fix-login "Login page"'],
  }),
});

const archive = buildCommand({
  loader: async () => (await import("./lanes.ts")).archive,
  parameters: { flags: { undo: toggle("Restore it") }, positional: several },
  docs: docs("Archive lanes; nothing is deleted", { examples: ["gantry lanes archive fix-login"] }),
});

const setup = buildCommand({
  loader: async () => (await import("./lanes.ts")).setup,
  parameters: { flags: { again: toggle("Run it again") }, positional: one },
  docs: docs("Show what a lane's set-up printed, or run it again", {
    more: "Exits 1 when it failed.",
    examples: ["gantry lanes setup fix-login --again"],
  }),
});

const rm = buildCommand({
  loader: async () => (await import("./lane-removal.ts")).remove,
  parameters: {
    flags: { force: toggle("Also remove a lane that holds work or is in use; an undo ref stores the work") },
    positional: several,
  },
  docs: docs("Remove lanes and their branches; sessions remain", {
    more: "Without --force, refuses a lane with changed or untracked files, unmerged commits, a lock, or a process in it.",
    examples: ["gantry lanes rm fix-login", "gantry lanes rm --force fix-login && gantry lanes undo fix-login"],
  }),
});

const undo = buildCommand({
  loader: async () => (await import("./lane-removal.ts")).undo,
  parameters: {
    flags: { ref: textFlag("Older undo ref", "ref") },
    positional: { kind: "tuple", parameters: [{ ...lane, brief: "Removed lane", optional: true }] },
  },
  docs: docs("Restore a removed lane, or list those that can be restored", {
    examples: ["gantry lanes undo", "gantry lanes undo fix-login"],
  }),
});

const clean = buildCommand({
  loader: async () => (await import("./lane-removal.ts")).clean,
  parameters: {
    flags: { yes: toggle("Remove lanes without work, without asking"), all: toggle("In all repositories") },
  },
  docs: docs("List lanes that can be removed, and remove those without work", {
    examples: ["gantry lanes clean", "gantry lanes clean --yes"],
  }),
});

export const lanes = buildRouteMap({
  routes: { ls, new: create, show, diff, rename, archive, rm, undo, adopt, setup, clean, ...landingCommands },
  defaultCommand: "ls",
  docs: { brief: "Worktrees in which agents work side by side" },
});

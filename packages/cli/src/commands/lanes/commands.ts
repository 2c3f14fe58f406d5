import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, proposeLanes, textFlag, toggle } from "../parameters.ts";
import { landingCommands } from "./landing-commands.ts";

const lane = {
  brief: "Lane: its name, its id or the end of it",
  placeholder: "lane",
  parse: String,
  proposeCompletions: proposeLanes,
} as const;
const one = { kind: "tuple", parameters: [lane] } as const;
const several = { kind: "array", minimum: 1, parameter: lane } as const;

const ls = buildCommand({
  loader: async () => (await import("./lanes.ts")).list,
  parameters: {
    flags: { all: toggle("Of all repositories that Gantry knows"), archived: toggle("Archived ones too") },
  },
  docs: docs("List the lanes of this repository, and worktrees that can be adopted", {
    examples: ["gantry lanes", "gantry lanes ls --all --json"],
  }),
});

const create = buildCommand({
  loader: async () => (await import("./lanes.ts")).create,
  parameters: {
    flags: {
      base: textFlag("Branch or commit to begin from (what is checked out here)", "ref"),
      branch: textFlag("Work on this branch, which exists", "branch"),
      prompt: textFlag("What is to be done; the name is made from it", "text"),
      cwd: textFlag("A folder of the repository (this one)", "folder"),
      noSetup: toggle("Copy nothing and run no set-up command"),
    },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Its name", placeholder: "name", parse: String, optional: true }],
    },
  },
  docs: docs("Make a lane: a worktree with a branch and ports of its own", {
    more: "The repository's .gantry/lane.yml says which untracked files are copied and which command sets it up.",
    examples: ["gantry lanes new fix-login", 'gantry lanes new --prompt "Fix the login page" --base main'],
  }),
});

const adopt = buildCommand({
  loader: async () => (await import("./lanes.ts")).adopt,
  parameters: {
    flags: { name: textFlag("Its name (that of the folder)", "name") },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "Folder of the worktree", placeholder: "folder", parse: String }],
    },
  },
  docs: docs("Adopt a worktree that is there; removing it later leaves it there", {
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
    flags: { stat: toggle("Files and figures only"), file: textFlag("Only this file", "path") },
    positional: one,
  },
  docs: docs("Show what a lane has changed since it left its base, uncommitted and untracked files too", {
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
  parameters: { flags: { undo: toggle("Bring it back") }, positional: several },
  docs: docs("Put lanes away, out of lists; everything is kept", { examples: ["gantry lanes archive fix-login"] }),
});

const setup = buildCommand({
  loader: async () => (await import("./lanes.ts")).setup,
  parameters: { flags: { again: toggle("Run it once more") }, positional: one },
  docs: docs("Show what a lane's set-up printed, or run it again", {
    more: "Exits 1 when it failed.",
    examples: ["gantry lanes setup fix-login --again"],
  }),
});

const rm = buildCommand({
  loader: async () => (await import("./lane-removal.ts")).remove,
  parameters: {
    flags: { force: toggle("Also one that holds work or is in use; an undo ref keeps it") },
    positional: several,
  },
  docs: docs("Remove lanes and the branches that were made for them; sessions stay", {
    more: "Refused for a lane with changed or untracked files, commits that are nowhere else, a lock, or somebody in it.",
    examples: ["gantry lanes rm fix-login", "gantry lanes rm --force fix-login && gantry lanes undo fix-login"],
  }),
});

const undo = buildCommand({
  loader: async () => (await import("./lane-removal.ts")).undo,
  parameters: {
    flags: { ref: textFlag("An older undo ref of it", "ref") },
    positional: { kind: "tuple", parameters: [{ ...lane, brief: "Removed lane", optional: true }] },
  },
  docs: docs("Bring a removed lane back, or list those that can be had back", {
    examples: ["gantry lanes undo", "gantry lanes undo fix-login"],
  }),
});

const clean = buildCommand({
  loader: async () => (await import("./lane-removal.ts")).clean,
  parameters: {
    flags: { yes: toggle("Remove those that hold no work, without asking"), all: toggle("In all repositories") },
  },
  docs: docs("Say which lanes may go and why, and remove those that hold no work", {
    examples: ["gantry lanes clean", "gantry lanes clean --yes"],
  }),
});

export const lanes = buildRouteMap({
  routes: { ls, new: create, show, diff, rename, archive, rm, undo, adopt, setup, clean, ...landingCommands },
  defaultCommand: "ls",
  docs: { brief: "Worktrees in which agents work side by side" },
});

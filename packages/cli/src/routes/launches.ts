import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, proposeAgents, proposeLanes, proposeLaunches, textFlag, timeoutFlag, toggle } from "./define.ts";

const MODES = ["plan", "ask", "auto-edit", "full-auto", "inherit"] as const;

const slotFlag = {
  kind: "parsed",
  placeholder: "agent[:model[:mode]]",
  parse: String,
  optional: true,
  variadic: true,
  proposeCompletions: proposeAgents,
} as const;

const launchParameter = {
  brief: "Launch: its id or part of it, its name, or `last`",
  placeholder: "launch",
  parse: String,
  proposeCompletions: proposeLaunches,
} as const;

const laneParameter = {
  brief: "Lane: its name, id or part of it",
  placeholder: "lane",
  parse: String,
  proposeCompletions: proposeLanes,
} as const;

const launch = buildCommand({
  loader: async () => (await import("../commands/launch.ts")).default,
  parameters: {
    flags: {
      agent: { ...slotFlag, brief: "Agent, with a model and a mode if you like (may be repeated)" },
      slot: { ...slotFlag, brief: "The same as --agent" },
      mode: { kind: "enum", values: MODES, brief: "How much they may do without asking (ask)", optional: true },
      effort: textFlag("How hard the models think: low, medium, high …", "effort"),
      base: textFlag("Branch or commit to begin from (what is checked out)", "branch"),
      cwd: textFlag("A folder of the repository (this one)", "folder"),
      name: textFlag("What the lanes are called, before the agent's name", "name"),
      attach: {
        kind: "parsed",
        brief: "File or picture to send along (may be repeated)",
        placeholder: "file",
        parse: String,
        optional: true,
        variadic: true,
      },
      id: textFlag("Id of your own (lau_…); the same id twice is the same launch", "id"),
      detach: toggle("Start it and come back at once"),
    },
    aliases: { a: "agent", d: "detach" },
    positional: {
      kind: "array",
      parameter: { brief: "What to do; `-` or a pipe reads it from stdin", placeholder: "prompt", parse: String },
    },
  },
  docs: docs("Send one prompt to several agents, each in a lane of its own", {
    more: "Exits 0 when all completed, 1 when one failed, 4 when they wait for input. Ctrl-C leaves them running.",
    examples: [
      'gantry launch -a claude -a codex:gpt-5 "fix the failing test"',
      'gantry launch -a claude::full-auto -a opencode --base main "try it"',
    ],
    usage: '-a <agent> [-a <agent> …] [flags] "prompt"',
  }),
});

const launches = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("../commands/launches.ts")).list,
      parameters: {},
      docs: docs("List launches", { examples: ["gantry launches"] }),
    }),
    show: buildCommand({
      loader: async () => (await import("../commands/launches.ts")).show,
      parameters: { positional: { kind: "tuple", parameters: [launchParameter] } },
      docs: docs("Show one launch", { examples: ["gantry launches show last"] }),
    }),
    cancel: buildCommand({
      loader: async () => (await import("../commands/launches.ts")).cancel,
      parameters: {
        flags: { forget: toggle("Take it out of the list as well") },
        positional: { kind: "tuple", parameters: [launchParameter] },
      },
      docs: docs("Interrupt a launch and take away what nothing was sent to", {
        examples: ["gantry launches cancel last"],
      }),
    }),
    check: buildCommand({
      loader: async () => (await import("../commands/launches.ts")).check,
      parameters: {
        flags: { timeout: timeoutFlag },
        positional: {
          kind: "array",
          minimum: 1,
          parameter: {
            brief: "Launch, then the command",
            placeholder: "launch command",
            parse: String,
            proposeCompletions: proposeLaunches,
          },
        },
      },
      docs: docs("Run a command in each lane of a launch", {
        more: "Without a command, `check` of .gantry/lane.yml is run.",
        examples: ["gantry launches check last npm test"],
        usage: "[flags] <launch> [command]",
      }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "See and change launches" },
});

const compare = buildCommand({
  loader: async () => (await import("../commands/compare.ts")).default,
  parameters: {
    flags: {
      patch: toggle("Show the patches as well"),
      cwd: textFlag("Folder of the repository, where lanes are named", "folder"),
    },
    aliases: { p: "patch" },
    positional: {
      kind: "array",
      parameter: {
        brief: "A launch (`last`), or two and more lanes",
        placeholder: "launch|lanes",
        parse: String,
        proposeCompletions: proposeLaunches,
      },
    },
  },
  docs: docs("Put what agents did side by side", {
    examples: ["gantry compare", "gantry compare last --patch", "gantry compare fix-claude fix-codex"],
  }),
});

/** What is done with a lane when its work is done; they stand among the commands of lanes. */
export const landingCommands = {
  land: buildCommand({
    loader: async () => (await import("../commands/landing.ts")).land,
    parameters: {
      flags: {
        how: {
          kind: "enum",
          values: ["merge", "squash", "rebase", "pr"],
          brief: "A merge commit, one commit, its commits on top, or a pull request (merge)",
          optional: true,
        },
        into: textFlag("Branch to land on (the one it was begun from)", "branch"),
        message: textFlag("Message of the commit, or title and text of the request", "text"),
        noCommit: toggle("Refuse a lane with uncommitted changes in place of committing them"),
        remove: toggle("Remove the lane afterwards"),
        tellAgents: toggle("Tell the agents of the other lanes as well"),
      },
      aliases: { m: "message" },
      positional: { kind: "tuple", parameters: [laneParameter] },
    },
    docs: docs("Land a lane on its base", {
      more: "A refusal (changes in the target, a conflict, a hook) has changed nothing.",
      examples: ["gantry lanes land fix-claude", "gantry lanes land fix-claude --how squash --remove"],
    }),
  }),
  unland: buildCommand({
    loader: async () => (await import("../commands/landing.ts")).unland,
    parameters: {
      positional: {
        kind: "tuple",
        parameters: [{ brief: "Landing (the last)", placeholder: "landing", parse: String, optional: true }],
      },
    },
    docs: docs("Move the base back to where it was before a landing", { examples: ["gantry lanes unland"] }),
  }),
  landings: buildCommand({
    loader: async () => (await import("../commands/landing.ts")).landings,
    parameters: {},
    docs: docs("List what has landed", { examples: ["gantry lanes landings"] }),
  }),
  conflicts: buildCommand({
    loader: async () => (await import("../commands/landing.ts")).conflicts,
    parameters: {
      flags: { cwd: textFlag("Only of the repository of this folder", "folder") },
      positional: { kind: "tuple", parameters: [{ ...laneParameter, optional: true }] },
    },
    docs: docs("Show which lanes conflict, and an order to land them in", {
      examples: ["gantry lanes conflicts", "gantry lanes conflicts fix-claude"],
    }),
  }),
  update: buildCommand({
    loader: async () => (await import("../commands/landing.ts")).update,
    parameters: {
      flags: {
        how: {
          kind: "enum",
          values: ["rebase", "merge"],
          brief: "Its commits on top of the base, or the base into it (rebase)",
          optional: true,
        },
        dirty: toggle("Keep uncommitted changes in place of refusing"),
      },
      positional: { kind: "tuple", parameters: [laneParameter] },
    },
    docs: docs("Bring a lane up to date with its base", { examples: ["gantry lanes update fix-codex"] }),
  }),
};

export const launchRoutes = { launch, launches, compare };

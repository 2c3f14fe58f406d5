import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, MODES, proposeAgents, proposeLaunches, textFlag, timeoutFlag, toggle } from "../parameters.ts";

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

export const launch = buildCommand({
  loader: async () => (await import("./launch.ts")).default,
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

export const launches = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("./launches.ts")).list,
      parameters: {},
      docs: docs("List launches", { examples: ["gantry launches"] }),
    }),
    show: buildCommand({
      loader: async () => (await import("./launches.ts")).show,
      parameters: { positional: { kind: "tuple", parameters: [launchParameter] } },
      docs: docs("Show one launch", { examples: ["gantry launches show last"] }),
    }),
    cancel: buildCommand({
      loader: async () => (await import("./launches.ts")).cancel,
      parameters: {
        flags: { forget: toggle("Take it out of the list as well") },
        positional: { kind: "tuple", parameters: [launchParameter] },
      },
      docs: docs("Interrupt a launch and take away what nothing was sent to", {
        examples: ["gantry launches cancel last"],
      }),
    }),
    check: buildCommand({
      loader: async () => (await import("./launches.ts")).check,
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

export const compare = buildCommand({
  loader: async () => (await import("./compare.ts")).default,
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

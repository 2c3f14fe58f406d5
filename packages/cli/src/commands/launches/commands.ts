import { buildCommand, buildRouteMap } from "@stricli/core";
import {
  controlFlags,
  docs,
  folderFlag,
  modeFlag,
  proposeAgents,
  proposeLaunches,
  textFlag,
  timeoutFlag,
  toggle,
} from "../parameters.ts";

const slotFlag = {
  kind: "parsed",
  placeholder: "agent[:model[:mode]][,control=choice…]",
  parse: String,
  optional: true,
  variadic: true,
  proposeCompletions: proposeAgents,
} as const;

const launchParameter = {
  brief: "Launch: id or part of it, name, or `last`",
  placeholder: "launch",
  parse: String,
  proposeCompletions: proposeLaunches,
} as const;

export const launch = buildCommand({
  loader: async () => (await import("./launch.ts")).default,
  parameters: {
    flags: {
      agent: { ...slotFlag, brief: "Agent, optionally with model and mode (can be repeated)" },
      slot: { ...slotFlag, brief: "The same as --agent" },
      mode: modeFlag("What they may do without asking (ask)"),
      effort: textFlag("Reasoning effort: low, medium, high …", "effort"),
      ...controlFlags,
      base: textFlag("Branch or commit to start from (HEAD)", "branch"),
      cwd: textFlag("Folder in the repository (this one)", "folder"),
      addDir: folderFlag("Further folder in which all agents may work (can be repeated)"),
      name: textFlag("Prefix of the lane names", "name"),
      attach: {
        kind: "parsed",
        brief: "File or image to attach (can be repeated)",
        placeholder: "file",
        parse: String,
        optional: true,
        variadic: true,
      },
      id: textFlag("Idempotency id (lau_…): the same id twice is the same launch", "id"),
      detach: toggle("Start it and return at once"),
    },
    aliases: { a: "agent", d: "detach" },
    positional: {
      kind: "array",
      parameter: { brief: "Prompt; `-` or a pipe reads it from stdin", placeholder: "prompt", parse: String },
    },
  },
  docs: docs("Send one prompt to several agents, each in a separate lane", {
    more: "Exits 0 if all completed, 1 if one failed, 4 if they wait for input. Ctrl-C leaves them running.",
    examples: [
      'gantry launch -a claude -a codex:gpt-5 "fix the failing test"',
      'gantry launch -a claude::full-auto -a opencode --base main "try it"',
      'gantry launch -a codex -a codex,fast=on "is fast as good?"',
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
        flags: { forget: toggle("Also remove it from the list") },
        positional: { kind: "tuple", parameters: [launchParameter] },
      },
      docs: docs("Interrupt a launch and remove lanes that received no prompt", {
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
        more: "Without a command, runs `check` of .gantry/lane.yml.",
        examples: ["gantry launches check last npm test"],
        usage: "[flags] <launch> [command]",
      }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "List and manage launches" },
});

export const compare = buildCommand({
  loader: async () => (await import("./compare.ts")).default,
  parameters: {
    flags: {
      patch: toggle("Show the patches as well"),
      cwd: textFlag("Folder of the repository, for lane names", "folder"),
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
  docs: docs("Compare the work of several agents", {
    examples: ["gantry compare", "gantry compare last --patch", "gantry compare fix-claude fix-codex"],
  }),
});

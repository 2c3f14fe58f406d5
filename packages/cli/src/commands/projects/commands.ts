import { projectColors } from "@gantry/protocol";
import { buildCommand, buildRouteMap } from "@stricli/core";
import { controlFlags, docs, modeFlag, proposeAgents, sessionParameter, textFlag } from "../parameters.ts";

const projectParameter = {
  brief: "Name, id or folder (the folder you are in)",
  placeholder: "project",
  optional: true,
  parse: String,
} as const;
const one = { kind: "tuple", parameters: [projectParameter] } as const;
const projectFlag = textFlag("Project: name, id or folder (the folder you are in)", "project");

const list = buildCommand({
  loader: async () => (await import("./projects.ts")).list,
  parameters: {},
  docs: docs("List the projects", { examples: ["gantry projects", "gantry projects --json"] }),
});

const show = buildCommand({
  loader: async () => (await import("./projects.ts")).show,
  parameters: { positional: one },
  docs: docs("Show a project: its defaults, set-up, check and pins", {
    examples: ["gantry projects show", "gantry projects show shop --json"],
  }),
});

const add = buildCommand({
  loader: async () => (await import("./projects.ts")).add,
  parameters: { positional: { kind: "tuple", parameters: [{ ...projectParameter, placeholder: "folder" }] } },
  docs: docs("Add the repository of a folder, or the folder itself", {
    more: "Repositories with sessions are listed without it.",
    examples: ["gantry projects add", "gantry projects add ~/notes"],
  }),
});

const set = buildCommand({
  loader: async () => (await import("./projects.ts")).set,
  parameters: {
    flags: {
      name: textFlag("Display name; `default` for the name of the folder", "name"),
      color: { kind: "enum", values: [...projectColors, "default"], brief: "Colour", optional: true },
      agent: {
        kind: "parsed",
        brief: "Agent of new sessions; `default` removes it",
        placeholder: "agent",
        parse: String,
        optional: true,
        proposeCompletions: proposeAgents,
      },
      model: textFlag("Model of new sessions; `default` removes it", "model"),
      mode: modeFlag("Mode of new sessions; `default` removes it"),
      effort: textFlag("Effort of new sessions; `default` removes it", "effort"),
      ...controlFlags,
      setup: textFlag("Command that prepares a lane; `default` removes it", "command"),
      check: textFlag("Command that verifies a lane; `default` removes it", "command"),
    },
    aliases: { a: "agent", m: "model" },
    positional: one,
  },
  docs: docs("Change name, colour, defaults, set-up and check of a project", {
    more: "Defaults go to .gantry/project.yml, set-up and check to .gantry/lane.yml. What you set here is trusted.",
    examples: [
      "gantry projects set --name Shop --color violet",
      'gantry projects set shop -a codex --check "npm test"',
    ],
  }),
});

const pinParameters = {
  flags: { project: projectFlag },
  positional: {
    kind: "array",
    parameter: { ...sessionParameter, brief: "Sessions; none: the project itself" },
  },
} as const;

const pin = buildCommand({
  loader: async () => (await import("./projects.ts")).pin,
  parameters: pinParameters,
  docs: docs("Pin a project, or sessions in their project", {
    examples: ["gantry projects pin", "gantry projects pin last", "gantry projects pin --project shop"],
  }),
});

const unpin = buildCommand({
  loader: async () => (await import("./projects.ts")).unpin,
  parameters: pinParameters,
  docs: docs("Unpin a project, or sessions", { examples: ["gantry projects unpin", "gantry projects unpin last"] }),
});

const rm = buildCommand({
  loader: async () => (await import("./projects.ts")).remove,
  parameters: { positional: one },
  docs: docs("Remove name, colour and pins of a project", {
    more: "Files and sessions stay. A repository with sessions stays in the list.",
    examples: ["gantry projects rm notes"],
  }),
});

export const projects = buildRouteMap({
  routes: { list, show, add, set, pin, unpin, rm },
  defaultCommand: "list",
  docs: { brief: "Repositories with a name, a colour, defaults and pins" },
});

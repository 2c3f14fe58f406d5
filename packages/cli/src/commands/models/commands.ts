import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, textFlag, toggle } from "../parameters.ts";

export const models = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("./models.ts")).list,
      parameters: {
        flags: {
          all: toggle("Also models of providers where nobody is logged in"),
          provider: textFlag("Only this provider", "provider"),
          refresh: toggle("Ask providers that can be asked which models they have"),
        },
        positional: {
          kind: "tuple",
          parameters: [
            {
              brief: "Part of a name, or a pattern with * and ?",
              placeholder: "pattern",
              optional: true,
              parse: String,
            },
          ],
        },
      },
      docs: docs("List the models of Gantry's own agent", {
        more: "First by what their makers call them, then by provider. ✓ marks those that can be used now.",
        examples: ["gantry models", "gantry models list sonnet --all", "gantry models list --provider openai --json"],
      }),
    }),
    resolve: buildCommand({
      loader: async () => (await import("./models.ts")).resolve,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [
            {
              brief: "provider/id, a maker's name, part of a name, or a role; :level at the end",
              placeholder: "selector",
              parse: String,
            },
          ],
        },
      },
      docs: docs("Say which model a selector means, and why", {
        examples: ["gantry models resolve claude-opus-4-8:high", "gantry models resolve gantry/executor --json"],
      }),
    }),
    profiles: buildCommand({
      loader: async () => (await import("./models.ts")).profiles,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [
            { brief: "Show what this one gives to each role", placeholder: "name", optional: true, parse: String },
          ],
        },
      },
      docs: docs("List the profiles, or show one", {
        more: "A profile names a model for each role. It can be used when somebody is logged in at every provider it needs.",
        examples: ["gantry models profiles", "gantry models profiles codex-eco"],
      }),
    }),
    add: buildCommand({
      loader: async () => (await import("./models.ts")).add,
      parameters: {
        flags: {
          preset: {
            kind: "enum",
            values: ["minimax", "minimax-cn", "glm", "zai", "z-ai"],
            brief: "Which provider to write into models.yml",
          },
        },
      },
      docs: docs("Write a provider into models.yml", {
        more: "No key is written: the file names the environment variable that holds it. Comments stay.",
        examples: ["gantry models add --preset glm"],
      }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "Models of Gantry's own agent: list, resolve, profiles, add" },
});

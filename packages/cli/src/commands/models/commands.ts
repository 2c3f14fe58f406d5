import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, textFlag, toggle } from "../parameters.ts";

export const models = buildRouteMap({
  routes: {
    list: buildCommand({
      loader: async () => (await import("./models.ts")).list,
      parameters: {
        flags: {
          all: toggle("Include providers without a login"),
          provider: textFlag("Only this provider", "provider"),
          refresh: toggle("Query providers for their models"),
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
        more: "By name, then by provider. ✓ marks usable models.",
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
              brief: "provider/id, part of a name, or a role; optionally with :level",
              placeholder: "selector",
              parse: String,
            },
          ],
        },
      },
      docs: docs("Show which model a selector resolves to, and why", {
        examples: ["gantry models resolve claude-opus-4-8:high", "gantry models resolve gantry/executor --json"],
      }),
    }),
    profiles: buildCommand({
      loader: async () => (await import("./models.ts")).profiles,
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [
            { brief: "Show the models of this profile", placeholder: "name", optional: true, parse: String },
          ],
        },
      },
      docs: docs("List the profiles, or show one", {
        more: "A profile selects a model for each role. It is usable if you are logged in to every provider it needs.",
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
            brief: "Provider to add to models.yml",
          },
        },
      },
      docs: docs("Add a provider to models.yml", {
        more: "Stores no key: the file names the environment variable with the key. Comments are preserved.",
        examples: ["gantry models add --preset glm"],
      }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "Models of Gantry's own agent: list, resolve, profiles, add" },
});

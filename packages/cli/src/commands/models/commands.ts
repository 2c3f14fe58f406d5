import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs, textFlag, toggle } from "../parameters.ts";

const oneProvider = { brief: "Provider id", placeholder: "provider", parse: String } as const;

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
      loader: async () => (await import("./providers.ts")).add,
      parameters: {
        flags: {
          preset: {
            kind: "enum",
            values: ["minimax", "minimax-cn", "glm", "zai", "z-ai"],
            brief: "Provider to add to models.yml",
            optional: true,
          },
          url: textFlag("URL of the server", "url"),
          api: textFlag("Wire format (openai-completions)", "api"),
          model: {
            kind: "parsed",
            parse: String,
            brief: "Id of a model (can be repeated; default: ask the server)",
            placeholder: "id",
            optional: true,
            variadic: true,
          },
          keyVariable: textFlag("Environment variable with the key (from the name)", "name"),
          key: toggle("Read the key from the terminal or a pipe and store it"),
          keyless: toggle("The server needs no key"),
          noTest: toggle("Do not send a test request"),
        },
        positional: { kind: "tuple", parameters: [{ ...oneProvider, optional: true }] },
      },
      docs: docs("Add a provider to models.yml", {
        more: "The file names the environment variable with the key; with --key the key goes to the credential store, never into the file. Comments are preserved. If there is a key, one short request tests the provider.",
        examples: [
          "gantry models add --preset glm",
          "gantry models add mine --url http://127.0.0.1:8000/v1 --keyless --no-test",
        ],
      }),
    }),
    remove: buildCommand({
      loader: async () => (await import("./providers.ts")).remove,
      parameters: { positional: { kind: "tuple", parameters: [oneProvider] } },
      docs: docs("Remove a provider from models.yml", {
        more: "Stored keys stay: see `gantry auth logout`. Comments outside of the entry are preserved.",
        examples: ["gantry models remove glm-proxy"],
      }),
    }),
    test: buildCommand({
      loader: async () => (await import("./providers.ts")).test,
      parameters: { positional: { kind: "tuple", parameters: [oneProvider] } },
      docs: docs("Test a provider with one short request", { examples: ["gantry models test openai"] }),
    }),
    providers: buildCommand({
      loader: async () => (await import("./providers.ts")).providers,
      parameters: {},
      docs: docs("List the providers of models.yml and those with a credential", {
        examples: ["gantry models providers"],
      }),
    }),
  },
  defaultCommand: "list",
  docs: { brief: "Models of Gantry's own agent: list, resolve, profiles, add, test" },
});

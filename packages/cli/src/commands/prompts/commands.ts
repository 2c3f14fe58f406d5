import { buildCommand, buildRouteMap } from "@stricli/core";
import { docs } from "../parameters.ts";

const nameParameter = { brief: "Name of the prompt", placeholder: "name", parse: String };

const list = buildCommand({
  loader: async () => (await import("./prompts.ts")).list,
  parameters: {},
  docs: docs("List the saved prompts", { examples: ["gantry prompts", "gantry prompts list --json"] }),
});

const show = buildCommand({
  loader: async () => (await import("./prompts.ts")).show,
  parameters: { positional: { kind: "tuple", parameters: [nameParameter] } },
  docs: docs("Print the text of a saved prompt", {
    examples: ["gantry prompts show review", 'gantry send last "$(gantry prompts show review)"'],
  }),
});

const save = buildCommand({
  loader: async () => (await import("./prompts.ts")).save,
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "Name of the prompt, then its text", placeholder: "name text", parse: String },
    },
  },
  docs: docs("Save a prompt under a name", {
    more: "Without a text it reads the text from stdin. A prompt with the same name is replaced.",
    examples: ['gantry prompts save review "Review the last change."', "gantry prompts save review < review.md"],
  }),
});

const rm = buildCommand({
  loader: async () => (await import("./prompts.ts")).rm,
  parameters: { positional: { kind: "tuple", parameters: [nameParameter] } },
  docs: docs("Delete a saved prompt", { examples: ["gantry prompts rm review"] }),
});

export const prompts = buildRouteMap({
  routes: { list, show, save, rm },
  defaultCommand: "list",
  docs: { brief: "Prompts to use again in any session" },
});

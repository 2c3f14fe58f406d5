import { buildChoiceParser, buildCommand } from "@stricli/core";
import { docs } from "../parameters.ts";

export const completion = buildCommand({
  loader: async () => (await import("./completion.ts")).completion,
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "bash, zsh or fish",
          placeholder: "shell",
          parse: buildChoiceParser(["bash", "zsh", "fish"]),
          proposeCompletions: () => ["bash", "zsh", "fish"],
        },
      ],
    },
  },
  docs: docs("Print a completion script for a shell", {
    examples: [
      'eval "$(gantry completion bash)"    # in ~/.bashrc',
      'eval "$(gantry completion zsh)"     # in ~/.zshrc',
      "gantry completion fish | source      # in config.fish",
    ],
  }),
});

/** Called by the completion scripts with the arguments typed so far. */
export const complete = buildCommand({
  loader: async () => (await import("./completion.ts")).complete,
  parameters: {
    positional: {
      kind: "array",
      parameter: { brief: "Arguments typed so far", placeholder: "argument", parse: String },
    },
  },
  docs: docs("Print completions", { examples: ["gantry __complete -- run --a"] }),
});

export const help = buildCommand({
  loader: async () => (await import("./completion.ts")).help,
  parameters: { positional: { kind: "array", parameter: { brief: "Command", placeholder: "command", parse: String } } },
  docs: docs("Show help for a command", { examples: ["gantry help", "gantry help run"] }),
});

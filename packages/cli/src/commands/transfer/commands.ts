import { buildChoiceParser, buildCommand } from "@stricli/core";
import { docs, proposeAgents, sessionParameter, textFlag, toggle } from "../parameters.ts";

export const exportCommand = buildCommand({
  loader: async () => (await import("./export.ts")).default,
  parameters: {
    flags: {
      output: textFlag("File to write, `-` for stdout (named after the session)", "file"),
      format: {
        kind: "parsed",
        brief: "gantry (for another machine), html, md or jsonl (by the file's name, else gantry)",
        placeholder: "format",
        optional: true,
        parse: buildChoiceParser(["gantry", "html", "md", "jsonl"] as const),
      },
      redact: toggle("Shorten paths and hide what looks like a secret"),
    },
    aliases: { o: "output", f: "format" },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Write a session to a file", {
    more: "With its events, large outputs and what its turns changed; without keys and without the values of variables.",
    examples: ["gantry export last", "gantry export last -o session.html --redact", "gantry export last -f md -o -"],
  }),
});

export const importCommand = buildCommand({
  loader: async () => (await import("./import.ts")).default,
  parameters: {
    flags: {
      agent: { ...textFlag("Only this agent's conversations", "agent"), proposeCompletions: proposeAgents },
      list: toggle("List what there is, also when something is named"),
      all: toggle("List conversations of all folders"),
      cwd: textFlag("Folder to list (this one), or to go on in (its own)", "folder"),
      again: toggle("Take in what was added since it was imported"),
    },
    aliases: { a: "agent", l: "list" },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "A file that `gantry export` wrote, or an agent's conversation by its id or file",
          placeholder: "file|conversation",
          optional: true,
          parse: String,
        },
      ],
    },
  },
  docs: docs("Make a session of an agent's own conversation or of an exported file", {
    more: "Without a name it lists the conversations that agents have on disk, whoever began them; no agent is started.",
    examples: [
      "gantry import",
      "gantry import --all --agent codex",
      "gantry import 1efe02d0",
      "gantry import session.gantry --cwd .",
    ],
  }),
});

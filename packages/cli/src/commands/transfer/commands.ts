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
      redact: toggle("Shorten paths and redact likely secrets"),
    },
    aliases: { o: "output", f: "format" },
    positional: { kind: "tuple", parameters: [sessionParameter] },
  },
  docs: docs("Write a session to a file", {
    more: "Includes events, large outputs and the changes of its turns; excludes keys and the values of variables.",
    examples: ["gantry export last", "gantry export last -o session.html --redact", "gantry export last -f md -o -"],
  }),
});

export const importCommand = buildCommand({
  loader: async () => (await import("./import.ts")).default,
  parameters: {
    flags: {
      agent: { ...textFlag("Only this agent's conversations", "agent"), proposeCompletions: proposeAgents },
      list: toggle("List conversations even if a name is given"),
      all: toggle("List conversations of all folders"),
      cwd: textFlag("Folder to list (this one), or to continue in (its own)", "folder"),
      again: toggle("Import what was added since the last import"),
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
  docs: docs("Import an agent's own conversation or an exported file as a session", {
    more: "Without a name, lists the conversations that agents have on disk, also those started outside Gantry. Starts no agent.",
    examples: [
      "gantry import",
      "gantry import --all --agent codex",
      "gantry import 1efe02d0",
      "gantry import session.gantry --cwd .",
    ],
  }),
});

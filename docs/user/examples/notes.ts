import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionApi } from "@gantry/agent/extensions";

/** Notes for this folder: a tool that writes them, a command that shows them, a hook, and a model that repeats you. */
export default function notes(gantry: ExtensionApi) {
  const file = join(gantry.cwd, "NOTES.md");
  const read = () => (existsSync(file) ? readFileSync(file, "utf8") : "There are no notes yet.");

  gantry.registerTool({
    name: "note",
    label: "Note",
    description: "Stores a short note for later sessions.",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    actions: () => [{ kind: "file.write", path: "NOTES.md" }],
    title: ({ text }) => `Note: ${text}`,
    run({ text }) {
      appendFileSync(file, `- ${text}\n`);
      gantry.ui.setStatus("notes", `${read().split("\n").length - 1} notes`);
      return `Stored: ${text}`;
    },
    render: () => ["a note was stored"],
  });

  gantry.registerCommand("notes", {
    description: "Shows the notes of this folder",
    argumentHint: "[ask|confirm]",
    async run(args, { ui }) {
      if (args === "ask") return { prompt: "Summarise NOTES.md in one sentence." };
      if (args !== "confirm") return read();
      return (await ui.confirm("Notes", "Is everything noted?")) ? "Good." : "Not confirmed.";
    },
  });

  gantry.on("before_tool", ({ name, args }) => {
    if (name === "bash" && /\bgit\s+push\b/.test(String(args.command))) return { deny: "Pushing is up to the user." };
    if (name === "note") return { args: { text: String(args.text).trim() } };
  });

  gantry.registerProvider("repeat", {
    models: [{ id: "last", name: "Repeats your last message", contextWindow: 32_000, maxTokens: 4_000 }],
    async *stream({ messages }) {
      const last = messages.findLast(({ role }) => role === "user");
      yield "You wrote: ";
      yield typeof last?.content === "string" ? last.content : JSON.stringify(last?.content);
      yield { type: "usage", input: 10, output: 5 };
    },
  });
}

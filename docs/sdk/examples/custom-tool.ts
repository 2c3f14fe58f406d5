// A tool with a Zod schema that declares what it does, so that the permission mode decides about it.
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { createAgentSession, createTool, ToolError } from "@gantry/agent";
import { z } from "zod";

const log = createTool({
  name: "log",
  description: "Appends a line to a log file.",
  schema: z.object({ file: z.string().describe("Path of the file"), line: z.string() }),
  // Without `actions`, every mode except plan allows the call.
  actions: ({ file }, { cwd }) => [{ kind: "file.write", path: resolve(cwd, file) }],
  async run({ file, line }, { cwd, signal, progress }) {
    if (line.includes("\n")) throw new ToolError("A line has no line break.");
    signal.throwIfAborted();
    progress(`writing ${file}\n`);
    appendFileSync(resolve(cwd, file), `${line}\n`);
    return `Appended to ${file}.`;
  },
});

const { session } = await createAgentSession({
  tools: [log],
  toolNames: ["read"],
  approve: ({ title, actions }) => {
    console.log("asked:", title, actions.map(({ kind }) => kind).join(", "));
    return true;
  },
});
session.on("tool_execution_end", ({ toolName, isError }) => console.log(toolName, isError ? "failed" : "done"));
await session.prompt(process.argv[2] ?? "Log the line “started” to app.log.");
await session.dispose();

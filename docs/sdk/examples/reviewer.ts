// A reviewer that can read and search, and nothing else.
import { createAgentSession } from "@gantry/agent";

const { session } = await createAgentSession({
  mode: "plan",
  toolNames: ["read", "grep", "find"],
  lsp: false,
  mcp: false,
  store: "memory",
  appendSystemPrompt: "You review code. List defects with file and line, the most serious first. Change nothing.",
});

session.on("tool_execution_start", ({ toolName, args }) => console.log(toolName, JSON.stringify(args)));
const { reason, text } = await session.prompt(process.argv[2] ?? "Review the last change in this folder.");
console.log(text);
await session.dispose();
process.exitCode = reason === "completed" ? 0 : 1;

// The program decides about each call that needs approval. Writing to this folder is fine; all else is denied.
import { sep } from "node:path";
import { type ApproveCallback, createAgentSession } from "@gantry/agent";

const approve: ApproveCallback = ({ toolName, actions, preview }) => {
  const inside = (path: string) => path.startsWith(process.cwd() + sep);
  const isFine = actions.every((action) => action.kind === "file.write" && inside(action.path));
  console.log(isFine ? "allowed" : "denied", toolName, preview ?? "");
  return isFine ? "once" : { decision: "deny", reason: "Only files of this folder may be written." };
};

const { session } = await createAgentSession({ mode: "ask", approve });
session.on("tool_execution_end", ({ toolName, isError }) => console.log(toolName, isError ? "was refused" : "ran"));
await session.prompt(process.argv[2] ?? "Write hello.txt.");
await session.dispose();

import { McpServer, type ServerContext, type Tool as ToolListing } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Coordinator, mayDecide } from "./coordinator.ts";
import { registerPrompts } from "./prompts.ts";
import { registerLanes } from "./resources/lanes.ts";
import { registerSessions } from "./resources/sessions.ts";
import { allTools } from "./tools/all-tools.ts";
import { runTool, type Tool } from "./tools/define-tool.ts";

const INSTRUCTIONS = `Gantry runs coding agents behind durable sessions. start_session gives a task to an agent, in a folder or in a lane (a separate git worktree); wait_for_session waits for it; read_session shows its transcript or diff; compare_lanes compares the work of several agents. A session waits when its agent needs an approval: a person answers it, unless answer_input is listed.`;

/** The coordinator as an MCP server for one connection or one request. All rights are those of its client's credential. */
export function createCoordinatorServer(coordinator: Coordinator): McpServer {
  const server = new McpServer(
    { name: "gantry", title: "Gantry", version: coordinator.version },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: true } } },
  );
  for (const tool of allTools) registerTool(server, coordinator, tool);
  registerSessions(server, coordinator);
  registerLanes(server, coordinator);
  registerPrompts(server, coordinator);
  // A tool without its grant is not listed. A call of it still gets the reason instead of an unknown name.
  server.server.setRequestHandler("tools/list", async () => {
    const isGranted = await mayDecide(coordinator);
    return { tools: allTools.filter(({ needsGrant }) => !needsGrant || isGranted).map(listingOf) };
  });
  return server;
}

function registerTool(server: McpServer, coordinator: Coordinator, tool: Tool): void {
  const { name, title, description, input, output, annotations } = tool;
  server.registerTool(
    name,
    { title, description, inputSchema: input, outputSchema: output, annotations: { title, ...annotations } },
    (args: Record<string, unknown>, context: ServerContext) => runTool(tool, coordinator, args, context),
  );
}

/** The schemas do not change, so each is converted once per process. */
const listings = new Map<string, ToolListing>();

function listingOf(tool: Tool): ToolListing {
  const known = listings.get(tool.name);
  if (known) return known;
  const { name, title, description, annotations } = tool;
  const listing = {
    ...{ name, title, description, annotations: { title, ...annotations } },
    inputSchema: z.toJSONSchema(tool.input, { io: "input" }),
    outputSchema: z.toJSONSchema(tool.output),
  } as ToolListing;
  listings.set(name, listing);
  return listing;
}

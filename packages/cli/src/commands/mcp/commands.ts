import { buildCommand } from "@stricli/core";
import { docs, textFlag, toggle } from "../parameters.ts";

export const mcp = buildCommand({
  loader: async () => (await import("./mcp.ts")).default,
  parameters: {
    flags: {
      lead: toggle("List answer_input and land_lane, for a client with your own token"),
      session: textFlag("Only with the token of this session, from the environment of its agent", "id"),
      offer: {
        kind: "enum",
        values: ["off", "leads", "all"],
        brief: "Give this server to no agent, to those of leads, or to all; then exit",
        optional: true,
      },
    },
  },
  docs: docs("Serve the MCP coordinator on stdin and stdout", {
    more: "For MCP clients: tools to start sessions, send messages, wait, read and compare. With GANTRY_URL and GANTRY_TOKEN\nof a session it has the rights of that session, otherwise yours. See docs/user/mcp.md.",
    examples: ["gantry mcp", "gantry mcp --lead", "gantry mcp --offer all"],
  }),
});

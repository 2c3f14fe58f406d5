import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A logged call. */
export type McpServerCall = { tool: string; input: Record<string, unknown>; key: string | null };

/** A small real MCP server on stdio: how to start it, and the calls in its `LIGHTHOUSE_LOG`. */
export const mcpServer = {
  command: [process.execPath, fileURLToPath(new URL("main.ts", import.meta.url))],
  calls(file: string): McpServerCall[] {
    try {
      const lines = readFileSync(file, "utf8").trim().split("\n");
      return lines.map((line) => JSON.parse(line) as McpServerCall);
    } catch {
      return [];
    }
  },
};

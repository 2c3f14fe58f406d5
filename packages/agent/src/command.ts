/** What the command line needs. Not part of the SDK. */
import type { TerminalOptions } from "./modes/terminal/terminal.ts";

export { ToolError } from "./contract/tool.ts";
export type { ExtensionRow } from "./extensions/list.ts";
export { runJson, runPrint } from "./modes/print.ts";
export { listExtensions, setExtensionEnabled } from "./start/extensions/list-extensions.ts";
export type { AgentOptions } from "./start/options.ts";
export { startAgent } from "./start/start-agent.ts";
export { readMcpServers } from "./tools/mcp/config.ts";
export { loginToMcp } from "./tools/mcp/login.ts";
export { storedLogins } from "./tools/mcp/logins.ts";

/** Loads the terminal's toolkit, which other modes do not need, and runs the agent on a terminal. */
export async function runTerminal(options: TerminalOptions): Promise<number> {
  const { runTerminal: run } = await import("./modes/terminal/terminal.ts");
  return run(options);
}

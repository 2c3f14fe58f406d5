/** What the command line needs. Not part of the SDK. */
export { ToolError } from "./contract/tool.ts";
export type { ExtensionRow } from "./extensions/list.ts";
export { runJson, runPrint } from "./modes/print.ts";
export { runTerminal } from "./modes/terminal/terminal.ts";
export { listExtensions, setExtensionEnabled } from "./start/extensions/list-extensions.ts";
export type { AgentOptions } from "./start/options.ts";
export { startAgent } from "./start/start-agent.ts";
export { readMcpServers } from "./tools/mcp/config.ts";
export { loginToMcp } from "./tools/mcp/login.ts";
export { storedLogins } from "./tools/mcp/logins.ts";

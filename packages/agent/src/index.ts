export * from "./contract/events.ts";
export * from "./contract/messages.ts";
export type { Secrets, SessionStores } from "./contract/ports.ts";
export * from "./contract/rules.ts";
export * from "./contract/session.ts";
export * from "./contract/session-store.ts";
export * from "./contract/tool.ts";
export { exportHtml } from "./export/html/export-html.ts";
export { createGateBroker, type GateBroker, GateError, type GateOutcome, type GateRequest } from "./gates/broker.ts";
export { ACTION_CLASSES, type Declaration } from "./gates/declaration.ts";
export { answerFaults, type GateSchema, schemaProblem } from "./gates/schema.ts";
export { type Gate, openGateStore, type Resolution } from "./gates/store.ts";
export * from "./gates/unattended.ts";
export { toModelMessages } from "./loop/to-model.ts";
export { createMemory, MEMORY_DEFAULTS, type MemoryOptions } from "./memory/create-memory.ts";
export * from "./memory/port.ts";
export { type PrintOptions, runJson, runPrint } from "./modes/print.ts";
export { runTerminal, type TerminalOptions } from "./modes/terminal/terminal.ts";
export * from "./permissions/action.ts";
export * from "./permissions/bash/classify.ts";
export * from "./permissions/decide.ts";
export * from "./permissions/grants.ts";
export type { LoginProvider, LoginSteps, RpcServices } from "./rpc/handlers.ts";
export { createRpcHost, type RpcHost } from "./rpc/host/rpc-host.ts";
export { type RpcServer, serveRpc } from "./rpc/serve.ts";
export { COMMANDS, readInbound } from "./rpc/wire/commands.ts";
export { createFrameWriter, type FrameWriter } from "./rpc/wire/writer.ts";
export { createRules, type RulesOptions } from "./rules/create-rules.ts";
export * from "./sandbox/profile.ts";
export * from "./sandbox/sandbox.ts";
export { createSecrets, type SecretsOptions } from "./secrets/secrets.ts";
export { createAgentSession } from "./session/create.ts";
export type { AgentSessionOptions, Decide } from "./session/options.ts";
export { branchPoint, branchSession } from "./session-files/branch-session.ts";
export { continueRecent, findSession, listSessions } from "./session-files/listing.ts";
export {
  type CreateOptions,
  createSessionStore,
  type ForkOptions,
  forkSession,
  type OpenOptions,
  openSessionStore,
} from "./session-files/open.ts";
export { agentDirectory, type Place } from "./session-files/paths.ts";
export * from "./session-files/tree.ts";
export { type LoadedSettings, loadSettings } from "./settings/load.ts";
export { DEFAULT_SETTINGS, type Settings, settingsSchema } from "./settings/schema.ts";
export type { AgentOptions } from "./start/options.ts";
export { type StartedAgent, startAgent } from "./start/start-agent.ts";
export { type Assignment, type TaskParts, taskTool } from "./tasks/task-tool.ts";
export * from "./tools/bash/shell.ts";
export * from "./tools/checkpoint/tools.ts";
export * from "./tools/define.ts";
export * from "./tools/edit/tool.ts";
export * from "./tools/exec-tools.ts";
export * from "./tools/fetch/page.ts";
export * from "./tools/file-tools.ts";
export { readMcpServers } from "./tools/mcp/config.ts";
export { loginToMcp, type McpLoginOptions } from "./tools/mcp/login.ts";
export { type McpLogins, storedLogins } from "./tools/mcp/logins.ts";
export * from "./tools/mcp/mcp-tools.ts";
export * from "./tools/resolve/tool.ts";
export * from "./tools/todo/tool.ts";
export * from "./tools/urls/router.ts";
export type { TrustPlace } from "./trust/project-trust.ts";

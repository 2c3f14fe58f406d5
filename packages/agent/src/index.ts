/** The SDK: everything here is documented in docs/sdk. */
export type {
  Api,
  AssistantMessage,
  Credential,
  Credentials,
  ImageBlock,
  Message,
  Model,
  ModelRegistry,
  ModelRequest,
  StreamEvent,
  StreamModel,
  TextBlock,
  ThinkingLevel,
  ToolCall,
  ToolSpec,
} from "@gantry/models";
export { streamModel } from "@gantry/models";
export type { TodoPhase, TodoTask } from "./contract/events.ts";
export type { AgentMessage, CustomMessage } from "./contract/messages.ts";
export type { Guard, SessionStores } from "./contract/ports.ts";
export type { RuleSummary, Rules } from "./contract/rules.ts";
export {
  type BashResult,
  type CustomInput,
  type CustomOptions,
  type Disposition,
  LoginRequiredError,
  type PromptOptions,
  type QueueOptions,
  SandboxRequiredError,
  SessionError,
  type SessionState,
  type SessionStats,
} from "./contract/session.ts";
export type {
  AssistantMessageEvent,
  SessionEvent,
  SessionEventOf,
  SessionEventType,
} from "./contract/session-event.ts";
export type {
  Branch,
  Entry,
  EntryBody,
  SessionHeader,
  SessionStore,
  SessionSummary,
} from "./contract/session-store.ts";
export {
  type Answer,
  type Question,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolOutput,
  type UrlHandler,
} from "./contract/tool.ts";
export type { DialogOptions, UserInterface } from "./contract/ui.ts";
export { exportHtml } from "./export/html/export-html.ts";
export type { Action, Approval, ApprovalRequest, PermissionMode } from "./permissions/action.ts";
export { createRules, type RulesOptions } from "./rules/create-rules.ts";
export { createAgentSession } from "./sdk/create-agent-session.ts";
export {
  buildSystemPrompt,
  type DiscoveredSkill,
  type DiscoverPlace,
  discoverContextFiles,
  discoverCredentials,
  discoverModels,
  discoverPromptTemplates,
  discoverSettings,
  discoverSkills,
  isolatedSettings,
  type PromptTemplate,
  type SystemPromptOptions,
} from "./sdk/discover.ts";
export type { EmbeddedSession, RunResult, UserMessageOptions } from "./sdk/embedded-session.ts";
export { createKeys, createModelList, type ModelInput } from "./sdk/models.ts";
export type { CreateAgentSessionOptions, CreateAgentSessionResult } from "./sdk/options.ts";
export type { AnswerCallback, ApprovalReply, ApproveCallback } from "./sdk/person.ts";
export { sessions } from "./sdk/sessions.ts";
export { createTool, type JsonTool, type ZodTool } from "./sdk/tool.ts";
export { setLabel } from "./session-files/tree.ts";
export type { Settings } from "./settings/schema.ts";

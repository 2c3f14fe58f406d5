import { randomUUID } from "node:crypto";
import type { Ending } from "@gantry/scripted/agent";
import type { Json } from "@gantry/scripted/json";

export const VERSION = "2.1.325";
export const DEFAULT_MODEL = "claude-opus-5-5";
export const PERMISSION_MODES = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

const TOOLS = [
  "Task",
  "AskUserQuestion",
  "Bash",
  "Edit",
  "EnterPlanMode",
  "ExitPlanMode",
  "Read",
  "TodoWrite",
  "Write",
];
const COMMANDS = [
  {
    name: "compact",
    description: "Free up context by summarizing the conversation so far",
    argumentHint: "",
    builtin: true,
  },
  { name: "code-review", description: "Review the current diff", argumentHint: "[target]", builtin: true },
];
const EFFORTS = ["low", "medium", "high", "xhigh", "max"];

export const MODELS = [
  model("default", DEFAULT_MODEL, "Default (recommended)"),
  model("opus", DEFAULT_MODEL, "Opus"),
  model("sonnet", "claude-sonnet-5-5", "Sonnet"),
  model("haiku", "claude-haiku-5-5", "Haiku"),
];

function model(value: string, resolvedModel: string, displayName: string): Json {
  return {
    value,
    resolvedModel,
    displayName,
    description: `${displayName}, played from a script`,
    supportsEffort: true,
    supportedEffortLevels: EFFORTS,
    supportsAdaptiveThinking: true,
  };
}

/** Common data of a session's frames. */
export interface SessionState {
  id: string;
  cwd: string;
  model: string;
  mode: string;
}

export function initFrame(session: SessionState, messages: string[]): Json {
  return {
    type: "system",
    subtype: "init",
    cwd: session.cwd,
    session_id: session.id,
    tools: TOOLS,
    mcp_servers: [],
    model: session.model,
    permissionMode: session.mode,
    slash_commands: COMMANDS.map((command) => command.name),
    terminal_slash_commands: [],
    apiKeySource: "ANTHROPIC_API_KEY",
    claude_code_version: VERSION,
    output_style: "default",
    agents: ["claude", "Explore", "general-purpose", "Plan"],
    skills: [],
    plugins: [],
    capabilities: ["interrupt_receipt_v1", "msg_lifecycle_v1"],
    analytics_disabled: true,
    uuid: randomUUID(),
    original_cwd: session.cwd,
    additional_directories: [],
    fast_mode_state: "off",
    ...(messages.length > 0 ? { user_message_uuids: messages } : {}),
  };
}

export function initializeResponse(session: SessionState): Json {
  return {
    commands: COMMANDS,
    agents: [{ name: "general-purpose", description: "General-purpose agent" }],
    output_style: "default",
    available_output_styles: ["default", "Explanatory", "Learning"],
    models: MODELS,
    account: { tokenSource: "none", apiKeySource: "ANTHROPIC_API_KEY", apiProvider: "firstParty" },
    pid: process.pid,
    claude_code_version: VERSION,
    current_permission_mode: session.mode,
    session_state: "idle",
    capabilities: [],
  };
}

/** Token usage for a number of model requests, in Anthropic's format. */
export function usageOf(rounds: number): Json {
  return {
    input_tokens: 1200 * rounds,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 300 * rounds,
    output_tokens: 57 * rounds,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  };
}

export const PARTIAL_USAGE = {
  input_tokens: 1200,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 300,
  output_tokens: 1,
  service_tier: "standard",
};

/** The fields that every result line has. */
export function resultFrame(session: SessionState, rounds: number, ending: Ending | null, more: Json): Json {
  const usage = {
    inputTokens: 1200 * rounds,
    outputTokens: 57 * rounds,
    cacheReadInputTokens: 300 * rounds,
    cacheCreationInputTokens: 0,
    costUSD: 0.006 * rounds,
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
  };
  return {
    type: "result",
    duration_ms: ending?.durationMs ?? 0,
    duration_api_ms: ending?.durationMs ?? 0,
    session_id: session.id,
    total_cost_usd: 0.006 * rounds,
    usage: usageOf(rounds),
    modelUsage: rounds > 0 ? { [session.model]: usage } : {},
    permission_denials: [],
    num_turns: rounds,
    uuid: randomUUID(),
    queued_turn_count: 0,
    result_index: 0,
    ...more,
  };
}

/** Claude Code's messages for provider failures, by Gantry's category. */
export const API_ERRORS: Record<string, { error: string; status: number | null; text: string; reason?: string }> = {
  auth: { error: "authentication_failed", status: 401, text: "Invalid API key · Fix external API key" },
  rate_limit: { error: "rate_limit", status: 429, text: "API Error: Request rejected (429) · Rate limit exceeded" },
  overloaded: { error: "server_error", status: 529, text: "API Error: 529 Overloaded." },
  billing: { error: "billing_error", status: 400, text: "Credit balance is too low" },
  quota: { error: "rate_limit", status: 429, text: "You've hit your usage limit" },
  model_unavailable: {
    error: "model_not_found",
    status: 404,
    text: "There's an issue with the selected model (nope).",
  },
  context_overflow: { error: "invalid_request", status: 400, text: "Prompt is too long", reason: "prompt_too_long" },
  network: { error: "server_error", status: null, text: "API Error: Connection refused (ECONNREFUSED)" },
  refused: { error: "invalid_request", status: null, text: "API Error: safeguards flagged this message" },
  unknown: { error: "server_error", status: 500, text: "API Error: 500 Internal server error." },
};

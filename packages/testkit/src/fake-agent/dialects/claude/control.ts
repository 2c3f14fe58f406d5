import { randomUUID } from "node:crypto";
import { asText, type Json } from "@gantry/scripted/json";
import { DEFAULT_MODEL, initializeResponse, MODELS, PERMISSION_MODES, type SessionState, VERSION } from "./frames.ts";

/** The outcome of a control request, with the lines to print. */
export interface ControlResult {
  response?: Json;
  error?: { message: string; code: string };
  before?: Json[];
  after?: Json[];
}

/** Answers a control request of the host, except `interrupt`. May change the session. */
export function answerControl(request: Json, session: SessionState, launchedToBypass: boolean): ControlResult {
  switch (request.subtype) {
    case "initialize":
      return { response: initializeResponse(session) };
    case "list_models":
      return { response: { models: MODELS } };
    case "set_permission_mode":
      return setMode(asText(request.mode), session, launchedToBypass);
    case "set_model":
      return setModel(request.model, session);
    case "set_max_thinking_tokens":
      return {};
    case "mcp_status":
      return { response: { mcpServers: [] } };
    case "get_settings":
      return { response: { effective: {}, sources: [], applied: { model: session.model, effort: "medium" } } };
    case "get_binary_version":
      return { response: { version: VERSION, buildTime: "2026-11-13T18:52:23Z" } };
    case "get_context_usage":
      return { response: { categories: CONTEXT, totalTokens: 14_404, maxTokens: 1_000_000, percentage: 1 } };
    default: {
      const message = `Unsupported control request subtype: ${asText(request.subtype)}`;
      return { error: { message, code: "unsupported_request" } };
    }
  }
}

/** Categories of a real answer. */
const CONTEXT = [
  { id: "system_prompt", name: "System prompt", tokens: 11_106, kind: "used" },
  { id: "system_tools_deferred", name: "System tools (deferred)", tokens: 9542, isDeferred: true, kind: "deferred" },
  { id: "skills", name: "Skills", tokens: 2064, kind: "used" },
  { id: "messages", name: "Messages", tokens: 1234, kind: "used" },
  { id: "autocompact_buffer", name: "Autocompact buffer", tokens: 33_000, kind: "buffer" },
  { id: "free_space", name: "Free space", tokens: 952_596, kind: "free" },
];

function setMode(mode: string, session: SessionState, launchedToBypass: boolean): ControlResult {
  if (!PERMISSION_MODES.includes(mode)) {
    const message = `Cannot set permission mode: must be one of ${PERMISSION_MODES.join(", ")}`;
    return { error: { message, code: "invalid_mode" } };
  }
  if (mode === "bypassPermissions" && !launchedToBypass) {
    const message =
      "Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions";
    return { error: { message, code: "bypass_not_launched" } };
  }
  session.mode = mode;
  const status = { type: "system", subtype: "status", status: null, permissionMode: mode };
  return { response: { mode }, after: [{ ...status, uuid: randomUUID(), session_id: session.id }] };
}

function setModel(wanted: unknown, session: SessionState): ControlResult {
  const alias = MODELS.find((model) => model.value === wanted)?.resolvedModel;
  session.model = asText(alias) || asText(wanted) || DEFAULT_MODEL;
  const response = { model: session.model };
  if (wanted === null) return { response };
  const content = `<local-command-stdout>Set model to \`${session.model}\`</local-command-stdout>`;
  const line = { type: "user", message: { role: "user", content }, session_id: session.id, parent_tool_use_id: null };
  return { response, before: [{ ...line, uuid: randomUUID(), timestamp: new Date().toISOString(), isReplay: true }] };
}

import { z } from "zod";

/** Strict schemas of all frames that a client may receive: no missing and no additional fields. */
const text = z.strictObject({ type: z.literal("text"), text: z.string(), textSignature: z.string().optional() });
const image = z.strictObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() });
const thinking = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  thinkingSignature: z.string().optional(),
  redacted: z.boolean().optional(),
});
const toolCall = z.strictObject({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  thoughtSignature: z.string().optional(),
  intent: z.string().optional(),
});
const count = z.int().nonnegative();
const money = z.number().nonnegative();
const usage = z.strictObject({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  reasoningTokens: count.optional(),
  totalTokens: count,
  cost: z.strictObject({ input: money, output: money, cacheRead: money, cacheWrite: money, total: money }),
});
const messageContent = z.union([z.string(), z.array(z.union([text, image]))]);
const timestamp = z.int();
export const level = z.enum(["off", "minimal", "low", "medium", "high", "xhigh"]);
const assistant = z.strictObject({
  role: z.literal("assistant"),
  content: z.array(z.discriminatedUnion("type", [text, thinking, toolCall])),
  api: z.string(),
  provider: z.string(),
  model: z.string(),
  responseId: z.string().optional(),
  usage,
  stopReason: z.enum(["stop", "length", "toolUse", "error", "aborted"]),
  rawStopReason: z.string().optional(),
  errorMessage: z.string().optional(),
  failure: z.looseObject({ category: z.string(), message: z.string() }).optional(),
  thinkingLevel: level.optional(),
  timestamp,
  durationMs: z.number().optional(),
  ttft: z.number().optional(),
});
const toolResult = z.strictObject({
  role: z.literal("toolResult"),
  toolCallId: z.string(),
  toolName: z.string(),
  content: z.array(z.union([text, image])),
  details: z.unknown().optional(),
  isError: z.boolean(),
  prunedAt: timestamp.optional(),
  timestamp,
});
export const message = z.discriminatedUnion("role", [
  assistant,
  toolResult,
  z.strictObject({ role: z.literal("user"), content: messageContent, timestamp }),
  z.strictObject({ role: z.literal("developer"), content: messageContent, timestamp }),
  z.strictObject({
    role: z.literal("bashExecution"),
    command: z.string(),
    output: z.string(),
    exitCode: z.int().optional(),
    cancelled: z.boolean(),
    truncated: z.boolean(),
    artifactId: z.string().optional(),
    excludeFromContext: z.boolean().optional(),
    timestamp,
  }),
  z.strictObject({
    role: z.literal("custom"),
    customType: z.string(),
    content: messageContent,
    display: z.boolean(),
    details: z.unknown().optional(),
    timestamp,
  }),
  z.strictObject({ role: z.literal("branchSummary"), summary: z.string(), fromId: z.string(), timestamp }),
  z.strictObject({ role: z.literal("compactionSummary"), summary: z.string(), tokensBefore: count, timestamp }),
]);

const price = { input: money, output: money, cacheRead: money, cacheWrite: money };
export const model = z.strictObject({
  id: z.string(),
  name: z.string(),
  api: z.string(),
  provider: z.string(),
  baseUrl: z.string(),
  reasoning: z.boolean(),
  thinking: z
    .strictObject({
      minLevel: level,
      maxLevel: level,
      mode: z.string(),
      defaultLevel: level.optional(),
      levels: z.array(level).optional(),
    })
    .optional(),
  input: z.array(z.enum(["text", "image"])),
  cost: z.strictObject({ ...price, tiers: z.array(z.looseObject(price)).optional() }),
  contextWindow: count,
  maxTokens: count,
  compat: z.looseObject({}).optional(),
  keyless: z.boolean().optional(),
});
const todo = z.strictObject({
  id: z.string().optional(),
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "abandoned"]),
  notes: z.string().optional(),
  details: z.string().optional(),
});
export const phases = z.array(z.strictObject({ id: z.string().optional(), name: z.string(), tasks: z.array(todo) }));
const contextUsage = z.strictObject({
  tokens: z.number().nullable(),
  contextWindow: count,
  percent: z.number().nullable(),
});
const queueMode = z.enum(["all", "one-at-a-time"]);
export const state = z.strictObject({
  model: model.optional(),
  thinkingLevel: level,
  mode: z.enum(["plan", "ask", "auto-edit", "full-auto"]),
  isStreaming: z.boolean(),
  isCompacting: z.boolean(),
  steeringMode: queueMode,
  followUpMode: queueMode,
  interruptMode: z.enum(["immediate", "wait"]),
  sessionFile: z.string().optional(),
  sessionId: z.string(),
  sessionName: z.string().optional(),
  autoCompactionEnabled: z.boolean(),
  autoRetryEnabled: z.boolean(),
  messageCount: count,
  queuedMessageCount: count,
  pendingMessageCount: count,
  todoPhases: phases,
  contextUsage: contextUsage.optional(),
  systemPrompt: z.array(z.string()).min(1).optional(),
  dumpTools: z
    .array(z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }))
    .min(1)
    .optional(),
});
export const stats = z.strictObject({
  sessionFile: z.string().optional(),
  sessionId: z.string(),
  userMessages: count,
  assistantMessages: count,
  toolCalls: count,
  toolResults: count,
  totalMessages: count,
  tokens: z.strictObject({ input: count, output: count, cacheRead: count, cacheWrite: count, total: count }),
  premiumRequests: count,
  cost: money,
  contextUsage: contextUsage.optional(),
});
export const bash = z.strictObject({
  output: z.string(),
  exitCode: z.int().optional(),
  cancelled: z.boolean(),
  truncated: z.boolean(),
  totalLines: count,
  totalBytes: count,
  outputLines: count,
  outputBytes: count,
  artifactId: z.string().optional(),
});
export const compaction = z.strictObject({
  summary: z.string().min(1),
  shortSummary: z.string().optional(),
  firstKeptEntryId: z.string(),
  tokensBefore: count,
  usage: usage.optional(),
  details: z.unknown().optional(),
});

const empty = z.strictObject({ role: z.literal("assistant"), content: z.array(z.never()) });
/** Empty, or the message so far with `--full-updates`. */
const updated = z.union([empty, assistant]);
const place = { contentIndex: count, partial: updated };
const delta = z.string();
const piece = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text_start"), ...place }),
  z.strictObject({ type: z.literal("thinking_start"), ...place }),
  z.strictObject({ type: z.literal("toolcall_start"), id: z.string(), toolName: z.string(), ...place }),
  z.strictObject({ type: z.enum(["text_delta", "thinking_delta", "toolcall_delta"]), delta, ...place }),
  z.strictObject({ type: z.enum(["text_end", "thinking_end"]), content: z.string(), ...place }),
  z.strictObject({ type: z.literal("toolcall_end"), toolCall, invalid: z.string().optional(), ...place }),
]);
const result = z.strictObject({ content: z.array(z.union([text, image])), details: z.unknown().optional() });
const call = { toolCallId: z.string(), toolName: z.string() };
const action = z.enum(["context-full", "handoff"]);
const ended = {
  action,
  result: z.unknown().optional(),
  aborted: z.boolean(),
  willRetry: z.boolean(),
  errorMessage: z.string().optional(),
  skipped: z.boolean().optional(),
};
const events: Record<string, z.ZodRawShape> = {
  agent_start: {},
  agent_end: { messages: z.array(message), willRetry: z.literal(false) },
  agent_settled: {
    reason: z.enum(["completed", "aborted", "error", "budget"]),
    errorMessage: z.string().optional(),
  },
  turn_start: {},
  turn_end: { message: assistant, toolResults: z.array(toolResult) },
  message_start: { message, promptId: z.string().optional() },
  message_update: { message: updated, assistantMessageEvent: piece },
  message_end: { message },
  tool_execution_start: { ...call, args: z.unknown(), intent: z.string().optional() },
  tool_execution_update: { ...call, args: z.unknown(), delta, offset: count, partialResult: result },
  tool_execution_end: { ...call, result: z.looseObject(result.shape), isError: z.boolean(), durationMs: money },
  auto_compaction_start: { reason: z.enum(["threshold", "overflow", "idle"]), action },
  auto_compaction_end: ended,
  compaction_start: { reason: z.literal("manual") },
  compaction_end: { ...ended, reason: z.literal("manual") },
  auto_retry_start: { attempt: count, maxAttempts: count, delayMs: money, errorMessage: z.string() },
  auto_retry_end: { success: z.boolean(), attempt: count, finalError: z.string().optional() },
  queue_update: { steering: z.array(z.string()), followUp: z.array(z.string()) },
  model_changed: { model: z.string(), thinkingLevel: level },
  thinking_level_changed: { thinkingLevel: level },
  session_info_changed: { name: z.string().optional() },
  todos_changed: { phases },
  bash_execution_update: { id: z.string().optional(), delta },
  job_started: { jobId: z.string(), command: z.string(), toolCallId: z.string().optional() },
  job_updated: { jobId: z.string(), url: z.url() },
  job_ended: {
    jobId: z.string(),
    status: z.enum(["done", "failed", "cancelled"]),
    exitCode: z.number().int().optional(),
    summary: z.string(),
  },
  notice: { level: z.enum(["info", "warning", "error"]), message: z.string(), source: z.string().optional() },
};

export const gate = z.strictObject({
  type: z.literal("workflow_gate"),
  gate_id: z.string().regex(/^wg_[0-9a-f]{8}_[a-z-]+_\d{6}$/),
  stage: z.enum(["deep-interview", "ralplan", "ultragoal"]),
  kind: z.enum(["question", "approval", "execution"]),
  schema: z.looseObject({}),
  schema_hash: z.string().length(64),
  options: z.array(z.string()).min(1).optional(),
  context: z.looseObject({ title: z.string() }),
  created_at: z.iso.datetime(),
  required: z.literal(true),
});
const id = z.string();
const uiRequest = <Method extends string>(method: Method) => ({
  type: z.literal("extension_ui_request"),
  id,
  method: z.literal(method),
});
const frames: Record<string, z.ZodType> = {
  ready: z.strictObject({
    type: z.literal("ready"),
    protocol_version: z.literal(2),
    server: z.literal("gantry"),
    version: z.string(),
    session_id: z.string(),
  }),
  response: z.discriminatedUnion("success", [
    z.strictObject({
      id,
      type: z.literal("response"),
      command: z.string(),
      success: z.literal(true),
      data: z.looseObject({}).nullable().optional(),
    }),
    z.strictObject({
      id: id.optional(),
      type: z.literal("response"),
      command: z.string(),
      success: z.literal(false),
      error: z.union([z.string().min(1), z.looseObject({ code: z.string() })]),
    }),
  ]),
  event: z.strictObject({
    type: z.literal("event"),
    protocol_version: z.literal(2),
    session_id: z.string(),
    seq: z.int().positive(),
    frame_id: z.string(),
    payload: z.strictObject({ event_type: z.string(), event: z.looseObject({ type: z.string() }) }),
  }),
  workflow_gate: gate,
  extension_ui_request: z.discriminatedUnion("method", [
    z.strictObject({
      type: z.literal("extension_ui_request"),
      id,
      method: z.literal("select"),
      title: z.string(),
      options: z.array(z.string()).min(1),
      timeout: count.optional(),
      approval: z.looseObject({ toolCallId: z.string(), toolName: z.string() }).optional(),
      question: z.looseObject({ question: z.string() }).optional(),
    }),
    z.strictObject({
      ...uiRequest("confirm"),
      title: z.string(),
      message: z.string(),
      timeout: count.optional(),
    }),
    z.strictObject({
      ...uiRequest("input"),
      title: z.string(),
      placeholder: z.string().optional(),
      timeout: count.optional(),
    }),
    z.strictObject({
      ...uiRequest("editor"),
      title: z.string(),
      prefill: z.string().optional(),
      timeout: count.optional(),
    }),
    z.strictObject({
      ...uiRequest("notify"),
      message: z.string(),
      notifyType: z.enum(["info", "warning", "error"]).optional(),
      url: z.url().optional(),
      instructions: z.string().optional(),
    }),
    z.strictObject({ ...uiRequest("setStatus"), statusKey: z.string(), statusText: z.string().optional() }),
    z.strictObject({
      ...uiRequest("setWidget"),
      widgetKey: z.string(),
      widgetLines: z.array(z.string()).optional(),
      widgetPlacement: z.enum(["aboveEditor", "belowEditor"]).optional(),
    }),
    z.strictObject({ ...uiRequest("set_editor_text"), text: z.string() }),
    z.strictObject({
      type: z.literal("extension_ui_request"),
      id,
      method: z.literal("cancel"),
      targetId: z.string(),
    }),
  ]),
  extension_error: z.strictObject({
    type: z.literal("extension_error"),
    extensionPath: z.string(),
    event: z.string(),
    error: z.string(),
  }),
  host_tool_call: z.strictObject({
    type: z.literal("host_tool_call"),
    id,
    ...call,
    arguments: z.record(z.string(), z.unknown()),
  }),
  host_tool_cancel: z.strictObject({ type: z.literal("host_tool_cancel"), id, targetId: z.string() }),
  host_uri_request: z.strictObject({
    type: z.literal("host_uri_request"),
    id,
    operation: z.enum(["read", "write"]),
    url: z.string(),
    content: z.string().optional(),
  }),
  host_uri_cancel: z.strictObject({ type: z.literal("host_uri_cancel"), id, targetId: z.string() }),
};

/** Throws for an unknown frame type, and for any missing, invalid or unknown field. */
export function readFrame(frame: Record<string, unknown>): void {
  const kind = String(frame.type);
  const schema = frames[kind];
  if (!schema) throw new Error(`There is no frame ${kind}.`);
  schema.parse(frame);
  if (kind !== "event") return;
  const { event_type, event } = frame.payload as { event_type: string; event: { type: string } };
  if (event_type !== event.type) throw new Error(`${event_type} is ${event.type} inside.`);
  const shape = events[event_type];
  if (!shape) throw new Error(`There is no event ${event_type}.`);
  z.strictObject({ type: z.literal(event_type), ...shape }).parse(event);
}

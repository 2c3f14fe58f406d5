import { EFFORTS, once } from "@gantry/models";
import { z } from "zod";

/** The scope that a command requires in unattended mode. */
export type Scope =
  | "prompt"
  | "session"
  | "message:read"
  | "control"
  | "model"
  | "bash"
  | "export"
  | "host_tools"
  | "host_uri"
  | "admin";

export const SCOPES: readonly Scope[] = [
  "prompt",
  "session",
  "message:read",
  "control",
  "model",
  "bash",
  "export",
  "host_tools",
  "host_uri",
  "admin",
];

type Command<Schema> = { readonly scope: Scope; readonly schema: Schema };

function command<Schema>(scope: Scope, build: () => Schema): Command<Schema> {
  const schema = once(build);
  return {
    scope,
    get schema() {
      return schema();
    },
  };
}

const image = once(() => z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() }));
const message = once(() => z.object({ message: z.string(), images: z.array(image()).nullish() }));
/** When the session is idle, a queued message waits for the next prompt unless `startIfIdle` is set. */
const queued = once(() => message().extend({ startIfIdle: z.boolean().nullish() }));
const nothing = once(() => z.object({}));
const entry = once(() => z.object({ entryId: z.string().min(1) }));
const enabled = once(() => z.object({ enabled: z.boolean() }));
const queueMode = once(() => z.object({ mode: z.enum(["all", "one-at-a-time"]) }));
const instructions = once(() => z.object({ customInstructions: z.string().nullish() }));

const task = once(() =>
  z.object({
    id: z.string().nullish(),
    content: z.string().min(1),
    status: z.enum(["pending", "in_progress", "completed", "abandoned"]).default("pending"),
    notes: z.union([z.string(), z.array(z.string())]).nullish(),
    details: z.string().nullish(),
  }),
);
const phase = once(() =>
  z.object({ id: z.string().nullish(), name: z.string().min(1), tasks: z.array(task()).default([]) }),
);
export type TodoPhaseInput = z.infer<ReturnType<typeof phase>>;

const hostTool = once(() =>
  z.object({
    name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
    label: z.string().nullish(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    hidden: z.boolean().nullish(),
  }),
);
const hostScheme = once(() =>
  z.object({
    scheme: z.string().regex(/^[A-Za-z][A-Za-z0-9+.-]*$/, "must be the scheme of a URL, without ://"),
    description: z.string().nullish(),
    writable: z.boolean().nullish(),
    immutable: z.boolean().nullish(),
  }),
);
export type HostToolDefinition = z.infer<ReturnType<typeof hostTool>>;
export type HostSchemeDefinition = z.infer<ReturnType<typeof hostScheme>>;

/** All commands with their fields besides `id` and `type`. Validation, scopes and docs derive from this table. */
export const COMMANDS = {
  prompt: command("prompt", () => message().extend({ streamingBehavior: z.enum(["steer", "followUp"]).nullish() })),
  steer: command("prompt", queued),
  follow_up: command("prompt", queued),
  abort: command("prompt", nothing),
  abort_and_prompt: command("prompt", message),
  clear_queue: command("prompt", nothing),
  resume_queue: command("prompt", nothing),
  cancel_message: command("prompt", () => z.object({ messageId: z.string().min(1) })),
  workflow_gate_response: command("prompt", () =>
    z.object({
      gate_id: z.string().min(1),
      answer: z.unknown().optional(),
      idempotency_key: z.string().min(1).nullish(),
    }),
  ),
  get_pending_workflow_gates: command("prompt", nothing),

  new_session: command("session", () => z.object({ parentSession: z.string().nullish() })),
  switch_session: command("session", () => z.object({ sessionPath: z.string().min(1) })),
  branch: command("session", entry),
  fork: command("session", entry),
  clone: command("session", nothing),
  navigate_tree: command("session", () =>
    entry().extend({ ...instructions().shape, summarize: z.boolean().nullish(), label: z.string().nullish() }),
  ),
  get_branch_messages: command("session", nothing),
  get_fork_messages: command("session", nothing),
  set_session_name: command("session", () => z.object({ name: z.string() })),

  get_state: command("message:read", () =>
    z.object({ include: z.array(z.enum(["tools", "dumpTools", "systemPrompt"])).nullish() }),
  ),
  get_session_stats: command("message:read", nothing),
  get_last_assistant_text: command("message:read", nothing),
  get_messages: command("message:read", nothing),
  get_entries: command("message:read", () => z.object({ since: z.string().nullish() })),
  get_tree: command("message:read", nothing),
  get_commands: command("message:read", nothing),

  set_todos: command("control", () => z.object({ phases: z.array(phase()) })),
  set_steering_mode: command("control", queueMode),
  set_follow_up_mode: command("control", queueMode),
  set_interrupt_mode: command("control", () => z.object({ mode: z.enum(["immediate", "wait"]) })),
  set_mode: command("control", () => z.object({ mode: z.enum(["plan", "ask", "auto-edit", "full-auto"]) })),
  set_workflow_gates: command("control", enabled),
  compact: command("control", instructions),
  set_auto_compaction: command("control", enabled),
  set_auto_retry: command("control", enabled),
  abort_retry: command("control", nothing),
  negotiate_unattended: command("control", () => z.object({ declaration: z.unknown().optional() })),

  set_model: command("model", () => z.object({ provider: z.string().min(1), modelId: z.string().min(1) })),
  cycle_model: command("model", nothing),
  get_available_models: command("model", nothing),
  set_thinking_level: command("model", () => z.object({ level: z.enum(["inherit", "off", ...EFFORTS]) })),
  cycle_thinking_level: command("model", nothing),
  get_available_thinking_levels: command("model", nothing),

  bash: command("bash", () => z.object({ command: z.string().min(1), excludeFromContext: z.boolean().nullish() })),
  abort_bash: command("bash", nothing),
  stop_job: command("bash", () => z.object({ jobId: z.string().min(1) })),
  export_html: command("export", () => z.object({ outputPath: z.string().nullish() })),
  set_host_tools: command("host_tools", () => z.object({ tools: z.array(hostTool()) })),
  set_host_uri_schemes: command("host_uri", () => z.object({ schemes: z.array(hostScheme()) })),
  handoff: command("admin", instructions),
  get_login_providers: command("admin", nothing),
  login: command("admin", () => z.object({ providerId: z.string().min(1) })),
} as const satisfies Record<string, Command<z.ZodObject>>;

export type CommandName = keyof typeof COMMANDS;
export type CommandInput<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]["schema"]>;

/** Answers of the host. They get no response. */
const content = once(() => z.array(z.union([z.object({ type: z.literal("text"), text: z.string() }), image()])));
const toolResult = once(() => z.object({ content: content(), details: z.unknown().optional() }));
export const ANSWERS = {
  extension_ui_response: once(() =>
    z.object({
      id: z.string(),
      value: z.string().nullish(),
      confirmed: z.boolean().nullish(),
      cancelled: z.boolean().nullish(),
      timedOut: z.boolean().nullish(),
      args: z.record(z.string(), z.unknown()).nullish(),
      reason: z.string().nullish(),
      /** All answers to a question at once, including free text. */
      selected: z.array(z.string()).nullish(),
    }),
  ),
  host_tool_update: once(() => z.object({ id: z.string(), partialResult: toolResult() })),
  host_tool_result: once(() => z.object({ id: z.string(), result: toolResult(), isError: z.boolean().nullish() })),
  host_uri_result: once(() =>
    z.object({
      id: z.string(),
      content: z.string().nullish(),
      contentType: z.string().nullish(),
      notes: z.array(z.string()).nullish(),
      immutable: z.boolean().nullish(),
      isError: z.boolean().nullish(),
      error: z.string().nullish(),
    }),
  ),
} as const;

export type AnswerName = keyof typeof ANSWERS;
export type HostAnswer<Name extends AnswerName> = z.infer<ReturnType<(typeof ANSWERS)[Name]>>;

/** The client's identifier of a command, returned unchanged. */
export type Id = unknown;

export type Inbound =
  | { kind: "command"; id?: Id; name: CommandName; input: Record<string, unknown> }
  | { kind: "answer"; name: AnswerName; answer: Record<string, unknown> }
  /** `command` is the name that the sender used, if any. */
  | { kind: "wrong"; id?: Id; command: string; error: string };

/** Parses one line. Never throws; `id` and the command's name are returned even if the rest is invalid. */
export function readInbound(line: string): Inbound {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch (error) {
    return { kind: "wrong", command: "parse", error: `Failed to parse command: ${(error as Error).message}` };
  }
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { kind: "wrong", command: "parse", error: "Failed to parse command: a line must be one JSON object" };
  }
  const { id: rawId, type } = raw as { id?: unknown; type?: unknown };
  const id = rawId === undefined ? {} : { id: rawId };
  if (typeof type !== "string") {
    return { kind: "wrong", ...id, command: "parse", error: "Failed to parse command: `type` must be a string" };
  }
  if (Object.hasOwn(ANSWERS, type)) return readAnswer(type as AnswerName, raw);
  if (!Object.hasOwn(COMMANDS, type)) {
    return { kind: "wrong", ...id, command: type, error: `Unknown command: ${type}` };
  }
  const name = type as CommandName;
  const read = COMMANDS[name].schema.safeParse(raw);
  if (!read.success) return { kind: "wrong", ...id, command: name, error: `Invalid ${name}: ${issueText(read.error)}` };
  return { kind: "command", ...id, name, input: read.data as Record<string, unknown> };
}

function readAnswer(name: AnswerName, raw: object): Inbound {
  const read = ANSWERS[name]().safeParse(raw);
  if (!read.success) {
    const { id } = raw as { id?: unknown };
    const error = `Invalid ${name}: ${issueText(read.error)}`;
    return { kind: "wrong", ...(id === undefined ? {} : { id }), command: name, error };
  }
  return { kind: "answer", name, answer: read.data as Record<string, unknown> };
}

function issueText(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message))
    .join("; ");
}

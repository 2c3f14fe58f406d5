import type * as v2 from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { FileChange, Usage } from "@gantry/protocol";
import { gitPatch } from "./diff.ts";
import { encodeBlock } from "./encode-v1.ts";
import { failureText } from "./translator.ts";
import type { ToolContent, ToolFields, TurnEnd, Update } from "./update.ts";

type Encode<K extends Update["kind"]> = (update: Extract<Update, { kind: K }>, cwd: string) => v2.SessionUpdate[];

/** Version 2: updates are upserts by id, and the state of the session is an update. */
const ENCODERS: { [K in Update["kind"]]: Encode<K> } = {
  user: ({ id, blocks }) => [{ sessionUpdate: "user_message", messageId: id, content: blocks.map(encodeBlock) }],
  text: ({ id, text }) => [{ sessionUpdate: "agent_message_chunk", messageId: id, content: { type: "text", text } }],
  thought: ({ id, text }) => [{ sessionUpdate: "agent_thought_chunk", messageId: id, content: { type: "text", text } }],
  replaced: ({ of, id, text }) => [replaceMessage(of, id, [{ type: "text", text }])],
  retracted: ({ of, id }) => [replaceMessage(of, id, [])],
  tool: ({ id, fields }) => [{ sessionUpdate: "tool_call_update", ...encodeTool(id, fields) }],
  tool_change: ({ id, fields }) => [{ sessionUpdate: "tool_call_update", ...encodeTool(id, fields) }],
  terminal: ({ id, command }, cwd) => [
    { sessionUpdate: "terminal_update", terminalId: id, cwd, ...(command ? { command } : {}) },
  ],
  terminal_output: ({ id, text }) => [
    { sessionUpdate: "terminal_output_chunk", terminalId: id, data: Buffer.from(text).toString("base64") },
  ],
  terminal_exit: ({ id, exitCode = null }) => [
    { sessionUpdate: "terminal_update", terminalId: id, exitStatus: { exitCode } },
  ],
  plan: ({ entries }) => [
    {
      sessionUpdate: "plan_update",
      plan: {
        type: "items",
        planId: "plan",
        entries: entries.map(({ text, status, priority }) => ({ content: text, status, priority })),
      },
    },
  ],
  commands: ({ list }) => [{ sessionUpdate: "available_commands_update", availableCommands: encodeCommands(list) }],
  info: ({ title, at }) => [{ sessionUpdate: "session_info_update", ...(title ? { title } : {}), updatedAt: at }],
  usage: ({ used, size, usd }) => [
    { sessionUpdate: "usage_update", used, size, ...(usd ? { cost: { amount: usd, currency: "USD" } } : {}) },
  ],
  notice: ({ id, severity, text, durable }) => [
    durable
      ? { sessionUpdate: "agent_message", messageId: id, content: [{ type: "text", text }] }
      : { sessionUpdate: "notice", severity, title: text },
  ],
  state: (update) => {
    if (update.state === "idle") return [encodeIdle(update.end)];
    return [{ sessionUpdate: "state_update", state: update.state } as v2.SessionUpdate];
  },
};

/** The updates of version 2 for one change. */
export function encodeV2(update: Update, cwd: string): v2.SessionUpdate[] {
  return (ENCODERS[update.kind] as Encode<Update["kind"]>)(update as never, cwd);
}

export function encodeTool(id: string, fields: ToolFields): v2.ToolCallUpdate {
  const { name, title, kind, status, content, locations, input, output, parent } = fields;
  return {
    toolCallId: id,
    ...(name ? { name } : {}),
    ...(title === undefined ? {} : { title }),
    ...(kind ? { kind: kind as v2.ToolKind } : {}),
    ...(status ? { status } : {}),
    ...(content ? { content: content.map((one) => encodeContent(id, one)) } : {}),
    ...(locations ? { locations } : {}),
    ...(input === undefined ? {} : { rawInput: input }),
    ...(output === undefined ? {} : { rawOutput: output }),
    ...(parent ? { _meta: { gantry: { parent } } } : {}),
  };
}

export function encodeCommands(
  list: readonly { name: string; description?: string; hint?: string }[],
): v2.AvailableCommand[] {
  return list.map(({ name, description, hint }) => ({
    type: "command",
    name,
    description: description ?? name,
    ...(hint ? { input: { type: "text", hint } } : {}),
  }));
}

export function encodeUsage({ input, output, reasoning, cacheRead, cacheWrite }: Usage): v2.Usage {
  return {
    totalTokens: input + output,
    inputTokens: input,
    outputTokens: output,
    thoughtTokens: reasoning,
    cachedReadTokens: cacheRead,
    cachedWriteTokens: cacheWrite,
  };
}

function encodeContent(id: string, content: ToolContent): v2.ToolCallContent {
  if (content.type === "text") return { type: "content", content: { type: "text", text: content.text } };
  if (content.type === "terminal") return { type: "terminal", terminalId: id };
  const text = gitPatch(content.change);
  const patch = text === undefined ? {} : { patch: { format: "git_patch" as const, text } };
  return { type: "diff", changes: [encodeChange(content.change)], ...patch };
}

function encodeChange({ path, to, kind, binary }: FileChange): v2.DiffChange {
  const file = binary ? { fileType: "binary" as const } : {};
  if (kind === "move" && to) return { operation: "move", oldPath: path, path: to, ...file };
  if (kind === "add") return { operation: "add", path, ...file };
  if (kind === "delete") return { operation: "delete", path, ...file };
  return { operation: "modify", path, ...file };
}

/** The end of a turn; without `end`, only the state. */
function encodeIdle(end: TurnEnd | undefined): v2.SessionUpdate {
  const idle = { sessionUpdate: "state_update", state: "idle" } as const;
  if (!end) return idle;
  const { stopReason, usage, failure } = end;
  const spent = usage ? { usage: encodeUsage(usage) } : {};
  if (stopReason !== "error") return { ...idle, stopReason, ...spent } as v2.SessionUpdate;
  const data = { category: failure?.category ?? "unknown" };
  const message = failureText({ message: "The turn failed.", remedy: "", ...failure });
  return { ...idle, stopReason: "error", error: { code: FAILED, message, data }, ...spent };
}

function replaceMessage(of: "text" | "thought", messageId: string, content: v2.ContentBlock[]): v2.SessionUpdate {
  if (of === "text") return { sessionUpdate: "agent_message", messageId, content };
  return { sessionUpdate: "agent_thought", messageId, content };
}

/** JSON-RPC's code for an internal error: the agent failed, not the request. */
const FAILED = -32603;

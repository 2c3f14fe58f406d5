import type * as v1 from "@agentclientprotocol/sdk/unstable";
import { changeLine, hunkTexts } from "./diff.ts";
import type { Block, ToolContent, ToolFields, ToolStatus, Update } from "./update.ts";

/** What a client of version 1 can show. */
export type V1Display = {
  /** Output of commands as a terminal, by the extension in `_meta` that editors use. */
  terminals: boolean;
  notices: boolean;
  cwd: string;
};

type Encode<K extends Update["kind"]> = (
  update: Extract<Update, { kind: K }>,
  display: V1Display,
) => v1.SessionUpdate[];

/** Version 1 has no way to change a message: what differs is appended. States belong to version 2. */
const ENCODERS: { [K in Update["kind"]]: Encode<K> } = {
  user: ({ id, blocks }) =>
    blocks.map((block) => ({ sessionUpdate: "user_message_chunk", messageId: id, content: encodeBlock(block) })),
  text: ({ id, text }) => [chunk("agent_message_chunk", id, text)],
  thought: ({ id, text }) => [chunk("agent_thought_chunk", id, text)],
  replaced: ({ of, id, text }) => [chunk(CHUNKS[of], `${id}-final`, `\n\n${text}`)],
  retracted: ({ of, id, reason }) => [
    chunk(CHUNKS[of], `${id}-retracted`, `\n\n(The agent discarded the text above${reason ? `: ${reason}` : ""}.)`),
  ],
  tool: ({ id, fields }, display) => [
    { sessionUpdate: "tool_call", toolCallId: id, ...encodeTool(id, fields, display, true), title: fields.title },
  ],
  tool_change: ({ id, fields }, display) => [
    { sessionUpdate: "tool_call_update", toolCallId: id, ...encodeTool(id, fields, display, false) },
  ],
  terminal: () => [],
  terminal_output: ({ id, text }, display) =>
    terminalMeta(id, display, { terminal_output: { terminal_id: id, data: text } }),
  terminal_exit: ({ id, exitCode = null }, display) =>
    terminalMeta(id, display, { terminal_exit: { terminal_id: id, exit_code: exitCode, signal: null } }),
  plan: ({ entries }) => [
    {
      sessionUpdate: "plan",
      entries: entries.map(({ text, status, priority }) => ({ content: text, status, priority })),
    },
  ],
  commands: ({ list }) => [
    {
      sessionUpdate: "available_commands_update",
      availableCommands: list.map(({ name, description, hint }) => ({
        name,
        description: description ?? name,
        ...(hint ? { input: { hint } } : {}),
      })),
    },
  ],
  info: ({ title, at }) => [{ sessionUpdate: "session_info_update", ...(title ? { title } : {}), updatedAt: at }],
  usage: ({ used, size, usd }) => [
    { sessionUpdate: "usage_update", used, size, ...(usd ? { cost: { amount: usd, currency: "USD" } } : {}) },
  ],
  notice: ({ id, severity, text, durable }, { notices }) => {
    if (durable) return [chunk("agent_message_chunk", id, `${text}\n\n`)];
    if (notices) return [{ sessionUpdate: "notice", severity, title: text }];
    return severity === "info" ? [] : [chunk("agent_thought_chunk", id, `${text}\n\n`)];
  },
  state: () => [],
};

const CHUNKS = { text: "agent_message_chunk", thought: "agent_thought_chunk" } as const;

/** The updates of version 1 for one change; none if version 1 cannot express it. */
export function encodeV1(update: Update, display: V1Display): v1.SessionUpdate[] {
  return (ENCODERS[update.kind] as Encode<Update["kind"]>)(update as never, display);
}

/** The fields of a tool call, for an update or for a request that refers to the call. */
export function encodeTool(
  id: string,
  fields: ToolFields,
  display: V1Display,
  isNew: boolean,
): Partial<Omit<v1.ToolCall, "toolCallId">> {
  const { name, title, kind, status, locations, input, output, parent, content } = fields;
  const hasTerminal = display.terminals && content?.some(({ type }) => type === "terminal");
  const meta = {
    ...(parent ? { gantry: { parent } } : {}),
    ...(isNew && hasTerminal ? { terminal_info: { terminal_id: id, cwd: display.cwd } } : {}),
  };
  return {
    ...(name ? { name } : {}),
    ...(title === undefined ? {} : { title }),
    ...(kind ? { kind: kind as v1.ToolKind } : {}),
    ...(status ? { status: STATUSES[status] } : {}),
    ...(content ? { content: content.flatMap((one) => encodeContent(id, one, fields, display)) } : {}),
    ...(locations ? { locations } : {}),
    ...(input === undefined ? {} : { rawInput: input }),
    ...(output === undefined ? {} : { rawOutput: output }),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
  };
}

const STATUSES: Record<ToolStatus, v1.ToolCallStatus> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  failed: "failed",
  cancelled: "failed",
};

function encodeContent(
  id: string,
  content: ToolContent,
  { output }: ToolFields,
  { terminals }: V1Display,
): v1.ToolCallContent[] {
  if (content.type === "text") return [textContent(content.text)];
  if (content.type === "terminal") {
    if (terminals) return [{ type: "terminal", terminalId: id }];
    return typeof output === "string" ? [textContent(fence(output))] : [];
  }
  const hunks = hunkTexts(content.change);
  if (hunks.length === 0) return [textContent(changeLine(content.change))];
  return hunks.map(({ path, before, after }) => ({ type: "diff", path, oldText: before, newText: after }));
}

/** A code block whose fence is longer than every fence in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text.replace(/\n$/, "")}\n${ticks}`;
}

function terminalMeta(id: string, { terminals }: V1Display, meta: Record<string, unknown>): v1.SessionUpdate[] {
  return terminals ? [{ sessionUpdate: "tool_call_update", toolCallId: id, _meta: meta }] : [];
}

function textContent(text: string): v1.ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

function chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", messageId: string, text: string) {
  return { sessionUpdate, messageId, content: { type: "text" as const, text } };
}

export function encodeBlock(block: Block): v1.ContentBlock {
  if (block.type === "text") return { type: "text", text: block.text };
  const { uri, name, mime } = block;
  return { type: "resource_link", uri, name, ...(mime ? { mimeType: mime } : {}) };
}

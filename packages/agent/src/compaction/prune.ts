import type { ToolCall, ToolResultMessage } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";
import { estimateTokens } from "./estimate.ts";

/** The newest results stay. Pruning invalidates the provider's cache, so it must save at least `PRUNE_LEAST` tokens. */
export const PRUNE_PROTECTED = 40_000;
export const PRUNE_LEAST = 20_000;

/** A result this short costs no more than its placeholder. */
const SHORT = 50;

/** Results of these tools stay, unless a read was repeated or its file changed later. */
const KEPT_TOOLS: ReadonlySet<string> = new Set(["skill", "read"]);
const READS = "read";

/** The indices of old results whose text can be removed; empty if that would save too little. Pure. */
export function findPrunable(
  messages: readonly AgentMessage[],
  limits = { protect: PRUNE_PROTECTED, least: PRUNE_LEAST },
) {
  const calls = callsById(messages);
  const touchedLater = new Set<string>();
  const places: number[] = [];
  let seen = 0;
  let saved = 0;
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place]!;
    if (message.role !== "toolResult" || message.prunedAt !== undefined) continue;
    const path = pathOf(calls.get(message.toolCallId));
    const tokens = estimateTokens(message);
    const free = !KEPT_TOOLS.has(message.toolName) || isStale(message, path, touchedLater);
    if (seen >= limits.protect && free && tokens > SHORT) {
      places.push(place);
      saved += tokens;
    }
    seen += tokens;
    if (path !== undefined && !message.isError) touchedLater.add(path);
  }
  return saved >= limits.least ? places.reverse() : [];
}

function isStale(message: ToolResultMessage, path: string | undefined, later: ReadonlySet<string>): boolean {
  return message.toolName === READS && path !== undefined && later.has(path);
}

function callsById(messages: readonly AgentMessage[]): Map<string, ToolCall> {
  const calls = new Map<string, ToolCall>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const each of message.content) if (each.type === "toolCall") calls.set(each.id, each);
  }
  return calls;
}

function pathOf(call: ToolCall | undefined): string | undefined {
  const path = call?.arguments.path ?? call?.arguments.file_path;
  return typeof path === "string" ? path : undefined;
}

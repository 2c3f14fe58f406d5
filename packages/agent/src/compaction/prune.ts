import type { ToolCall, ToolResultMessage } from "@gantry/models";
import type { AgentMessage } from "../contract/messages.ts";
import { estimateTokens } from "./estimate.ts";

/** The newest results stay, and it must be worth changing what a provider has cached. */
export const PRUNE_PROTECTED = 40_000;
export const PRUNE_LEAST = 20_000;

/** What is this short costs no more than the words that would stand for it. */
const SHORT = 50;

/** Their results stay, unless they show what has changed or was read again since. */
const KEPT_TOOLS: ReadonlySet<string> = new Set(["skill", "read"]);
const READS = "read";

/** The places of old results whose text may go, or none if that would not be worth it. Pure. */
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

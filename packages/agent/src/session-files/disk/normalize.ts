import type { AgentMessage } from "../../contract/messages.ts";
import type { Entry } from "../../contract/session-store.ts";

type Loose = Record<string, unknown>;

const KNOWN = new Set([
  "message",
  "thinking_level_change",
  "model_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
  "ttsr_injection",
  "mode_change",
  "session_init",
]);

/**
 * Reads an entry from a line that a related program may have written. An unknown type becomes a `custom` entry, so that
 * its position in the tree is preserved. `undefined`: a required field is missing.
 */
export function normalizeEntry(loose: Loose, id: string, parentId: string | null): Entry | undefined {
  const timestamp = typeof loose.timestamp === "string" ? loose.timestamp : new Date(0).toISOString();
  const place = { id, parentId, timestamp };
  const type = String(loose.type);
  if (!KNOWN.has(type)) {
    const { type: _, id: __, parentId: ___, timestamp: ____, ...data } = loose;
    return { type: "custom", customType: type, data, ...place };
  }
  if (type === "message") {
    const message = normalizeMessage(loose.message);
    return message && { type: "message", message, ...place };
  }
  if (type === "model_change" && typeof loose.model !== "string") {
    if (typeof loose.provider !== "string" || typeof loose.modelId !== "string") return undefined;
    return { type: "model_change", model: `${loose.provider}/${loose.modelId}`, ...place };
  }
  return complete(type, loose) ? ({ ...loose, ...place } as Entry) : undefined;
}

const ROLES = new Set([
  "user",
  "developer",
  "assistant",
  "toolResult",
  "bashExecution",
  "custom",
  "branchSummary",
  "compactionSummary",
]);

function normalizeMessage(message: unknown): AgentMessage | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const loose = message as Loose;
  if (loose.role === "hookMessage")
    return normalizeMessage({ display: true, customType: "hook", ...loose, role: "custom" });
  if (typeof loose.role !== "string" || !ROLES.has(loose.role)) return undefined;
  const hasContent = ["user", "developer", "assistant", "toolResult", "custom"].includes(loose.role);
  const { content } = loose;
  const isValid =
    loose.role === "assistant" || loose.role === "toolResult" ? Array.isArray(content) : isContent(content);
  return hasContent && !isValid ? undefined : (message as AgentMessage);
}

function isContent(content: unknown): boolean {
  return typeof content === "string" || Array.isArray(content);
}

function complete(type: string, loose: Loose): boolean {
  if (type === "compaction") return typeof loose.summary === "string" && typeof loose.firstKeptEntryId === "string";
  if (type === "branch_summary") return typeof loose.summary === "string";
  if (type === "label") return typeof loose.targetId === "string";
  if (type === "ttsr_injection") return Array.isArray(loose.injectedRules);
  if (type === "custom_message") return isContent(loose.content);
  if (type === "thinking_level_change") return typeof loose.thinkingLevel === "string";
  if (type === "mode_change") return typeof loose.mode === "string";
  return true;
}

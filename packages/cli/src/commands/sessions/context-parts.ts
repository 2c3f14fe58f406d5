import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@gantry/client";
import { type ContextPart, GantryError, type Session } from "@gantry/protocol";
import { formatTokens, type Paint, renderTable, stripControls } from "@gantry/terminal";

/** Claude Code sends about 25 requests to its provider for an answer. */
const ANSWER_MS = 60_000;
const POLL_MS = 200;

/** Asks the agent what fills its context, and waits for the answer. Throws if it does not answer. */
export async function loadContext(client: Client, { id, lastSeq }: Pick<Session, "id" | "lastSeq">): Promise<Session> {
  await client.sessions.requestContext(id);
  const end = Date.now() + ANSWER_MS;
  while (Date.now() < end) {
    await delay(POLL_MS);
    const { events } = await client.sessions.events(id, { after: lastSeq });
    if (events.some(({ type, data }) => type === "context.usage" && "parts" in data)) return client.sessions.get(id);
    const refused = events.find(({ type, data }) => type === "notice" && "kind" in data && data.kind === "context");
    if (refused?.type === "notice") throw new GantryError("unsupported", refused.data.text);
  }
  throw new GantryError("unavailable", "The agent did not report what fills its context.", {
    remedy: "Try again when its turn has ended.",
  });
}

const NOTES: Partial<Record<ContextPart["kind"], string>> = {
  deferred: "loaded when needed",
  buffer: "reserved for compaction",
};

/** The parts of the context, one line each. Empty if the agent has not reported them. */
export function contextLines({ context }: Pick<Session, "context">, paint: Paint): string[] {
  const { parts = [], size = 0 } = context ?? {};
  if (parts.length === 0) return [];
  const rows = parts.map(({ name, tokens, kind }) => [
    stripControls(name),
    formatTokens(tokens),
    size > 0 ? `${((tokens / size) * 100).toFixed(1)}%` : "",
    paint.dim(NOTES[kind] ?? ""),
  ]);
  return renderTable([{ title: "CONTEXT" }, { title: "TOKENS" }, { title: "SHARE" }, { title: "" }], rows, {
    header: paint.dim,
  });
}

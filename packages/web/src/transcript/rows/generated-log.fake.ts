import { type Draft, draft, type Envelope } from "@gantry/protocol";
import fc from "fast-check";

const turn = fc.constantFrom("trn_a", "trn_b");
const item = fc.constantFrom("itm_1", "itm_2", "itm_3", "itm_4");
const subagent = fc.constantFrom("sub_1", "sub_2");
const parent = fc.constantFrom(undefined, undefined, "sub_1", "sub_2", "itm_1", "itm_2");
const message = fc.constantFrom("msg_1", "msg_2", "msg_3");
const state = fc.constantFrom("queued", "edited", "sent", "inline", "delivered", "cancelled", "failed");
const status = fc.constantFrom("pending", "in_progress", "completed");

/** Any single event. After a crash a log may contain events in any order. */
const anyDraft: fc.Arbitrary<Draft> = fc.oneof(
  fc.record({ message, text: fc.string() }).map((data) => draft("message.user", data)),
  fc.record({ message, state: state as fc.Arbitrary<"queued"> }).map((data) => draft("message.delivery", data)),
  fc.tuple(turn, message).map(([id, own]) => draft("turn.started", { trigger: "user", messages: [own] }, { turn: id })),
  turn.map((id) => draft("turn.ended", { outcome: "completed" }, { turn: id })),
  turn.map((id) => draft("diff.updated", { files: [{ path: "a", kind: "update" }] }, { turn: id })),
  fc.record({ item, text: fc.string(), parent }).map((data) => draft("message.done", data)),
  fc.record({ item, text: fc.string(), parent }).map((data) => draft("reasoning.done", data)),
  item.map((own) => draft("message.retracted", { items: [own] })),
  fc
    .record({ item, name: fc.constant("bash"), kind: fc.constant("execute" as const), title: fc.string(), parent })
    .map((data) => draft("tool.started", data)),
  fc.tuple(item, fc.string()).map(([own, output]) => draft("tool.updated", { item: own, patch: { output } })),
  fc
    .tuple(item, turn)
    .map(([own, id]) =>
      draft("tool.ended", { item: own, status: "ok", changes: [{ path: "b", kind: "add" }] }, { turn: id }),
    ),
  fc.record({ id: subagent, parent, title: fc.string() }).map((data) => draft("subagent.started", data)),
  subagent.map((id) => draft("subagent.ended", { id, status: "ok" })),
  fc
    .tuple(turn, fc.array(fc.record({ text: fc.constantFrom("a", "b"), status: status as fc.Arbitrary<"pending"> })))
    .map(([id, entries]) => draft("plan.updated", { entries }, { turn: id })),
  fc.constant(draft("raw", { channel: "x", frame: {} })),
  fc.constant(draft("notice", { kind: "x", severity: "info", text: "something" })),
  fc.constant(draft("health.stalled", { since: "2026-01-01T00:00:00.000Z", reason: "silent", actions: [] })),
  fc.constant(draft("health.recovered", { since: "2026-01-01T00:00:00.000Z", reason: "silent", actions: [] })),
  fc.constant(draft("handoff.started", { id: "hnd_1", from: "a", to: "b", strategy: "brief" })),
  fc.constant(draft("handoff.ended", { id: "hnd_1", from: "a", to: "b", strategy: "brief", outcome: "completed" })),
);

export function envelopes(drafts: readonly Draft[]): Envelope[] {
  return drafts.map((one, index) => ({
    v: 1,
    session: "ses_1",
    seq: index + 1,
    at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    ...one,
  })) as Envelope[];
}

/** Logs of up to 60 events in any order, in which items start and end at most once. */
export const anyLog: fc.Arbitrary<Envelope[]> = fc.array(anyDraft, { maxLength: 60 }).map((drafts) => {
  const seen = new Set<string>();
  const once = drafts.filter((one) => {
    const key = onceKey(one);
    if (key === undefined) return true;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return envelopes(once);
});

/** The key of an event that occurs at most once in a log. The engine guarantees it. */
function onceKey({ type, data, turn: id }: Draft): string | undefined {
  const own = data as { item?: string; id?: string; message?: string };
  if (type === "message.done" || type === "reasoning.done" || type === "tool.started") return `item ${own.item}`;
  if (type === "tool.ended") return `end ${own.item}`;
  if (type === "message.user") return `message ${own.message}`;
  if (type === "subagent.started" || type === "subagent.ended") return `${type} ${own.id}`;
  return type === "turn.started" || type === "turn.ended" ? `${type} ${id}` : undefined;
}

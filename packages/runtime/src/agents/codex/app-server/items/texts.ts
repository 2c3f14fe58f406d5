import { itemId, type Output, type Step } from "../../../contract.ts";
import {
  compact,
  type Fields,
  fields,
  nonBlank,
  number,
  ownValue,
  text,
  textBetween,
  texts,
  withoutKey,
} from "../../../fields.ts";
import { event } from "../../outputs.ts";
import type { OpenText, State } from "../state.ts";

/** Separator of the parts of a reasoning item. */
const SEAM = "\n\n";

const phases: Record<string, "commentary" | "final"> = { commentary: "commentary", final_answer: "final" };

/** Handles a chunk of a message or a proposed plan. */
export function messageDelta(state: State, params: Fields, subagent?: string): Step<State> {
  const native = text(params.itemId) ?? "";
  const piece = text(params.delta) ?? "";
  if (!piece) return [state, []];
  const known = ownValue(state.texts, native) ?? { length: 0 };
  const open: OpenText = compact({ ...known, length: known.length + piece.length, subagent });
  return [remember(state, native, open), [textPiece(native, "text", piece, subagent)]];
}

/**
 * Handles a reasoning chunk. An item streams its summary or its raw content; the stream that comes first is published,
 * with a blank line between parts, so that the chunks add up to the final text.
 */
export function reasoningDelta(
  state: State,
  params: Fields,
  source: "summary" | "content",
  subagent?: string,
): Step<State> {
  const native = text(params.itemId) ?? "";
  const piece = text(params.delta) ?? "";
  const known: OpenText = ownValue(state.texts, native) ?? { length: 0 };
  if (!piece || (known.source && known.source !== source)) return [state, []];
  const part = number(source === "summary" ? params.summaryIndex : params.contentIndex) ?? 0;
  const seam = known.length > 0 && part !== known.part ? SEAM : "";
  const length = known.length + seam.length + piece.length;
  const open: OpenText = compact({ length, source, part, subagent });
  return [remember(state, native, open), [textPiece(native, "reasoning", seam + piece, subagent)]];
}

/**
 * Handles a complete message. A plan is completed before the message that introduces it, so it waits for that message.
 * Older versions print the plan inside the message.
 */
export function messageDone(state: State, item: Fields, parent?: string): Step<State> {
  if (item.type === "plan" && !parent) return planDone(state, item);
  const [next, outputs] = publishMessage(state, item, parent);
  if (parent) return [next, outputs];
  const wrapped = textBetween(text(item.text) ?? "", "<proposed_plan>", "</proposed_plan>")?.trim();
  const found = wrapped && !next.plan ? { ...next, plan: { item: text(item.id) ?? "", text: wrapped } } : next;
  const [released, plan] = releasePlan(found);
  return [released, [...outputs, ...plan]];
}

function planDone(state: State, item: Fields): Step<State> {
  const native = text(item.id) ?? "";
  const plan = { item: native, text: text(item.text) ?? "" };
  const introduced = Object.entries(state.texts).some(([other, open]) => other !== native && !open.subagent);
  if (introduced) return [{ ...state, plan: { ...plan, held: true } }, []];
  return publishMessage({ ...state, plan }, item);
}

/** Publishes a plan that waited for another message. */
export function releasePlan(state: State): Step<State> {
  const { plan } = state;
  if (!plan?.held) return [state, []];
  const item = { type: "plan", id: plan.item, text: plan.text };
  return publishMessage({ ...state, plan: { item: plan.item, text: plan.text } }, item);
}

function publishMessage(state: State, item: Fields, parent?: string): Step<State> {
  const native = text(item.id) ?? "";
  const whole = text(item.text) ?? "";
  const detail = compact({
    plan: item.type === "plan" ? true : undefined,
    delivery: nonBlank(item.delivery),
    questions: item.questions ?? undefined,
  });
  const data = compact({ item: itemId(native), text: whole, phase: ownValue(phases, text(item.phase)), parent });
  const outputs: Output[] = [...tail(state, native, whole, "text", parent), event("message.done", data, detail)];
  return [forget(state, native), outputs];
}

export function reasoningDone(state: State, item: Fields, parent?: string): Step<State> {
  const native = text(item.id) ?? "";
  const summary = joinParts(item.summary);
  const content = joinParts(item.content);
  const source = ownValue(state.texts, native)?.source ?? (summary ? "summary" : "content");
  const [whole, other] = source === "summary" ? [summary, content] : [content, summary];
  const detail: Fields = other ? { [source === "summary" ? "content" : "summary"]: other } : {};
  const done = event(
    "reasoning.done",
    compact({ item: itemId(native), text: whole, redacted: whole === "", parent }),
    detail,
  );
  return [forget(state, native), [...tail(state, native, whole, "reasoning", parent), done]];
}

/** Retracts the open messages of a thread, because the agent retries the request. */
export function retractOpen(state: State, reason: string, subagent?: string): Step<State> {
  const dropped = Object.keys(state.texts).filter((native) => ownValue(state.texts, native)?.subagent === subagent);
  if (dropped.length === 0) return [state, []];
  const rest = Object.entries(state.texts).filter(([native]) => !dropped.includes(native));
  const retracted = event("message.retracted", { items: dropped.map(itemId), reason });
  return [{ ...state, texts: Object.fromEntries(rest) }, [retracted]];
}

/** The unstreamed rest of a text, so that the chunks add up. */
function tail(
  state: State,
  native: string,
  whole: string,
  channel: "text" | "reasoning",
  parent: string | undefined,
): Output[] {
  const rest = whole.slice(ownValue(state.texts, native)?.length ?? 0);
  return rest ? [textPiece(native, channel, rest, parent)] : [];
}

function joinParts(parts: unknown): string {
  const nonEmpty = texts(parts).filter((part) => part !== "");
  return nonEmpty.join(SEAM);
}

function textPiece(native: string, channel: "text" | "reasoning", piece: string, parent: string | undefined): Output {
  return { kind: "delta", item: itemId(native), channel, text: piece, ...(parent === undefined ? {} : { parent }) };
}

function remember(state: State, native: string, open: OpenText): State {
  return { ...state, texts: { ...state.texts, [native]: open } };
}

function forget(state: State, native: string): State {
  return { ...state, texts: withoutKey(fields(state.texts) as State["texts"], native) };
}

import {
  type Draft,
  draft,
  type EventType,
  eventTable,
  FailureCategory,
  failure,
  InputRequest,
} from "@gantry/protocol";
import { z } from "zod";
import { type DecoderEvent, itemId, type Output } from "../contract.ts";

type Data = Record<string, unknown>;

/** The outputs of an event, or the reason why it is invalid. */
export type Meaning = Output[] | { reason: string };

const Ask = InputRequest.omit({ id: true, session: true, turn: true });
const Asked = z.object({ id: z.string().min(1) });
const Begin = z.object({ messages: z.array(z.string()).optional() });
const Withdrawn = z.object({ id: z.string().min(1), reason: z.string().optional() });

/** Events reserved for Gantry. */
const reserved: ReadonlySet<string> = new Set(["message.user", "message.delivery", "session.created"]);

/** The key of an answer's frame, acknowledged by the input's end. */
export function answerKey(input: string): string {
  return `answer:${input}`;
}

/** Decodes an event of the scripted agent. Pure; never throws. */
export function interpret(type: string, data: Data): Meaning {
  switch (type) {
    case "turn.started":
      return checkData(Begin, data, ({ messages }) => [{ kind: "begin", messages }]);
    case "turn.ended":
      return checkData(eventTable["turn.ended"], withFailure(data, "error"), (end) => [{ kind: "finish", ...end }]);
    case "input.requested":
      return ask(data);
    case "input.resolved":
      return checkData(Withdrawn, data, ({ id, reason }) => [
        { kind: "ack", key: answerKey(id) },
        { kind: "withdrawn", key: id, reason: reason ?? "the agent settled it" },
      ]);
    default:
      return readEvent(type, data);
  }
}

function ask(data: Data): Meaning {
  return checkData(Asked, data, ({ id }) =>
    checkData(Ask, withItemIds(data), (request) => [{ kind: "ask", key: id, request }]),
  );
}

function readEvent(type: string, data: Data): Meaning {
  if (!Object.hasOwn(eventTable, type)) return { reason: `there is no event ${type}` };
  if (reserved.has(type)) return { reason: `${type} is reserved for Gantry` };
  const known = type as DecoderEvent;
  const schema: z.ZodType = eventTable[known];
  const native = known === "error" ? completeFailure(data) : withItemIds(data);
  return checkData(schema, native, (valid) => [
    { kind: "event", event: draft(known as EventType, valid as never) as Draft<DecoderEvent> },
  ]);
}

function checkData<T>(schema: z.ZodType<T>, data: unknown, mean: (data: T) => Meaning): Meaning {
  const parsed = schema.safeParse(data);
  if (parsed.success) return mean(parsed.data);
  const [issue] = parsed.error.issues;
  return { reason: `${issue?.path.join(".") || "data"}: ${issue?.message ?? "invalid"}` };
}

/** Maps native item ids to unified ones. */
function withItemIds(data: Data): Data {
  const { item, items } = data;
  if (typeof item === "string") return { ...data, item: unifiedId(item) };
  if (Array.isArray(items)) return { ...data, items: items.map((id) => (typeof id === "string" ? unifiedId(id) : id)) };
  return data;
}

/** The unified id of an item; idempotent. */
export function unifiedId(item: string): string {
  return item.startsWith("itm_") ? item : itemId(item);
}

function withFailure(data: Data, key: string): Data {
  const value = data[key];
  return typeof value === "object" && value !== null ? { ...data, [key]: completeFailure(value as Data) } : data;
}

/** Completes a failure from its category and message. */
function completeFailure(data: Data): Data {
  const category = FailureCategory.safeParse(data.category);
  if (!category.success || typeof data.message !== "string") return data;
  return { ...failure(category.data, data.message), ...data };
}

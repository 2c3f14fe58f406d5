import { itemId } from "../../../contract.ts";
import { newestEntries, ownValue, withoutKey } from "../../../fields.ts";
import { type Block, MAIN, type Message, type Pass } from "../state.ts";

/** Maximum number of concurrently streaming subagents. */
const SCOPES = 20;

/** Makes this the current message. Unfinished text of another message is retracted. */
export function openMessage(pass: Pass, scope: string, id: string): Message {
  const current = ownValue(pass.state.messages, scope);
  if (current?.id === id) return current;
  if (current) retract(pass, Object.values(current.blocks), "the agent started the answer over");
  return store(pass, scope, { id, next: 0, blocks: {} });
}

export function startBlock(pass: Pass, scope: string, index: number, native: string, channel: Block["channel"]): void {
  const message = ownValue(pass.state.messages, scope);
  if (!message) return;
  const before = ownValue(message.blocks, String(index));
  if (before) retract(pass, [before], "the agent started the answer over");
  const item = before?.length ? replacementId(before.item) : itemId(native);
  const block: Block = { item, channel, length: 0, hash: EMPTY };
  const blocks = { ...message.blocks, [index]: block };
  store(pass, scope, { ...message, next: Math.max(message.next, index + 1), blocks });
}

export function streamText(pass: Pass, scope: string, index: number, text: string): void {
  const message = ownValue(pass.state.messages, scope);
  const block = message && ownValue(message.blocks, String(index));
  if (!message || !block || text === "") return;
  const grown = { ...block, length: block.length + text.length, hash: hashOn(block.hash, text) };
  store(pass, scope, { ...message, blocks: { ...message.blocks, [index]: grown } });
  pass.emit({ kind: "delta", item: block.item, channel: block.channel, text });
}

/** Completes a block: adds what the deltas lack, or starts over if they differ. */
export function finishText(pass: Pass, scope: string, channel: "text" | "reasoning", text: string): string | undefined {
  const message = ownValue(pass.state.messages, scope);
  if (!message) return undefined;
  const [index, block] = openBlock(message, channel);
  store(pass, scope, {
    ...message,
    next: Math.max(message.next, index + 1),
    blocks: withoutKey(message.blocks, String(index)),
  });
  const item = block?.item ?? blockItem(message.id, index);
  if (text === "" && !block?.length) return undefined;
  if (!block || isBeginning(block, text)) {
    const missing = text.slice(block?.length ?? 0);
    if (missing !== "") pass.emit({ kind: "delta", item, channel, text: missing });
    return item;
  }
  retract(pass, [block], "the finished text is another one");
  const replacement = replacementId(item);
  if (text !== "") pass.emit({ kind: "delta", item: replacement, channel, text });
  return replacement;
}

/** A retracted item keeps its id, so the replacement gets another. */
function replacementId(item: string): string {
  return itemId(`${item.slice("itm_".length)}.again`);
}

/** Completes a tool call's input; the call itself carries it. */
export function finishInput(pass: Pass, scope: string, item: string): void {
  const message = ownValue(pass.state.messages, scope);
  if (!message) return;
  const found = Object.entries(message.blocks).find(([, block]) => block.item === item);
  const index = found ? Number(found[0]) : message.next;
  store(pass, scope, {
    ...message,
    next: Math.max(message.next, index + 1),
    blocks: withoutKey(message.blocks, String(index)),
  });
}

/** Retracts everything streamed from this block on. */
export function abandon(pass: Pass, scope: string, from: number): void {
  const message = ownValue(pass.state.messages, scope);
  if (!message) return;
  const entries = Object.entries(message.blocks);
  const given = entries.filter(([index]) => Number(index) >= from);
  retract(
    pass,
    given.map(([, block]) => block),
    "the agent dropped an unfinished answer",
  );
  const earlier = Object.fromEntries(entries.filter(([index]) => Number(index) < from));
  store(pass, scope, { ...message, blocks: earlier });
}

function blockItem(message: string, index: number): string {
  return itemId(`${message}#${index}`);
}

function openBlock(message: Message, channel: Block["channel"]): [number, Block | undefined] {
  const open = Object.entries(message.blocks).find(([, block]) => block.channel === channel);
  return open ? [Number(open[0]), open[1]] : [message.next, undefined];
}

function retract(pass: Pass, blocks: Block[], reason: string): void {
  const items = blocks.filter((block) => block.channel !== "input" && block.length > 0).map((block) => block.item);
  if (items.length > 0) pass.event("message.retracted", { items, reason });
}

function store(pass: Pass, scope: string, message: Message): Message {
  const { messages } = pass.state;
  if (Object.hasOwn(messages, scope)) {
    pass.state.messages = { ...messages, [scope]: message };
    return message;
  }
  const { [MAIN]: main, ...others } = { ...messages, [scope]: message };
  pass.state.messages = { ...newestEntries(others, SCOPES), ...(main ? { [MAIN]: main } : {}) };
  return message;
}

const EMPTY = 0x811c9dc5;

/** Incremental FNV-1a over UTF-16 units, so that the streamed text need not be stored. */
function hashOn(hash: number, text: string): number {
  let value = hash;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}

function isBeginning(block: Block, text: string): boolean {
  return block.length <= text.length && hashOn(EMPTY, text.slice(0, block.length)) === block.hash;
}

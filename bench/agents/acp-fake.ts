#!/usr/bin/env node
// An agent that speaks ACP version 1 on its standard streams, for peers that drive ACP agents. The prompt names the
// scenario: `[[burst:N]]` sends N text chunks and `[[tools:N]]` N tool updates without a pause, `[[flood:MS]]` tool updates
// for that time, `[[slow:N:MS]]` and `[[paced:N:MS]]` one chunk or tool update every MS milliseconds, and `[[bulk:BYTES]]`
// one tool call with that much output. Every update contains its number and its creation time in microseconds of the
// monotonic clock, which all processes of a Linux machine share.
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

type Request = { id?: number | string; method?: string; params?: { prompt?: { text?: string }[] } };

const SESSION = "acp-fake";
let turn = 0;

createInterface({ input: process.stdin }).on("line", (line) => void answer(JSON.parse(line) as Request));
process.stdin.on("end", () => process.exit(0));

async function answer({ id, method, params }: Request): Promise<void> {
  if (id === undefined) return;
  switch (method) {
    case "initialize":
      return reply(id, { protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: [] });
    case "session/new":
      return reply(id, { sessionId: SESSION });
    case "session/prompt":
      turn++;
      await play(params?.prompt?.map((part) => part.text ?? "").join("") ?? "");
      return reply(id, { stopReason: "end_turn" });
    default:
      return write({ jsonrpc: "2.0", id, error: { code: -32601, message: `no method ${method}` } });
  }
}

async function play(prompt: string): Promise<void> {
  const [, name, first = "1", second = "0"] = /\[\[(\w+)(?::(\d+))?(?::(\d+))?\]\]/.exec(prompt) ?? [];
  if (name === "bulk") return bulk(Number(first));
  const end = name === "flood" ? performance.now() + Number(first) : Number.POSITIVE_INFINITY;
  const count = name === "flood" ? Number.POSITIVE_INFINITY : Number(first);
  for (let n = 0; n < count && performance.now() < end; n++) {
    if (name === "burst" || name === "slow") chunk(n);
    else tool(n);
    if (name === "slow" || name === "paced") await sleep(Number(second));
    else if (process.stdout.writableNeedDrain) await new Promise((done) => process.stdout.once("drain", done));
  }
}

function chunk(n: number): void {
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: stamp(n) } });
}

/** Even numbers start a call, odd numbers end it. */
function tool(n: number): void {
  const toolCallId = `call_${turn}_${n - (n % 2)}`;
  if (n % 2 === 0) {
    const rawInput = { command: "grep -rn needle src" };
    const call = { toolCallId, title: stamp(n), kind: "execute", status: "in_progress", rawInput };
    return update({ sessionUpdate: "tool_call", ...call });
  }
  const content = [{ type: "content", content: { type: "text", text: stamp(n) } }];
  update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content });
}

function stamp(n: number): string {
  return `${n} ${process.hrtime.bigint() / 1000n} message`;
}

function bulk(bytes: number): void {
  const call = { toolCallId: `call_${Date.now()}`, title: "print a lot", kind: "execute" };
  update({ sessionUpdate: "tool_call", ...call, status: "in_progress" });
  const content = [{ type: "content", content: { type: "text", text: "x".repeat(bytes) } }];
  update({ sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, status: "completed", content });
}

function update(change: Record<string, unknown>): void {
  write({ jsonrpc: "2.0", method: "session/update", params: { sessionId: SESSION, update: change } });
}

function reply(id: number | string, result: unknown): void {
  write({ jsonrpc: "2.0", id, result });
}

function write(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

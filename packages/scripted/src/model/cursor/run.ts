import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { pieces } from "../../pieces.ts";
import { type Failure, failures } from "../failures.ts";
import type { Pace } from "../play.ts";
import type { Block, Script } from "../script.ts";
import { TOKENS } from "../wire/format.ts";
import { bytesAt, connectFrame, encodeMessage, encodeNumber, encodeText, numberAt } from "./proto.ts";
import { toolCallOf } from "./tool-calls.ts";

/** The answers of the client, which arrive in separate requests. */
export class Inbox {
  readonly #messages: { field: number; value: Buffer }[] = [];
  readonly #waiting = new Set<() => void>();

  add(field: number, value: Buffer): void {
    this.#messages.push({ field, value });
    for (const wake of [...this.#waiting]) wake();
  }

  /** The next message that matches. Rejects when `signal` aborts. */
  take(matches: (field: number, value: Buffer) => boolean, signal: AbortSignal): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const at = this.#messages.findIndex(({ field, value }) => matches(field, value));
        const found = at < 0 ? undefined : this.#messages.splice(at, 1)[0];
        if (!found && !signal.aborted) return;
        this.#waiting.delete(look);
        signal.removeEventListener("abort", look);
        if (found) resolve(found.value);
        else reject(new Error("the client has gone"));
      };
      this.#waiting.add(look);
      signal.addEventListener("abort", look);
      look();
    });
  }
}

/** The request of the client's context: its folders, rules and MCP servers. */
const CONTEXT = 10;

export type RunParts = {
  response: ServerResponse;
  inbox: Inbox;
  signal: AbortSignal;
  pace: Pace;
  nextId(): number;
};

/** Where the tools of a script apply: the folder, and the tools of the client's MCP servers. */
export type Place = { cwd: string; served: readonly Buffer[] };

/** The codes of Connect for HTTP statuses. */
const CODES: Record<number, string> = {
  400: "invalid_argument",
  401: "unauthenticated",
  403: "permission_denied",
  404: "not_found",
  429: "resource_exhausted",
  500: "internal",
};

/** Ends the stream with an error, or without one. */
export function endStream(response: ServerResponse, failure?: Failure): void {
  const code = failure && (CODES[failure.status] ?? "unavailable");
  const body = failure ? { error: { code, message: failure.openai.message } } : {};
  response.write(connectFrame(Buffer.from(JSON.stringify(body)), 2));
  response.end();
}

/** Plays a script as one run: texts, thoughts, and tools that the client executes. */
export class Run {
  readonly #parts: RunParts;
  #chunks = 0;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Asks the client for its context. Rejects when the client has gone. */
  async context(): Promise<Buffer | undefined> {
    const { inbox, signal, nextId } = this.#parts;
    const number = nextId();
    this.#send(2, encodeNumber(1, number), encodeText(15, `exec-${number}`), encodeMessage(CONTEXT));
    const answer = await inbox.take((kind, value) => kind === 2 && numberAt(value, 1) === number, signal);
    return bytesAt(answer, CONTEXT, 1, 1);
  }

  async play({ replies, mishap }: Script, place: Place, checkpoint: Buffer): Promise<void> {
    const { response, signal } = this.#parts;
    if (mishap?.type === "hang") return;
    if (mishap?.type === "failure" || mishap?.type === "stream-failure")
      return endStream(response, failures[mishap.failure]);
    for (const block of replies.flat()) {
      await this.#block(block, place, mishap?.type);
      if (signal.aborted || response.writableEnded || (mishap && this.#chunks >= 2)) return;
    }
    this.#send(3, checkpoint);
    const counts = [encodeNumber(1, TOKENS.input - TOKENS.cached), encodeNumber(2, TOKENS.output)];
    this.#update(14, ...counts, encodeNumber(3, TOKENS.cached));
    endStream(response);
  }

  async #block(block: Block, place: Place, mishap: string | undefined): Promise<void> {
    if (block.type !== "text" && block.type !== "think") return this.#tool(block, place);
    const { pace, response, signal } = this.#parts;
    const delay = block.delay === "slow" ? pace.slow : (block.delay ?? pace.chunk);
    for (const piece of pieces(block.text, block.size ?? 12)) {
      this.#update(block.type === "text" ? 1 : 4, encodeText(1, piece));
      if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (++this.#chunks !== 2 || !mishap) continue;
      if (mishap === "drop") response.destroy();
      if (mishap === "broken") endStream(response, failures.err503);
      return;
    }
    if (block.type === "think") this.#update(5, encodeNumber(1, 40));
  }

  async #tool(block: Block, { cwd, served }: Place): Promise<void> {
    const { inbox, signal, nextId } = this.#parts;
    const number = nextId();
    const id = `call_${number}`;
    const call = toolCallOf(block, id, cwd, served);
    if (!call) return block.type === "served" && block.round === 2 ? undefined : this.#notOffered(block);
    if (block.type === "served" && block.round === 2) return;
    this.#update(2, encodeText(1, id), encodeMessage(2, call.started));
    let answer: Buffer | undefined;
    if (call.exec) {
      const { field, args } = call.exec;
      this.#send(2, encodeNumber(1, number), encodeText(15, `exec-${number}`), encodeMessage(field, args));
      answer = await inbox
        .take(
          (kind, value) => kind === 2 && numberAt(value, 1) === number && bytesAt(value, field) !== undefined,
          signal,
        )
        .catch(() => undefined);
    }
    if (signal.aborted) return;
    this.#update(3, encodeText(1, id), encodeMessage(2, call.completed(call.exec && bytesAt(answer, call.exec.field))));
  }

  #notOffered(block: Block): void {
    const name = block.type === "call" ? block.names[0] : block.type;
    this.#update(1, encodeText(1, `(tool ${name} not offered)`));
  }

  #update(field: number, ...parts: Buffer[]): void {
    this.#send(1, encodeMessage(field, ...parts));
  }

  #send(field: number, ...parts: Buffer[]): void {
    const { response } = this.#parts;
    if (!response.destroyed && !response.writableEnded) response.write(connectFrame(encodeMessage(field, ...parts)));
  }
}

import type { Attachment } from "@gantry/protocol";
import type { HistoryEntry } from "../../contract.ts";
import { compact, type Fields, fields, nonBlank, number, text } from "../../fields.ts";
import { HistoryDecoder, recordPrompt } from "../../json-lines/history-decoder.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { completeText } from "../../json-lines/texts.ts";
import { addTurnUsage, beginTurn, failTurn, finishTurn } from "../../json-lines/turns.ts";
import { errorFailure, isAborted } from "../wire/errors.ts";
import { readTool } from "../wire/tools.ts";
import { stepUsage } from "../wire/usage.ts";

/** A stored message with its parts. */
export type PastMessage = { info: Fields; parts: Fields[] };

type OpenCodeHistoryState = DecoderState & { cost: number; stopped?: string; aborted?: boolean };

const QUIET = ["step-start", "snapshot", "patch", "agent", "file", "retry", "subtask"];

/** Reads a stored conversation. A turn is a user message and all responses to it. */
export class OpenCodeReader {
  readonly #decoder: HistoryDecoder<OpenCodeHistoryState>;

  constructor(conversation: string) {
    this.#decoder = new HistoryDecoder<OpenCodeHistoryState>(conversation, { cost: 0 });
  }

  message({ info, parts }: PastMessage): void {
    const spoken = parts.filter((part) => part.type === "text" && part.synthetic !== true && part.ignored !== true);
    const prompt = info.role === "user" && (spoken.length > 0 || parts.some((part) => part.type === "file"));
    if (prompt) this.#end();
    this.#decoder.recorder.time(fields(info.time).created);
    if (prompt) return this.#recordPrompt(parts, spoken);
    if (info.role === "user") return this.#recordCompaction(parts);
    if (info.role === "assistant") return this.#recordAnswer(info, parts);
    this.#decoder.recorder.raw(info, "unknown message");
  }

  finish(): void {
    this.#end();
  }

  takeEntries(): HistoryEntry[] {
    return this.#decoder.takeEntries();
  }

  #recordPrompt(parts: Fields[], spoken: Fields[]): void {
    const prompt = spoken.map((part) => text(part.text) ?? "").join("\n");
    this.#decoder.take((pass) => recordPrompt(pass, prompt, parts.flatMap(attachmentOf)));
  }

  /** A compaction request is stored as a user message. */
  #recordCompaction(parts: Fields[]): void {
    const order = parts.find((part) => part.type === "compaction");
    if (!order) return;
    const trigger = order.overflow === true ? "overflow" : order.auto === true ? "auto" : "manual";
    this.#decoder.recorder.event("context.compacted", { trigger, inferred: false });
  }

  #recordAnswer(info: Fields, parts: Fields[]): void {
    // Summaries are only for the model.
    if (info.summary === true) return;
    this.#decoder.take((pass) => {
      beginTurn(pass);
      const [provider, model] = [nonBlank(info.providerID), nonBlank(info.modelID)];
      if (provider && model) pass.state.model = `${provider}/${model}`;
      pass.state.stopped = undefined;
    });
    for (const part of parts) this.#part(part);
    this.#decoder.recorder.time(fields(info.time).completed);
    const error = fields(info.error);
    if (isAborted(error)) this.#decoder.state.aborted = true;
    else if (nonBlank(error.name)) this.#decoder.state.failure = errorFailure(error);
  }

  /** A tool call is published twice: start and end. */
  #part(part: Fields): void {
    const state = fields(part.state);
    const { start, end } = fields(state.time);
    if (part.type === "tool" && state.status !== "pending") {
      this.#decoder.recorder.time(start);
      this.#decoder.take((pass) => readTool(pass, { ...part, state: { ...state, status: "running", metadata: {} } }));
    }
    this.#decoder.recorder.time(fields(part.time).end ?? end);
    this.#decoder.take((pass) =>
      read(pass, isInterrupted(state) ? { ...part, state: { ...state, status: "error" } } : part),
    );
  }

  #end(): void {
    if (this.#decoder.state.turn !== "running") return;
    this.#decoder.take((pass) => {
      const { failure, aborted, cost, stopped } = pass.state;
      Object.assign(pass.state, { aborted: undefined, cost: 0, stopped: undefined });
      const more = cost > 0 ? { cost: { usd: cost, source: "agent" as const } } : {};
      if (aborted) return finishTurn(pass, { outcome: "interrupted", ...more });
      if (failure) return failTurn(pass, failure, more);
      const whole = stopped !== undefined && stopped !== "tool-calls";
      finishTurn(pass, { outcome: whole ? "completed" : "interrupted", ...more });
    });
  }
}

/** OpenCode stores an interrupted command as completed. */
function isInterrupted({ status, output }: Fields): boolean {
  return status === "completed" && /<shell_metadata>\s*User aborted the command/.test(text(output) ?? "");
}

function read(pass: Pass<OpenCodeHistoryState>, part: Fields): void {
  switch (part.type) {
    case "text":
      if (part.synthetic !== true) completeText(pass, nonBlank(part.id) ?? "text", "text", text(part.text) ?? "");
      return;
    case "reasoning":
      return completeText(pass, nonBlank(part.id) ?? "thought", "reasoning", text(part.text) ?? "");
    case "tool":
      return readTool(pass, part);
    case "step-finish":
      pass.state.stopped = text(part.reason);
      pass.state.cost += number(part.cost) ?? 0;
      return addTurnUsage(pass, stepUsage(fields(part.tokens)));
    case "compaction":
      return pass.event("context.compacted", { inferred: false });
    default:
      if (!QUIET.includes(text(part.type) ?? "")) pass.raw(part, "unknown part");
  }
}

function attachmentOf(part: Fields): Attachment[] {
  if (part.type !== "file") return [];
  const url = text(part.url) ?? "";
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  const name = nonBlank(part.filename) ?? "file";
  const path = url.startsWith("file://") ? decodeURI(url.slice("file://".length)) : undefined;
  return data || path ? [compact({ name, mime: nonBlank(part.mime), data, path })] : [];
}

import type { FileChange } from "@gantry/protocol";
import type { HistoryEntry } from "../../contract.ts";
import { compact, count, type Fields, fields, list, nonBlank, ownValue, text } from "../../fields.ts";
import { isoTime } from "../../history/recorder.ts";
import { type CallEnd, endTool, startTool } from "../../json-lines/calls.ts";
import { HistoryDecoder, recordPrompt } from "../../json-lines/history-decoder.ts";
import type { DecoderState, Pass } from "../../json-lines/pass.ts";
import { diffChange } from "../../json-lines/reading/changes.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { completeText } from "../../json-lines/texts.ts";
import { addTurnUsage, beginTurn, failTurn, finishTurn } from "../../json-lines/turns.ts";
import { dialect } from "../dialect.ts";
import { isPrompt, picturesOf, promptText } from "./prompts.ts";

type GeminiHistoryState = DecoderState & { answered?: boolean; stopped?: boolean };

/**
 * Reads a stored conversation. A message is rewritten whenever a tool call is added; some versions add all calls to the
 * first message. So each message and call is published at its first occurrence.
 */
export class GeminiReader {
  readonly #decoder: HistoryDecoder<GeminiHistoryState>;
  readonly #seen = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(conversation: string) {
    this.#decoder = new HistoryDecoder<GeminiHistoryState>(conversation, {});
  }

  line(value: unknown): void {
    const entry = fields(value);
    const set = list(fields(entry.$set).messages);
    for (const message of set.map(fields)) this.#message(message);
    if (nonBlank(entry.type)) return this.#message(entry);
    const known = "$set" in entry || "$rewindTo" in entry || nonBlank(entry.sessionId);
    if (!known) this.#decoder.recorder.raw(entry, "unknown line");
  }

  finish(): void {
    this.#end();
  }

  takeEntries(): HistoryEntry[] {
    return this.#decoder.takeEntries();
  }

  #message(entry: Fields): void {
    const prompt = isPrompt(entry);
    const isNew = this.#isNew(`m ${nonBlank(entry.id) ?? ""}`);
    if (prompt && isNew) this.#end();
    this.#decoder.recorder.time(isNew ? entry.timestamp : undefined);
    this.#decoder.take((pass) => {
      if (prompt && isNew) return recordPrompt(pass, promptText(entry.content), picturesOf(entry.content));
      if (entry.type === "user") return this.#responses(pass, entry.content);
      if (entry.type === "gemini") return this.#answer(pass, entry, isNew);
      if (!isNew) return;
      if (entry.type === "error") {
        pass.state.failure = textFailure(promptText(entry.content));
        return;
      }
      if (entry.type === "info" || entry.type === "warning") {
        const prompt = nonBlank(promptText(entry.content));
        return prompt ? pass.notice("agent", entry.type, prompt) : undefined;
      }
      pass.raw(entry, "unknown message");
    });
  }

  #answer(pass: Pass<GeminiHistoryState>, entry: Fields, isNew: boolean): void {
    const id = nonBlank(entry.id) ?? "";
    if (isNew) {
      beginTurn(pass);
      const thoughts = list(entry.thoughts).map((thought) => thoughtOf(fields(thought)));
      completeText(pass, id, "reasoning", thoughts.filter((thought) => thought !== "").join("\n\n"));
      completeText(pass, id, "text", promptText(entry.content));
      pass.state.model = nonBlank(entry.model) ?? pass.state.model;
      addTurnUsage(pass, usageOf(fields(entry.tokens)));
      pass.state.answered = nonBlank(promptText(entry.content)) !== undefined;
      pass.state.stopped = false;
    }
    for (const call of list(entry.toolCalls).map(fields)) this.#call(pass, call);
  }

  #call(pass: Pass<GeminiHistoryState>, call: Fields): void {
    const id = nonBlank(call.id) ?? "";
    if (this.#isNew(`c ${id}`)) {
      beginTurn(pass);
      this.#decoder.recorder.at = isoTime(call.timestamp) ?? this.#decoder.recorder.at;
      startTool(pass, id, compact({ name: nonBlank(call.name) ?? "tool", input: call.args }));
    }
    if (this.#ended.has(id) || !["success", "error", "cancelled"].includes(text(call.status) ?? "")) return;
    this.#ended.add(id);
    if (call.status === "cancelled") pass.state.stopped = true;
    endTool(pass, id, endOf(pass, id, call));
  }

  /** A call of an unknown tool appears only in its response. */
  #responses(pass: Pass<GeminiHistoryState>, content: unknown): void {
    for (const part of list(content)) {
      const { id, name, response } = fields(fields(part).functionResponse);
      const native = nonBlank(id);
      if (!native || !this.#isNew(`c ${native}`)) continue;
      beginTurn(pass);
      const { output, error } = fields(response);
      startTool(pass, native, { name: nonBlank(name) ?? "tool", input: {} });
      const result = text(error) ?? text(output);
      const status = CANCELLED.test(result ?? "") ? "denied" : error ? "error" : "ok";
      endTool(pass, native, compact({ status, output: result } as const));
      this.#ended.add(native);
    }
  }

  #end(): void {
    if (this.#decoder.state.turn !== "running") return;
    this.#decoder.take((pass) => {
      const { answered, stopped, failure } = pass.state;
      Object.assign(pass.state, { answered: undefined, stopped: undefined });
      if (failure && !answered) return failTurn(pass, failure);
      if (answered && !stopped) return finishTurn(pass, { outcome: "completed" });
      finishTurn(pass, { outcome: "interrupted" });
    });
  }

  #isNew(name: string): boolean {
    const isNew = !this.#seen.has(name);
    this.#seen.add(name);
    return isNew;
  }
}

function thoughtOf({ subject, description }: Fields): string {
  return [nonBlank(subject), nonBlank(description)].filter(Boolean).join("\n");
}

/** Calls cancelled before and during execution. */
const CANCELLED = /was cancell?ed by the user/i;
const STOPPED = /Command was cancell?ed by user/i;
/** Some versions wrap tool output as untrusted. */
const MARKED = /^<untrusted_context>\n([\s\S]*?)\n<\/untrusted_context>$/;

const STATUS = { success: "ok", error: "error", cancelled: "interrupted" } as const;

function endOf(pass: Pass<GeminiHistoryState>, id: string, call: Fields): CallEnd {
  const response = fields(fields(fields(list(call.result)[0]).functionResponse).response);
  const output = text(response.output) ?? text(response.error);
  const result = output && (MARKED.exec(output)?.[1] ?? output);
  const shell = ownValue(pass.state.tools, id)?.kind === "execute";
  const printed = shell && result ? dialect.printed?.exec(result)?.groups : undefined;
  const status = statusOf(call, result ?? "", Number(printed?.exit ?? 0));
  return compact({
    status,
    output: printed ? (printed.output ?? "") : result,
    exitCode: printed ? Number(printed.exit ?? 0) : undefined,
    changes: status === "ok" ? changesOf(fields(call.resultDisplay)) : undefined,
  });
}

function statusOf(call: Fields, output: string, exit: number): CallEnd["status"] {
  if (STOPPED.test(output)) return "interrupted";
  if (CANCELLED.test(output)) return "denied";
  return exit === 0 ? STATUS[call.status as keyof typeof STATUS] : "error";
}

function changesOf({ fileDiff, filePath, isNewFile }: Fields): FileChange[] | undefined {
  const [path, diff] = [nonBlank(filePath), nonBlank(fileDiff)];
  const change = path && diff ? diffChange(path, diff, isNewFile === true ? "add" : "update") : undefined;
  return change && [change];
}

/** Thoughts are counted separately from the output. */
function usageOf(tokens: Fields) {
  const thoughts = count(tokens.thoughts);
  return {
    input: count(tokens.input),
    output: count(tokens.output) + thoughts,
    cacheRead: count(tokens.cached),
    cacheWrite: 0,
    reasoning: thoughts,
  };
}

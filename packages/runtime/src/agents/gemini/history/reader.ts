import type { FileChange } from "@gantry/protocol";
import type { HistoryEntry } from "../../contract.ts";
import { compact, count, type Fields, fields, list, nonBlank, own, text } from "../../fields.ts";
import { isoTime } from "../../history/recorder.ts";
import { type CallEnd, endTool, startTool } from "../../json-lines/calls.ts";
import { PastTalk, said } from "../../json-lines/past-talk.ts";
import { diffChange } from "../../json-lines/reading/changes.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";
import type { Pass, Talk } from "../../json-lines/talk.ts";
import { whole } from "../../json-lines/texts.ts";
import { begin, fail, finish, spend } from "../../json-lines/turns.ts";
import { dialect } from "../dialect.ts";
import { isPrompt, picturesOf, wordsOf } from "./words.ts";

type Told = Talk & { answered?: boolean; stopped?: boolean };

/**
 * A conversation of Gemini's. A message is written again, whole, whenever a tool call is added to it; some versions add
 * all calls of a conversation to its first. So each message, and each call, is told where it first comes up.
 */
export class GeminiReader {
  readonly #talk: PastTalk<Told>;
  readonly #seen = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(conversation: string) {
    this.#talk = new PastTalk<Told>(conversation, {});
  }

  line(value: unknown): void {
    const entry = fields(value);
    const set = list(fields(entry.$set).messages);
    for (const message of set.map(fields)) this.#message(message);
    if (nonBlank(entry.type)) return this.#message(entry);
    const known = "$set" in entry || "$rewindTo" in entry || nonBlank(entry.sessionId);
    if (!known) this.#talk.teller.raw(entry, "unknown line");
  }

  over(): void {
    this.#end();
  }

  takeEntries(): HistoryEntry[] {
    return this.#talk.takeEntries();
  }

  #message(entry: Fields): void {
    const prompt = isPrompt(entry);
    const isNew = this.#isNew(`m ${nonBlank(entry.id) ?? ""}`);
    if (prompt && isNew) this.#end();
    this.#talk.teller.time(isNew ? entry.timestamp : undefined);
    this.#talk.take((pass) => {
      if (prompt && isNew) return said(pass, wordsOf(entry.content), picturesOf(entry.content));
      if (entry.type === "user") return this.#responses(pass, entry.content);
      if (entry.type === "gemini") return this.#answer(pass, entry, isNew);
      if (!isNew) return;
      if (entry.type === "error") {
        pass.state.failure = wordsFailure(wordsOf(entry.content));
        return;
      }
      if (entry.type === "info" || entry.type === "warning") {
        const said = nonBlank(wordsOf(entry.content));
        return said ? pass.notice("agent", entry.type, said) : undefined;
      }
      pass.raw(entry, "unknown message");
    });
  }

  #answer(pass: Pass<Told>, entry: Fields, isNew: boolean): void {
    const id = nonBlank(entry.id) ?? "";
    if (isNew) {
      begin(pass);
      const thoughts = list(entry.thoughts).map((thought) => thoughtOf(fields(thought)));
      whole(pass, id, "reasoning", thoughts.filter((thought) => thought !== "").join("\n\n"));
      whole(pass, id, "text", wordsOf(entry.content));
      pass.state.model = nonBlank(entry.model) ?? pass.state.model;
      spend(pass, usageOf(fields(entry.tokens)));
      pass.state.answered = nonBlank(wordsOf(entry.content)) !== undefined;
      pass.state.stopped = false;
    }
    for (const call of list(entry.toolCalls).map(fields)) this.#call(pass, call);
  }

  #call(pass: Pass<Told>, call: Fields): void {
    const id = nonBlank(call.id) ?? "";
    if (this.#isNew(`c ${id}`)) {
      begin(pass);
      this.#talk.teller.at = isoTime(call.timestamp) ?? this.#talk.teller.at;
      startTool(pass, id, compact({ name: nonBlank(call.name) ?? "tool", input: call.args }));
    }
    if (this.#ended.has(id) || !["success", "error", "cancelled"].includes(text(call.status) ?? "")) return;
    this.#ended.add(id);
    if (call.status === "cancelled") pass.state.stopped = true;
    endTool(pass, id, endOf(pass, id, call));
  }

  /** A call that the program knew no tool for is told by its answer alone. */
  #responses(pass: Pass<Told>, content: unknown): void {
    for (const part of list(content)) {
      const { id, name, response } = fields(fields(part).functionResponse);
      const native = nonBlank(id);
      if (!native || !this.#isNew(`c ${native}`)) continue;
      begin(pass);
      const { output, error } = fields(response);
      startTool(pass, native, { name: nonBlank(name) ?? "tool", input: {} });
      const said = text(error) ?? text(output);
      const status = CANCELLED.test(said ?? "") ? "denied" : error ? "error" : "ok";
      endTool(pass, native, compact({ status, output: said } as const));
      this.#ended.add(native);
    }
  }

  #end(): void {
    if (this.#talk.state.turn !== "running") return;
    this.#talk.take((pass) => {
      const { answered, stopped, failure } = pass.state;
      Object.assign(pass.state, { answered: undefined, stopped: undefined });
      if (failure && !answered) return fail(pass, failure);
      if (answered && !stopped) return finish(pass, { outcome: "completed" });
      finish(pass, { outcome: "interrupted" });
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

/** What was called off before it ran, and while it ran. */
const CANCELLED = /was cancell?ed by the user/i;
const STOPPED = /Command was cancell?ed by user/i;
/** Some versions mark what a tool printed as somebody else's words. */
const MARKED = /^<untrusted_context>\n([\s\S]*?)\n<\/untrusted_context>$/;

const STATUS = { success: "ok", error: "error", cancelled: "interrupted" } as const;

function endOf(pass: Pass<Told>, id: string, call: Fields): CallEnd {
  const response = fields(fields(fields(list(call.result)[0]).functionResponse).response);
  const told = text(response.output) ?? text(response.error);
  const said = told && (MARKED.exec(told)?.[1] ?? told);
  const shell = own(pass.state.tools, id)?.kind === "execute";
  const printed = shell && said ? dialect.printed?.exec(said)?.groups : undefined;
  const status = statusOf(call, said ?? "", Number(printed?.exit ?? 0));
  return compact({
    status,
    output: printed ? (printed.output ?? "") : said,
    exitCode: printed ? Number(printed.exit ?? 0) : undefined,
    changes: status === "ok" ? changesOf(fields(call.resultDisplay)) : undefined,
  });
}

function statusOf(call: Fields, said: string, exit: number): CallEnd["status"] {
  if (STOPPED.test(said)) return "interrupted";
  if (CANCELLED.test(said)) return "denied";
  return exit === 0 ? STATUS[call.status as keyof typeof STATUS] : "error";
}

function changesOf({ fileDiff, filePath, isNewFile }: Fields): FileChange[] | undefined {
  const [path, diff] = [nonBlank(filePath), nonBlank(fileDiff)];
  const change = path && diff ? diffChange(path, diff, isNewFile === true ? "add" : "update") : undefined;
  return change && [change];
}

/** Thoughts count beside the output. */
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

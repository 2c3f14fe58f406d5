import type { Attachment } from "@gantry/protocol";
import type { ConversationHead, History, HistoryPlace } from "../contract.ts";
import { compact, type Fields, fields, list, nonBlank, number, text } from "../fields.ts";
import { fileHistory, type Head } from "../history/file-history.ts";
import { ParsedLines } from "../history/parsed-lines.ts";
import { isoTime, readHistoryLines, titleFrom } from "../history/recorder.ts";
import { endTool } from "./calls.ts";
import { PastTalk, said } from "./past-talk.ts";
import { called, spent } from "./pi-rpc/messages.ts";
import { modelId } from "./pi-rpc/models.ts";
import { initialState, type PiState } from "./pi-rpc/state.ts";
import { diffChange } from "./reading/changes.ts";
import { blocksText } from "./reading/content.ts";
import { wordsFailure } from "./reading/failures.ts";
import type { Pass } from "./talk.ts";
import { whole } from "./texts.ts";
import { fail, finish } from "./turns.ts";

/** Entries that are understood and say nothing that the log needs. */
const QUIET = ["session", "thinking_level_change", "context_edit", "label", "custom", "session_info", "branch_summary"];

/** Pi and its kin: one file of JSON lines for a conversation, below a folder for each folder that was worked in. */
export function piHistory(folders: (place: HistoryPlace) => string[]): History {
  return fileHistory({
    folders,
    isConversation: (path) => path.endsWith(".jsonl") && path.split("/").length <= 2,
    head: headOf,
    read: (found) => readHistoryLines(found.path, new PiReader(found)),
  });
}

function headOf(lines: string[]): Head | undefined {
  const entries = new ParsedLines(lines);
  const first = entries.find((entry) => entry.type === "session");
  const id = nonBlank(first?.id);
  if (!first || !id) return undefined;
  const prompt = entries.find((entry) => fields(entry.message).role === "user", '"user"');
  const name = nonBlank(entries.find((entry) => entry.type === "session_info", '"session_info"')?.name);
  const title = name ?? titleFrom(blocksText(fields(prompt?.message).content));
  return compact({ id, cwd: nonBlank(first.cwd), title, startedAt: isoTime(first.timestamp) });
}

class PiReader {
  readonly #talk: PastTalk<PiState>;
  /** How the last answer ended, until it is known whether the turn went on. */
  #stop: string | undefined;

  constructor({ id }: ConversationHead) {
    const options = { cwd: "", mode: "inherit", uuid: id, dir: "" } as const;
    this.#talk = new PastTalk<PiState>(id, initialState(options, false, false));
  }

  line(value: unknown): void {
    const entry = fields(value);
    const message = fields(entry.message);
    if (entry.type === "message" && message.role === "user") this.#end();
    this.#talk.teller.time(entry.timestamp);
    this.#talk.take((pass) => this.#read(pass, entry, message));
  }

  over(): void {
    this.#end();
  }

  takeEntries() {
    return this.#talk.takeEntries();
  }

  #read(pass: Pass<PiState>, entry: Fields, message: Fields): void {
    switch (entry.type) {
      case "message":
        return this.#message(pass, entry, message);
      case "model_change":
        return modelChanged(pass, entry);
      case "compaction":
        return pass.event("context.compacted", compact({ before: number(entry.tokensBefore), inferred: false }));
      case "custom_message":
        return pass.notice("agent", "info", blocksText(entry.content) ?? "A message of an extension.");
      default:
        if (!QUIET.includes(text(entry.type) ?? "")) pass.raw(entry, "unknown entry");
    }
  }

  #message(pass: Pass<PiState>, entry: Fields, message: Fields): void {
    switch (message.role) {
      case "user":
        this.#stop = undefined;
        return said(pass, wordsIn(message.content), picturesIn(message.content));
      case "assistant":
        this.#stop = text(message.stopReason);
        return answered(pass, entry, message);
      case "toolResult":
        return toolEnded(pass, message);
      case "bashExecution":
        return pass.notice("shell", "info", `$ ${text(message.command) ?? ""}\n${text(message.output) ?? ""}`.trim());
      case "system":
      case "compactionSummary":
      case "branchSummary":
        return;
      default:
        return pass.raw(entry, "unknown role");
    }
  }

  /** Nothing says that a turn is over; the next prompt, or the end of the file, does. */
  #end(): void {
    const { state } = this.#talk;
    if (state.turn !== "running" || this.#stop === "toolUse") return;
    this.#talk.take((pass) => {
      const cost = pass.state.cost ? { cost: { usd: pass.state.cost, source: "agent" as const } } : {};
      pass.state.cost = undefined;
      const { failure } = pass.state;
      if (this.#stop === undefined || this.#stop === "aborted" || /abort/i.test(failure?.message ?? ""))
        return finish(pass, { outcome: "interrupted", ...cost });
      if (failure) return fail(pass, failure, cost);
      finish(pass, { outcome: "completed", ...cost });
    });
  }
}

function answered(pass: Pass<PiState>, entry: Fields, message: Fields): void {
  const name = nonBlank(entry.id) ?? "m";
  list(message.content).forEach((part, index) => {
    const block = fields(part);
    if (block.type === "text") whole(pass, `${name}.${index}`, "text", text(block.text) ?? "");
    if (block.type === "thinking") whole(pass, `${name}.${index}`, "reasoning", text(block.thinking) ?? "");
    if (block.type === "toolCall") called(pass, text(block.id) ?? "", block.name, block.arguments);
  });
  pass.state.model = modelId({ provider: message.provider, id: message.model }) ?? pass.state.model;
  spent(pass, fields(message.usage));
  pass.state.failure = message.stopReason === "error" ? wordsFailure(text(message.errorMessage) ?? "") : undefined;
}

function toolEnded(pass: Pass<PiState>, message: Fields): void {
  const output = blocksText(message.content);
  const patch = text(fields(message.details).patch);
  const path = patch && /^\+\+\+ (.+)$/m.exec(patch)?.[1];
  const change = path ? diffChange(path, patch) : undefined;
  const status = message.isError === true ? ("error" as const) : ("ok" as const);
  const shell = pass.state.tools[text(message.toolCallId) ?? ""]?.kind === "execute";
  endTool(
    pass,
    text(message.toolCallId) ?? "",
    compact({ status, output, exitCode: shell && status === "ok" ? 0 : undefined, changes: change && [change] }),
  );
}

function modelChanged(pass: Pass<PiState>, entry: Fields): void {
  const to = modelId({ provider: entry.provider, id: entry.modelId });
  if (!to || to === pass.state.model) return;
  if (pass.state.model) pass.event("model.changed", { from: pass.state.model, to });
  pass.state.model = to;
}

function wordsIn(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .flatMap((part) => text(fields(part).text) ?? [])
    .join("\n");
}

function picturesIn(content: unknown): Attachment[] {
  return list(content)
    .map(fields)
    .flatMap(({ type, data, mimeType }) =>
      type === "image" && typeof data === "string" ? [compact({ name: "image", mime: nonBlank(mimeType), data })] : [],
    );
}

import type { Attachment } from "@gantry/protocol";
import type { ConversationHead, History, HistoryPlace } from "../contract.ts";
import { compact, type Fields, fields, list, nonBlank, number, text } from "../fields.ts";
import { fileHistory, type Head } from "../history/file-history.ts";
import { ParsedLines } from "../history/parsed-lines.ts";
import { isoTime, readHistoryLines, titleFrom } from "../history/recorder.ts";
import { endTool } from "./calls.ts";
import { HistoryDecoder, recordPrompt } from "./history-decoder.ts";
import type { Pass } from "./pass.ts";
import { addCost, startCall } from "./pi-rpc/messages.ts";
import { modelId } from "./pi-rpc/models.ts";
import { initialState, type PiState } from "./pi-rpc/state.ts";
import { diffChange } from "./reading/changes.ts";
import { blocksText } from "./reading/content.ts";
import { textFailure } from "./reading/failures.ts";
import { completeText } from "./texts.ts";
import { failTurn, finishTurn } from "./turns.ts";

/** Ignored entry types. */
const QUIET = ["session", "thinking_level_change", "context_edit", "label", "custom", "session_info", "branch_summary"];

/** Pi and derived agents: one JSON lines file per conversation, in a folder per working folder. */
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
  readonly #decoder: HistoryDecoder<PiState>;
  /** The stop reason of the last response, until it is known whether the turn continued. */
  #stop: string | undefined;

  constructor({ id }: ConversationHead) {
    const options = { cwd: "", mode: "inherit", uuid: id, dir: "" } as const;
    this.#decoder = new HistoryDecoder<PiState>(id, initialState(options, false, false));
  }

  line(value: unknown): void {
    const entry = fields(value);
    const message = fields(entry.message);
    if (entry.type === "message" && message.role === "user") this.#end();
    this.#decoder.recorder.time(entry.timestamp);
    this.#decoder.take((pass) => this.#read(pass, entry, message));
  }

  finish(): void {
    this.#end();
  }

  takeEntries() {
    return this.#decoder.takeEntries();
  }

  #read(pass: Pass<PiState>, entry: Fields, message: Fields): void {
    switch (entry.type) {
      case "message":
        return this.#message(pass, entry, message);
      case "model_change":
        return readModelChange(pass, entry);
      case "compaction":
        return pass.event("context.compacted", compact({ before: number(entry.tokensBefore), inferred: false }));
      case "custom_message":
        return pass.notice("agent", "info", blocksText(entry.content) ?? "A message from an extension.");
      default:
        if (!QUIET.includes(text(entry.type) ?? "")) pass.raw(entry, "unknown entry");
    }
  }

  #message(pass: Pass<PiState>, entry: Fields, message: Fields): void {
    switch (message.role) {
      case "user":
        this.#stop = undefined;
        return recordPrompt(pass, promptText(message.content), promptImages(message.content));
      case "assistant":
        this.#stop = text(message.stopReason);
        return readAssistant(pass, entry, message);
      case "toolResult":
        return readToolResult(pass, message);
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

  /** The file does not record the end of a turn; the next prompt or the end of the file implies it. */
  #end(): void {
    const { state } = this.#decoder;
    if (state.turn !== "running" || this.#stop === "toolUse") return;
    this.#decoder.take((pass) => {
      const cost = pass.state.cost ? { cost: { usd: pass.state.cost, source: "agent" as const } } : {};
      pass.state.cost = undefined;
      const { failure } = pass.state;
      if (this.#stop === undefined || this.#stop === "aborted" || /abort/i.test(failure?.message ?? ""))
        return finishTurn(pass, { outcome: "interrupted", ...cost });
      if (failure) return failTurn(pass, failure, cost);
      finishTurn(pass, { outcome: "completed", ...cost });
    });
  }
}

function readAssistant(pass: Pass<PiState>, entry: Fields, message: Fields): void {
  const name = nonBlank(entry.id) ?? "m";
  list(message.content).forEach((part, index) => {
    const block = fields(part);
    if (block.type === "text") completeText(pass, `${name}.${index}`, "text", text(block.text) ?? "");
    if (block.type === "thinking") completeText(pass, `${name}.${index}`, "reasoning", text(block.thinking) ?? "");
    if (block.type === "toolCall") startCall(pass, text(block.id) ?? "", block.name, block.arguments);
  });
  pass.state.model = modelId({ provider: message.provider, id: message.model }) ?? pass.state.model;
  addCost(pass, fields(message.usage));
  pass.state.failure = message.stopReason === "error" ? textFailure(text(message.errorMessage) ?? "") : undefined;
}

function readToolResult(pass: Pass<PiState>, message: Fields): void {
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

function readModelChange(pass: Pass<PiState>, entry: Fields): void {
  const to = modelId({ provider: entry.provider, id: entry.modelId });
  if (!to || to === pass.state.model) return;
  if (pass.state.model) pass.event("model.changed", { from: pass.state.model, to });
  pass.state.model = to;
}

function promptText(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .flatMap((part) => text(fields(part).text) ?? [])
    .join("\n");
}

function promptImages(content: unknown): Attachment[] {
  return list(content)
    .map(fields)
    .flatMap(({ type, data, mimeType }) =>
      type === "image" && typeof data === "string" ? [compact({ name: "image", mime: nonBlank(mimeType), data })] : [],
    );
}

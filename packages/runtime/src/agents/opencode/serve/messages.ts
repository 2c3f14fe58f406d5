import { type Fields, fields, newestEntries, nonBlank, number, ownValue, text, withoutKey } from "../../fields.ts";
import type { Pass } from "../../json-lines/pass.ts";
import { completeText, streamText } from "../../json-lines/texts.ts";
import { addTurnUsage, beginTurn, reportReady } from "../../json-lines/turns.ts";
import { isAborted } from "../wire/errors.ts";
import { readTool } from "../wire/tools.ts";
import { stepUsage } from "../wire/usage.ts";
import type { ServeState } from "./state.ts";

const AUTHORS = 12;
const PARTS = 12;

/** Records a message's author, model and whether it was aborted. */
export function messageUpdated(pass: Pass<ServeState>, line: Fields): void {
  const { state } = pass;
  const info = fields(line.info);
  const id = nonBlank(info.id);
  if (!id) return;
  const author = info.role === "user" ? "user" : info.summary === true ? "summary" : "assistant";
  state.authors = newestEntries({ ...withoutKey(state.authors, id), [id]: author }, AUTHORS);
  if (author !== "assistant" || state.turn !== "running") return;
  if (isAborted(fields(info.error))) state.aborted = true;
  const [provider, model] = [nonBlank(info.providerID), nonBlank(info.modelID)];
  if (provider && model) reportReady(pass, { model: `${provider}/${model}` });
}

export function partUpdated(pass: Pass<ServeState>, line: Fields): void {
  const part = fields(line.part);
  const { state } = pass;
  const author = ownValue(state.authors, text(part.messageID));
  if (author === "user") return userPart(pass, part);
  // Events after the end of a turn repeat earlier ones.
  if (state.turn !== "running") return;
  switch (part.type) {
    case "text":
    case "reasoning":
      return author === "summary" ? undefined : textPart(pass, part, part.type);
    case "tool":
      return readTool(pass, part);
    case "step-finish":
      state.cost += number(part.cost) ?? 0;
      return addTurnUsage(pass, stepUsage(fields(part.tokens)));
    case "step-start":
    case "snapshot":
    case "patch":
    case "agent":
    case "file":
    case "retry":
      return;
    default:
      return pass.raw(part, "unknown part");
  }
}

/** Handles the user's prompt, and the compaction request in the user's name. */
function userPart(pass: Pass<ServeState>, part: Fields): void {
  const { state } = pass;
  const id = text(part.messageID) ?? "";
  if (part.type === "compaction") {
    state.trigger = part.overflow === true ? "overflow" : part.auto === true ? "auto" : "manual";
    return;
  }
  if (part.type !== "text" || part.synthetic === true || state.received.includes(id)) return;
  state.received = [...state.received, id].slice(-AUTHORS);
  pass.emit({ kind: "prompted", text: text(part.text) ?? "" });
  if (state.turn !== "running") beginTurn(pass);
}

/** A text opens empty, grows by deltas and is complete once it has an end. */
function textPart(pass: Pass<ServeState>, part: Fields, channel: "text" | "reasoning"): void {
  const { state } = pass;
  const id = text(part.id) ?? "";
  if (number(fields(part.time).end) !== undefined) {
    state.parts = withoutKey(state.parts, id);
    return completeText(pass, id, channel, text(part.text) ?? "");
  }
  state.parts = newestEntries({ ...state.parts, [id]: channel }, PARTS);
}

export function partDelta(pass: Pass<ServeState>, line: Fields): void {
  const id = text(line.partID) ?? "";
  const channel = ownValue(pass.state.parts, id);
  if (channel && line.field === "text" && pass.state.turn === "running") {
    streamText(pass, id, channel, text(line.delta) ?? "");
  }
}

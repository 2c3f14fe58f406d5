import type { Frame, Step } from "../../contract.ts";
import { type Fields, fields, list, nonBlank, number, ownValue, text } from "../../fields.ts";
import { Pass } from "../../json-lines/pass.ts";
import { textFailure } from "../../json-lines/reading/failures.ts";
import { readPlan } from "../../json-lines/reading/plan.ts";
import {
  beginTurn,
  failTurn,
  finishTurn,
  handleProcessEnd,
  recordStderr,
  reportReady,
  reportRetry,
} from "../../json-lines/turns.ts";
import { errorFailure, isAborted } from "../wire/errors.ts";
import { permissionAsked, permissionReplied, questionAsked, questionReplied } from "./asks.ts";
import { messageUpdated, partDelta, partUpdated } from "./messages.ts";
import { CHANNEL, type ServeState } from "./state.ts";

/** Ignored events. */
const quiet =
  /^(server|plugin|catalog|reference|integration|installation|file|lsp|vcs|project|pty|mcp|tui|command|ide|workspace)\.|^session\.(updated|deleted|next)|^message\.(removed|part\.removed)/;

type Reader = (pass: Pass<ServeState>, received: Fields) => void;

const readers: Record<string, Reader> = {
  "message.updated": messageUpdated,
  "message.part.updated": partUpdated,
  "message.part.delta": partDelta,
  "session.created": (pass, received) => follow(pass, nonBlank(received.sessionID)),
  "session.status": (pass, received) => status(pass, fields(received.status)),
  "session.idle": endTurn,
  "session.error": (pass, received) => trouble(pass, fields(received.error)),
  "session.compacted": (pass) => {
    pass.state.worked = true;
    pass.event("context.compacted", { trigger: pass.state.trigger ?? "auto" });
  },
  "session.diff": reportDiff,
  "todo.updated": (pass, received) => pass.event("plan.updated", { entries: readPlan(received) ?? [] }),
  "permission.asked": permissionAsked,
  "permission.replied": permissionReplied,
  "question.asked": questionAsked,
  "question.replied": questionReplied,
  "question.rejected": questionReplied,
};

export function decode(state: ServeState, frame: Frame): Step<ServeState> {
  const pass = new Pass(state, CHANNEL);
  if (frame.dir === "err") recordStderr(pass, frame.text);
  if (frame.dir === "end" && state.turn === "running") handleProcessEnd(pass, frame.code, frame.signal);
  if (frame.dir === "out")
    handleOutput(pass, "msg" in frame ? fields(frame.msg) : {}, "msg" in frame ? frame.msg : frame);
  return pass.step();
}

function handleOutput(pass: Pass<ServeState>, line: Fields, frame: unknown): void {
  if ("http" in line) return decodeHttpCall(pass, fields(line.http));
  const { type, properties } = fields(line.sse);
  const name = text(type) ?? "";
  const received = fields(properties);
  const session = nonBlank(received.sessionID);
  if (quiet.test(name) || (session && pass.state.session && session !== pass.state.session)) return;
  const reader = ownValue(readers, name);
  if (reader) reader(pass, received);
  else pass.raw(frame, "unknown event");
}

/** Only the first conversation is followed; a fork has its own log. */
function follow(pass: Pass<ServeState>, session: string | undefined): void {
  if (!session || pass.state.session) return;
  pass.state.session = session;
  reportReady(pass, { handle: session });
}

/** Calls show what the stream does not: an interrupt, or a rejected call. */
function decodeHttpCall(pass: Pass<ServeState>, http: Fields): void {
  const path = (text(http.path) ?? "").split("?")[0] ?? "";
  if (path === "/session" && http.method === "POST") follow(pass, nonBlank(fields(http.response).id));
  if (path.endsWith("/abort") && pass.state.turn === "running") pass.state.aborted = true;
  if ((number(http.status) ?? 0) < 400) return;
  const message = text(fields(fields(http.response).data).message) ?? `${http.method} ${path} was refused.`;
  pass.notice("http", "warning", message);
}

function status(pass: Pass<ServeState>, received: Fields): void {
  if (received.type === "busy") return beginTurn(pass);
  if (received.type === "idle") return endTurn(pass);
  if (received.type !== "retry") return;
  beginTurn(pass);
  const error = textFailure(text(received.message) ?? "");
  pass.state.failure = error;
  const attempt = number(received.attempt);
  reportRetry(pass, { ...(attempt === undefined ? {} : { attempt }), reason: error.message }, error);
}

function trouble(pass: Pass<ServeState>, error: Fields): void {
  if (isAborted(error)) pass.state.aborted = true;
  else pass.state.failure = errorFailure(error);
}

/** Handles the end of a turn, reported up to three times; later events are late. */
function endTurn(pass: Pass<ServeState>): void {
  const { state } = pass;
  if (state.turn !== "running") return;
  const { failure, aborted, cost } = state;
  const more = cost > 0 ? { cost: { usd: cost, source: "agent" as const } } : {};
  if (aborted) finishTurn(pass, { outcome: "interrupted", ...more });
  else if (failure) failTurn(pass, failure, more);
  else finishTurn(pass, { outcome: "completed", ...more });
  Object.assign(state, { aborted: false, cost: 0, parts: {}, asks: {} });
}

function reportDiff(pass: Pass<ServeState>, received: Fields): void {
  const files = list(received.diff).flatMap((entry) => {
    const { file, additions, deletions } = fields(entry);
    const path = nonBlank(file);
    const counts = { additions: Math.round(number(additions) ?? 0), deletions: Math.round(number(deletions) ?? 0) };
    return path ? [{ path, kind: "update" as const, ...counts }] : [];
  });
  if (files.length > 0) pass.event("diff.updated", { files });
}

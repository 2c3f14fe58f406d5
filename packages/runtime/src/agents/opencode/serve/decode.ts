import type { Frame, Step } from "../../contract.ts";
import { type Fields, fields, list, nonBlank, number, own, text } from "../../fields.ts";
import { wordsFailure } from "../../json-lines/reading/failures.ts";
import { readPlan } from "../../json-lines/reading/plan.ts";
import { Pass } from "../../json-lines/talk.ts";
import { begin, complained, fail, finish, processEnded, ready, retry } from "../../json-lines/turns.ts";
import { errorFailure, isAborted } from "../wire/errors.ts";
import { permissionAsked, permissionReplied, questionAsked, questionReplied } from "./asks.ts";
import { messageUpdated, partDelta, partUpdated } from "./messages.ts";
import { CHANNEL, type ServeState } from "./state.ts";

/** Events that are understood and say nothing that the log needs. */
const quiet =
  /^(server|plugin|catalog|reference|integration|installation|file|lsp|vcs|project|pty|mcp|tui|command|ide|workspace)\.|^session\.(updated|deleted|next)|^message\.(removed|part\.removed)/;

type Reader = (pass: Pass<ServeState>, said: Fields) => void;

const readers: Record<string, Reader> = {
  "message.updated": messageUpdated,
  "message.part.updated": partUpdated,
  "message.part.delta": partDelta,
  "session.created": (pass, said) => follow(pass, nonBlank(said.sessionID)),
  "session.status": (pass, said) => status(pass, fields(said.status)),
  "session.idle": idle,
  "session.error": (pass, said) => trouble(pass, fields(said.error)),
  "session.compacted": (pass) => {
    pass.state.worked = true;
    pass.event("context.compacted", { trigger: pass.state.trigger ?? "auto" });
  },
  "session.diff": changed,
  "todo.updated": (pass, said) => pass.event("plan.updated", { entries: readPlan(said) ?? [] }),
  "permission.asked": permissionAsked,
  "permission.replied": permissionReplied,
  "question.asked": questionAsked,
  "question.replied": questionReplied,
  "question.rejected": questionReplied,
};

export function decode(state: ServeState, frame: Frame): Step<ServeState> {
  const pass = new Pass(state, CHANNEL);
  if (frame.dir === "err") complained(pass, frame.text);
  if (frame.dir === "end" && state.turn === "running") processEnded(pass, frame.code, frame.signal);
  if (frame.dir === "out") heard(pass, "msg" in frame ? fields(frame.msg) : {}, "msg" in frame ? frame.msg : frame);
  return pass.step();
}

function heard(pass: Pass<ServeState>, line: Fields, frame: unknown): void {
  if ("http" in line) return called(pass, fields(line.http));
  const { type, properties } = fields(line.sse);
  const name = text(type) ?? "";
  const said = fields(properties);
  const session = nonBlank(said.sessionID);
  if (quiet.test(name) || (session && pass.state.session && session !== pass.state.session)) return;
  const reader = own(readers, name);
  if (reader) reader(pass, said);
  else pass.raw(frame, "unknown event");
}

/** The first conversation is the one that is followed; a fork that is made of it has its own log. */
function follow(pass: Pass<ServeState>, session: string | undefined): void {
  if (!session || pass.state.session) return;
  pass.state.session = session;
  ready(pass, { handle: session });
}

/** A call tells what the stream does not: that the turn was stopped on request, or that the call was refused. */
function called(pass: Pass<ServeState>, http: Fields): void {
  const path = (text(http.path) ?? "").split("?")[0] ?? "";
  if (path === "/session" && http.method === "POST") follow(pass, nonBlank(fields(http.response).id));
  if (path.endsWith("/abort") && pass.state.turn === "running") pass.state.aborted = true;
  if ((number(http.status) ?? 0) < 400) return;
  const message = text(fields(fields(http.response).data).message) ?? `${http.method} ${path} was refused.`;
  pass.notice("http", "warning", message);
}

function status(pass: Pass<ServeState>, said: Fields): void {
  if (said.type === "busy") return begin(pass);
  if (said.type === "idle") return idle(pass);
  if (said.type !== "retry") return;
  begin(pass);
  const error = wordsFailure(text(said.message) ?? "");
  pass.state.failure = error;
  const attempt = number(said.attempt);
  retry(pass, { ...(attempt === undefined ? {} : { attempt }), reason: error.message }, error);
}

function trouble(pass: Pass<ServeState>, error: Fields): void {
  if (isAborted(error)) pass.state.aborted = true;
  else pass.state.failure = errorFailure(error);
}

/** The end of a turn, which OpenCode tells up to three times; what comes after it is late. */
function idle(pass: Pass<ServeState>): void {
  const { state } = pass;
  if (state.turn !== "running") return;
  const { failure, aborted, cost } = state;
  const more = cost > 0 ? { cost: { usd: cost, source: "agent" as const } } : {};
  if (aborted) finish(pass, { outcome: "interrupted", ...more });
  else if (failure) fail(pass, failure, more);
  else finish(pass, { outcome: "completed", ...more });
  Object.assign(state, { aborted: false, cost: 0, parts: {}, asks: {} });
}

function changed(pass: Pass<ServeState>, said: Fields): void {
  const files = list(said.diff).flatMap((entry) => {
    const { file, additions, deletions } = fields(entry);
    const path = nonBlank(file);
    const counts = { additions: Math.round(number(additions) ?? 0), deletions: Math.round(number(deletions) ?? 0) };
    return path ? [{ path, kind: "update" as const, ...counts }] : [];
  });
  if (files.length > 0) pass.event("diff.updated", { files });
}

import { join } from "node:path";
import { type Capture, readCapture } from "../../packages/testkit/src/replay/capture.ts";
import { repository } from "../child.ts";

type Json = Record<string, unknown>;
export type Vendor = "claude" | "codex";

/** A recorded turn, cut so that its middle can be repeated. Each entry is one line of output. */
export type Recording = {
  /** The recorded answers to the host's requests, by the name of the request. */
  answers: ReadonlyMap<string, Json>;
  head: string[];
  loop: string[];
  tail: string[];
  /** The starts and ends of tool calls in one repetition, in the order in which the vendor wrote them. */
  edges: readonly string[];
};

type Source = {
  folder: string;
  /** Both have the host's frames too. The turn is that of the last one. */
  files: string[];
  nameOf(request: Json): string | undefined;
  answerIn(frame: Json): { id: unknown } | undefined;
  isRequestToHost(frame: Json): boolean;
  isLoopStart(frame: Json): boolean;
  isTailStart(frame: Json): boolean;
};

const SOURCES: Record<Vendor, Source> = {
  claude: {
    folder: "packages/runtime/src/agents/claude/fixtures/2.1.325",
    files: ["ctl_initialize.jsonl", "ctl_multi_allow.jsonl"],
    nameOf: ({ type, request }) => (type === "control_request" ? String((request as Json).subtype) : undefined),
    answerIn: ({ type, response }) => (type === "control_response" ? { id: (response as Json).request_id } : undefined),
    isRequestToHost: ({ type }) => type === "control_request",
    isLoopStart: ({ type }) => type === "stream_event",
    isTailStart: ({ type }) => type === "result",
  },
  codex: {
    folder: "packages/runtime/src/agents/codex/fixtures",
    files: ["appserver_multi.jsonl"],
    nameOf: ({ method, id }) => (id === undefined ? undefined : String(method)),
    answerIn: ({ id, result }) => (result === undefined ? undefined : { id }),
    isRequestToHost: ({ method, id }) => id !== undefined && method !== undefined,
    isLoopStart: ({ method, params }) =>
      method === "item/started" && ((params as Json).item as Json).type === "agentMessage",
    isTailStart: ({ method }) => method === "thread/readState/changed",
  },
};

/** The ids of messages, reasoning and calls that the scripted model gave out while the vendor's program was recorded. */
export const NATIVE_ID = /\b(?:msg|rs|toolu|call)_mock\d+/g;
const CALL_ID = /\b(?:toolu|call)_mock\d+/g;

/**
 * Reads the recordings of a vendor that the decoder tests use. Requests to the host, that is approvals, are left out,
 * because a repeated turn must not wait for answers.
 */
export function readRecording(vendor: Vendor): Recording {
  const source = SOURCES[vendor];
  const captures = source.files.map((file) => readCapture(join(repository, source.folder, file)));
  const turn = captures.at(-1)?.frames ?? [];
  const last = turn.flatMap(({ dir, msg }) => (dir === "out" && msg ? [msg as Json] : []));
  const frames = last.filter((frame) => !source.answerIn(frame) && !source.isRequestToHost(frame));
  const [from, to] = [frames.findIndex(source.isLoopStart), frames.findIndex(source.isTailStart)];
  const lines = frames.map((frame) => JSON.stringify(frame));
  const loop = lines.slice(from, to);
  return {
    answers: new Map(captures.flatMap((capture) => answersIn(source, capture))),
    // A new thread is announced before the turn begins.
    head: lines.slice(0, from),
    loop,
    tail: lines.slice(to),
    edges: edgesOf(loop),
  };
}

function answersIn(source: Source, { frames }: Capture): [string, Json][] {
  const names = new Map<unknown, string>();
  const answers: [string, Json][] = [];
  for (const { dir, msg } of frames) {
    const frame = (msg ?? {}) as Json;
    if (dir === "in") {
      const name = source.nameOf(frame);
      if (name) names.set(frame.request_id ?? frame.id, name);
      continue;
    }
    const name = names.get(source.answerIn(frame)?.id);
    if (name) answers.push([name, frame]);
  }
  return answers;
}

/** `<id> started` at the first line that names a call, `<id> ended` at the last. */
function edgesOf(loop: readonly string[]): string[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [index, line] of loop.entries()) {
    for (const [id] of line.matchAll(CALL_ID)) {
      if (!first.has(id)) first.set(id, index);
      last.set(id, index);
    }
  }
  const edges = [...first].map(([id, line]) => ({ line, edge: `${id} started` }));
  edges.push(...[...last].map(([id, line]) => ({ line, edge: `${id} ended` })));
  return edges.sort((a, b) => a.line - b.line).map(({ edge }) => edge);
}

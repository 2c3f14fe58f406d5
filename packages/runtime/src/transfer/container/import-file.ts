import { createHash } from "node:crypto";
import { type Envelope, foldSession, type IdKind, type SessionView } from "@gantry/protocol";
import { appliedMode } from "../../agents/applied-mode.ts";
import type { Agent } from "../../agents/contract.ts";
import { PendingBrief } from "../../handoff/pending-brief.ts";
import type { Plan } from "../../jobs/job.ts";
import type { Blobs } from "../../log/blobs.ts";
import type { Store, StoredEvent } from "../../log/port.ts";
import type { SessionStep } from "../../session/engine/step.ts";
import { isFolder } from "../history/import-job.ts";
import { ConversationReplay } from "../history/replay.ts";
import { discard, LogWriter } from "../log-writer.ts";
import type { Sums } from "./format.ts";
import { readPieces } from "./read.ts";
import { eventsUpTo } from "./write.ts";

export const IMPORT_FILE = "import-file";

/** `from` is the session's id in the file, `seal` the hash that identifies its events. */
export type FileData = { path: string; from: string; session: string; seal: string; cwd?: string };

/** Stored with the session: the file's seal, and the patches of its turns as blobs. */
export type FileRecord = { session: string; seal: string; patches: Record<string, string> };

export type FileDeps = {
  store: Store;
  blobs: Blobs;
  id: (kind: IdKind) => string;
  now: () => string;
  agent(id: string): Agent | undefined;
  /** Limit of the brief for the next process. */
  briefChars: number;
  onShown(session: string, rows: StoredEvent[]): void;
};

/** Writes a session from a verified file. Restartable: an interrupted run starts again with the same file. */
export function importFilePlan(deps: FileDeps): Plan<FileData> {
  return {
    kind: IMPORT_FILE,
    steps: [{ name: "write", run: (data) => write(deps, data) }],
    undo: async ({ session }) => {
      discard(deps.store, deps.blobs, session);
      return undefined;
    },
  };
}

async function write(deps: FileDeps, data: FileData): Promise<undefined> {
  const { store, blobs } = deps;
  const { session } = data;
  if (store.sessions.get(session)) return undefined;
  discard(store, blobs, session);
  const writer = new LogWriter(store, blobs, session);
  const patches: Record<string, string> = {};
  let view: SessionView | undefined;
  let lastAt: string | undefined;
  let text = "";
  let waiting: string[] = [];
  for await (const piece of readPieces(data.path)) {
    if (piece.kind === "patch") patches[piece.turn] = blobs.put(piece.text).blob;
    if (piece.kind === "blob") {
      text += piece.line.text;
      if (piece.line.last) waiting.push(text);
      if (piece.line.last) text = "";
    }
    if (piece.kind !== "event") continue;
    const event = assignEvent(piece.json, data);
    view = foldSession(view, event);
    lastAt = event.at;
    // A blob is stored right before the event that refers to it.
    for (const blob of waiting) blobs.put(blob);
    waiting = [];
    await writer.add([event]);
  }
  if (!view) return undefined;
  const last = settleSession(deps, view, data, lastAt);
  const brief = new PendingBrief(store, session);
  await writer.flushHidden();
  if (view.turns > 0) brief.build(deps.briefChars);
  const value: FileRecord = { session, seal: data.seal, patches };
  deps.onShown(session, writer.show(last, { records: [{ kind: IMPORT_FILE, id: session, value }] }));
  return undefined;
}

/** The event, assigned to the new session. */
function assignEvent(json: string, { from, session }: FileData): Envelope {
  return JSON.parse(from === session ? json : json.replaceAll(`"${from}"`, `"${session}"`)) as Envelope;
}

/**
 * Makes a foreign session usable here: closes what is open, cancels what is queued, drops permissions of the other
 * machine, and prepares a brief for the agent, which does not have the conversation.
 */
function settleSession(deps: FileDeps, view: SessionView, { cwd }: FileData, lastAt?: string): Envelope[] {
  const agent = deps.agent(view.agent);
  const stranger = { id: view.agent, name: view.agent, steer: "queue", provider: view.agent, edits: false } as Agent;
  const replay = new ConversationReplay(view, { id: deps.id, agent: agent ?? stranger, lastAt });
  const closed = replay.closeOpen("the session was exported while it ran");
  const added = replay.add(deps.now(), (step) => {
    for (const { message } of step.view.queue) {
      step.emit("message.delivery", { message, state: "cancelled", reason: "it waited on another machine" });
    }
    patchFor(step, agent, cwd);
    const text = noticeFor(step.view, agent);
    step.emit("notice", { kind: IMPORT_FILE, severity: "info", text });
  });
  return [...closed, ...added];
}

function patchFor(step: SessionStep, agent: Agent | undefined, cwd: string | undefined): void {
  const { view } = step;
  const handles = Object.fromEntries(Object.keys(view.handles).map((key) => [key, null]));
  const mode = view.mode === "plan" ? ("plan" as const) : ("ask" as const);
  const patch = {
    origin: "import",
    handles,
    grants: [],
    ...(view.lead ? { lead: false } : {}),
    mode,
    ...(agent ? { modeApplied: appliedMode(agent, mode) } : {}),
    ...(cwd ? { cwd } : {}),
    ...(view.handingTo ? { handingTo: null } : {}),
    // The identity of the same name here is a different one.
    ...(view.identity ? { identity: null } : {}),
  };
  step.emit("session.updated", { patch, reason: "imported from a file" });
}

function noticeFor(view: SessionView, agent: Agent | undefined): string {
  const folder = isFolder(view.cwd)
    ? ""
    : ` Its folder ${view.cwd} does not exist on this machine. To continue, import the file again with another folder.`;
  const unknown = agent ? "" : ` There is no agent ${view.agent} here. Hand the session to another one to continue.`;
  return `Imported from a file. Its agent receives the earlier conversation when it continues, and asks before it acts.${folder}${unknown}`;
}

/** Whether a session here starts with exactly these events. */
export function sameEvents(store: Store, session: string, { events, eventsSha256 }: Sums): boolean {
  const row = store.sessions.get(session);
  if (!row || row.lastSeq < events) return false;
  const hash = createHash("sha256");
  for (const json of eventsUpTo(store, { ...row.view, lastSeq: events })) hash.update(`${json}\n`);
  return hash.digest("hex") === eventsSha256;
}

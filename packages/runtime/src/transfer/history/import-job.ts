import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Envelope, foldSession, GantryError, type IdKind, type ImportProgress } from "@gantry/protocol";
import { appliedMode } from "../../agents/applied-mode.ts";
import type { ConversationHead, HistoryPlace } from "../../agents/contract.ts";
import type { Plan } from "../../jobs/job.ts";
import type { Blobs } from "../../log/blobs.ts";
import type { Store, StoredEvent } from "../../log/port.ts";
import { titleOf } from "../../titles/title-of.ts";
import { discard, LogWriter } from "../log-writer.ts";
import { findPast, type Keeper } from "./find-conversations.ts";
import { Retelling } from "./replay.ts";

export const IMPORT = "import";

/** What an import knows; `cwd` is a folder that a person named. */
export type ImportData = { agent: string; conversation: string; session: string; cwd?: string };

/** Kept with the session: how far its conversation was told, and where its log ended then. */
export type ImportRecord = { session: string; agent: string; conversation: string; outputs: number; lastSeq: number };

export type ImportDeps = {
  store: Store;
  blobs: Blobs;
  place: HistoryPlace;
  id: (kind: IdKind) => string;
  now: () => string;
  /** Throws `no_such_agent` or `unsupported`. */
  keeper(agent: string): Keeper;
  onProgress(session: string, progress: ImportProgress): void;
  onShown(session: string, rows: StoredEvent[]): void;
};

/**
 * Makes a session of a conversation. It is one step: cut off anywhere, what was written of the session is out of sight,
 * is removed by the next daemon, and the conversation is read again from its beginning.
 */
export function importPlan(deps: ImportDeps): Plan<ImportData> {
  return {
    kind: IMPORT,
    steps: [{ name: "read", run: (data) => read(deps, data) }],
    undo: async ({ session }) => {
      discard(deps.store, deps.blobs, session);
      return undefined;
    },
  };
}

async function read(deps: ImportDeps, { agent, conversation, session, cwd }: ImportData): Promise<undefined> {
  const { store, blobs, place } = deps;
  if (store.sessions.get(session)) return undefined;
  discard(store, blobs, session);
  const keeper = deps.keeper(agent);
  const head = await findPast(keeper, place, conversation);
  const first = created(keeper, head, session, cwd ?? head.cwd, deps.now());
  const telling = new Retelling(first.reduce<ReturnType<typeof foldSession> | undefined>(foldSession, undefined)!, {
    id: deps.id,
    agent: keeper,
  });
  const writer = new LogWriter(store, blobs, session);
  await writer.add(first);
  let outputs = 0;
  for await (const past of keeper.history.read(head, place)) {
    outputs++;
    await writer.add(telling.take(past));
    if (past.offset !== undefined) deps.onProgress(session, { done: past.offset, total: head.bytes });
  }
  const last = [...telling.over("nothing more was written down"), ...told(telling, keeper, head, deps.now())];
  const record: ImportRecord = { session, agent, conversation: head.id, outputs, lastSeq: telling.view.lastSeq };
  deps.onShown(session, writer.show(last, { records: [{ kind: IMPORT, id: session, value: record }] }));
  return undefined;
}

/** The two events with which every session begins, at the time when the conversation did. */
function created(
  keeper: Keeper,
  head: ConversationHead,
  session: string,
  cwd: string | undefined,
  now: string,
): Envelope[] {
  if (cwd === undefined) {
    throw new GantryError("invalid", "It is not known in which folder this conversation was held.", {
      remedy: "Name the folder to go on in with `cwd`.",
    });
  }
  const at = head.startedAt && head.startedAt < now ? head.startedAt : now;
  const common = { v: 1 as const, session, at };
  const title = head.title ? titleOf(head.title) : `Conversation in ${basename(cwd)}`;
  const data = { agent: keeper.id, mode: "ask" as const, cwd, title, titleBy: "prompt" as const, origin: IMPORT };
  const patch = { modeApplied: appliedMode(keeper, "ask"), handles: { [keeper.id]: head.id } };
  return [
    { ...common, seq: 1, type: "session.created", data },
    { ...common, seq: 2, type: "session.updated", data: { patch } },
  ];
}

/** What a person should know of a session that was not held here. */
function told(telling: Retelling, keeper: Keeper, head: ConversationHead, now: string): Envelope[] {
  const { view } = telling;
  const turns = view.turns === 1 ? "one turn" : `${view.turns} turns`;
  const unknown = view.raw === 0 ? "" : ` ${view.raw} of its entries are not known and are kept as they came.`;
  const gone = isFolder(view.cwd)
    ? ""
    : ` Its folder ${view.cwd} is not there: to go on, import it again and name another folder.`;
  const text = `Imported from ${keeper.name}: ${turns}, last changed ${head.updatedAt.slice(0, 10)}.${unknown}${gone}`;
  const severity = gone ? "warning" : "info";
  return telling.add(now, (step) => step.emit("notice", { kind: IMPORT, severity, text }));
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

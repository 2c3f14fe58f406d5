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
import { ConversationReplay } from "./replay.ts";

export const IMPORT = "import";

/** The data of an import job; `cwd` is the folder from the request, if any. */
export type ImportData = { agent: string; conversation: string; session: string; cwd?: string };

/** Stored with the session: how far its conversation was read, and the last event of its log at that time. */
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
 * Creates a session from a conversation, in one step. After a crash the partial session is hidden and removed by the next
 * daemon, and the conversation is read again from the start.
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
  const first = createEvents(keeper, head, session, cwd ?? head.cwd, deps.now());
  const replay = new ConversationReplay(
    first.reduce<ReturnType<typeof foldSession> | undefined>(foldSession, undefined)!,
    {
      id: deps.id,
      agent: keeper,
    },
  );
  const writer = new LogWriter(store, blobs, session);
  await writer.add(first);
  let outputs = 0;
  for await (const past of keeper.history.read(head, place)) {
    outputs++;
    await writer.add(replay.take(past));
    if (past.offset !== undefined) deps.onProgress(session, { done: past.offset, total: head.bytes });
  }
  const last = [
    ...replay.closeOpen("the imported conversation ends here"),
    ...importNotice(replay, keeper, head, deps.now()),
  ];
  const record: ImportRecord = { session, agent, conversation: head.id, outputs, lastSeq: replay.view.lastSeq };
  deps.onShown(session, writer.show(last, { records: [{ kind: IMPORT, id: session, value: record }] }));
  return undefined;
}

/** The first two events of every session, with the start time of the conversation. */
function createEvents(
  keeper: Keeper,
  head: ConversationHead,
  session: string,
  cwd: string | undefined,
  now: string,
): Envelope[] {
  if (cwd === undefined) {
    throw new GantryError("invalid", "The folder of this conversation is unknown.", {
      remedy: "Set `cwd` to the folder to continue in.",
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

/** The notice at the end of an imported session. */
function importNotice(replay: ConversationReplay, keeper: Keeper, head: ConversationHead, now: string): Envelope[] {
  const { view } = replay;
  const turns = view.turns === 1 ? "one turn" : `${view.turns} turns`;
  const unknown = view.raw === 0 ? "" : ` ${view.raw} of its entries have an unknown type and are stored unchanged.`;
  const gone = isFolder(view.cwd)
    ? ""
    : ` Its folder ${view.cwd} does not exist. To continue, import it again with another folder.`;
  const text = `Imported from ${keeper.name}: ${turns}, last changed ${head.updatedAt.slice(0, 10)}.${unknown}${gone}`;
  const severity = gone ? "warning" : "info";
  return replay.add(now, (step) => step.emit("notice", { kind: IMPORT, severity, text }));
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

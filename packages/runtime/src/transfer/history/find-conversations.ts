import { realpathSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { GantryError, type PastConversation, type PastConversationList } from "@gantry/protocol";
import type { Agent, ConversationHead, History, HistoryPlace } from "../../agents/contract.ts";

/** An agent whose own conversations can be read. */
export type Keeper = Agent & { history: History };

export function keepsHistory(agent: Agent): agent is Keeper {
  return agent.history !== undefined;
}

export type Search = {
  keepers: readonly Keeper[];
  place: HistoryPlace;
  /** The session that holds a conversation already. */
  imported(agent: string): Map<string, string>;
};

/**
 * The conversations of all agents, newest first, reported one by one. An agent whose folders cannot be read does not
 * delay the others; the result lists the reason.
 */
export async function listPast(
  { keepers, place, imported }: Search,
  { cwd, limit }: { cwd?: string; limit: number },
  onFound: (found: PastConversation) => void = () => undefined,
): Promise<PastConversationList> {
  const conversations: PastConversation[] = [];
  const problems: PastConversationList["problems"] = [];
  const streams = keepers.map((keeper) => new Stream(keeper, place, imported(keeper.id), cwd, problems));
  await Promise.all(streams.map((stream) => stream.next()));
  for (;;) {
    const newest = streams.reduce<Stream | undefined>(
      (best, stream) => (isNewer(stream, best) ? stream : best),
      undefined,
    );
    if (!newest?.head) return { conversations, complete: true, problems };
    if (conversations.length === limit) return { conversations, complete: false, problems };
    conversations.push(newest.head);
    onFound(newest.head);
    await newest.next();
  }
}

function isNewer(stream: Stream, best: Stream | undefined): boolean {
  if (!stream.head) return false;
  return !best?.head || stream.head.updatedAt > best.head.updatedAt;
}

/** One agent's conversations, the next of which is at hand. */
class Stream {
  head: PastConversation | undefined;
  readonly #keeper: Keeper;
  readonly #found: AsyncIterator<ConversationHead>;
  readonly #imported: Map<string, string>;
  readonly #cwd: string | undefined;
  readonly #problems: PastConversationList["problems"];

  constructor(
    keeper: Keeper,
    place: HistoryPlace,
    imported: Map<string, string>,
    cwd: string | undefined,
    problems: PastConversationList["problems"],
  ) {
    this.#keeper = keeper;
    this.#found = keeper.history.find(place)[Symbol.asyncIterator]();
    this.#imported = imported;
    this.#cwd = cwd;
    this.#problems = problems;
  }

  async next(): Promise<void> {
    try {
      this.head = await this.#look();
    } catch (error) {
      this.head = undefined;
      const message = `The conversations of ${this.#keeper.name} cannot be read: ${(error as Error).message}.`;
      this.#problems.push({ agent: this.#keeper.id, message });
    }
  }

  async #look(): Promise<PastConversation | undefined> {
    for (;;) {
      const { value, done } = await this.#found.next();
      if (done) return undefined;
      if (this.#cwd !== undefined && value.cwd !== this.#cwd) continue;
      const session = this.#imported.get(value.id);
      return { agent: this.#keeper.id, ...value, ...(session ? { imported: session } : {}) };
    }
  }
}

/** The conversation that was named by id or path. Throws `outside_folder` or `no_such_conversation`. */
export async function findPast(keeper: Keeper, place: HistoryPlace, named: string): Promise<ConversationHead> {
  const path = isAbsolute(named) ? ownPath(keeper, place, named) : undefined;
  for await (const head of keeper.history.find(place)) {
    if (path === undefined ? head.id === named : realPath(head.path) === path) return head;
  }
  throw new GantryError("no_such_conversation", `${keeper.name} has no conversation ${named} on this machine's disk.`, {
    remedy: "`gantry import --list` shows what there is.",
  });
}

/** The real path, if it is one of the agent's own; links that lead out of its folders are not. */
function ownPath(keeper: Keeper, place: HistoryPlace, named: string): string {
  const path = realPath(resolve(named));
  const roots = keeper.history.folders(place).flatMap((folder) => realPath(folder) ?? []);
  if (path && roots.some((root) => path === root || path.startsWith(root + sep))) return path;
  const known = keeper.history.folders(place).join(", ");
  throw new GantryError("outside_folder", `${named} is not among the conversations of ${keeper.name}.`, {
    remedy: `Name a file below ${known}, or the conversation's id.`,
  });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

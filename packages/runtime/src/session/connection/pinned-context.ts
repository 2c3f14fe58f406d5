import type { SessionView } from "@gantry/protocol";
import type { Channel } from "../../agents/contract.ts";
import type { Store } from "../../log/port.ts";
import type { Injection, LastInjection } from "../engine/state.ts";
import type { Startable, StartRequest } from "./start-process.ts";

/** Text that stays in an agent's context. `hash` changes with it. */
export type PinnedText = { text: string; hash: string };

/** Where pinned context comes from. */
export type PinnedSource = {
  /** `writable`: the channel lets the agent write in the folders that the text names. */
  text(view: SessionView, writable: boolean): PinnedText | undefined;
  /** Folders that the text names and in which the agent may write. */
  folders(view: SessionView): string[];
};

/**
 * Injects the session's pinned context (persona, core memory) into the agent's conversation. A new conversation gets it
 * at start. A resumed one gets it again with the next prompt if it changed, or if the conversation was compacted since
 * the last injection, because compaction may have dropped it. Injections are tracked per agent, so a conversation that
 * is handed back is not re-injected. Delivery is at-least-once across crashes.
 */
export class PinnedContext {
  readonly #store: Store;
  readonly #session: string;
  readonly #source: PinnedSource | undefined;

  constructor(store: Store, session: string, source?: PinnedSource) {
    this.#store = store;
    this.#session = session;
    this.#source = source;
  }

  /** What a process is started with: the pinned text becomes part of the kit's instructions. */
  atStart(
    view: SessionView,
    startable: Startable,
  ): Pick<StartRequest, "startable" | "pinnedHash" | "injection" | "folders"> {
    const { channel, kit } = startable;
    const pinned = this.#source?.text(view, channel.takes?.folders === true);
    if (!pinned) return { startable };
    const instructions = [pinned.text, kit.instructions].filter((text) => text).join("\n\n");
    const injection = channel.perTurn ? this.nextInjection(view, channel) : undefined;
    const folders = this.#source?.folders(view) ?? [];
    return { startable: { ...startable, kit: { ...kit, instructions } }, pinnedHash: pinned.hash, injection, folders };
  }

  /** What a resumed conversation must get with its next prompt. */
  nextInjection = (view: SessionView, channel: Channel<never>): Injection | undefined => {
    const pinned = this.#source?.text(view, channel.takes?.folders === true);
    if (!pinned) return undefined;
    const reason = injectionReason(this.#injections()[view.agent], pinned, view.compactedAt);
    if (!reason) return undefined;
    const text = `(This context is repeated because ${reason}.)\n${pinned.text}`;
    return { text, reason, injected: { hash: pinned.hash, seq: view.lastSeq } };
  };

  recordInjection(agent: string, injection: LastInjection): void {
    this.#store.meta.set(this.#key(), JSON.stringify({ ...this.#injections(), [agent]: injection }));
  }

  #injections(): Record<string, LastInjection | undefined> {
    return JSON.parse(this.#store.meta.get(this.#key()) || "{}");
  }

  #key(): string {
    return `standing:${this.#session}`;
  }
}

function injectionReason(last: LastInjection | undefined, pinned: PinnedText, compactedAt = 0): string | undefined {
  if (!last) return "this conversation does not have it yet";
  if (compactedAt > last.seq) return "the conversation was compacted";
  return last.hash === pinned.hash ? undefined : "it has changed";
}

import type { SessionView } from "@gantry/protocol";
import type { Channel } from "../../agents/contract.ts";
import type { Store } from "../../log/port.ts";
import type { Startable, StartRequest } from "./start-process.ts";

/** Words that an agent is to have before it at all times. `hash` changes with them. */
export type PinnedText = { text: string; hash: string };

/** When an agent's conversation was last told its standing words: which ones, and the last event before it. */
export type Told = { hash: string; seq: number };

/** Where standing words come from. */
export type PinnedSource = {
  words(view: SessionView, writable: boolean): PinnedText | undefined;
  /** Folders that the words speak of and in which the agent may write. */
  folders(view: SessionView): string[];
};

/** What goes before the next prompt of a conversation that goes on. */
export type Remind = (view: SessionView, channel: Channel<never>) => Reminder | undefined;

export type Reminder = {
  text: string;
  /** For the log: why the words are said again. */
  reason: string;
  told: Told;
};

/**
 * Sees to it that a conversation knows the standing words of its session. A new conversation is told them at its
 * beginning; one that goes on is told them again with its next prompt when they have changed, and when it was compacted
 * meanwhile, for what a compaction leaves of them nobody knows. What was told is kept by agent, so that a conversation
 * that is handed back and resumed counts as its own. After a crash the words may be told twice, never not at all.
 */
export class Standing {
  readonly #store: Store;
  readonly #session: string;
  readonly #source: PinnedSource | undefined;

  constructor(store: Store, session: string, source?: PinnedSource) {
    this.#store = store;
    this.#session = session;
    this.#source = source;
  }

  /** What a process is to be started with, with the words among the instructions. */
  atStart(
    view: SessionView,
    startable: Startable,
  ): Pick<StartRequest, "startable" | "standing" | "reminder" | "folders"> {
    const { channel, kit } = startable;
    const words = this.#source?.words(view, channel.takes?.folders === true);
    if (!words) return { startable };
    const instructions = [words.text, kit.instructions].filter((text) => text).join("\n\n");
    const reminder = channel.perTurn ? this.reminder(view, channel) : undefined;
    const folders = this.#source?.folders(view) ?? [];
    return { startable: { ...startable, kit: { ...kit, instructions } }, standing: words.hash, reminder, folders };
  }

  reminder: Remind = (view, channel) => {
    const words = this.#source?.words(view, channel.takes?.folders === true);
    if (!words) return undefined;
    const before = this.#told()[view.agent];
    const reason = whyAgain(before, words, view.compactedAt);
    if (!reason) return undefined;
    const text = `(You are told this again: ${reason}.)\n${words.text}`;
    return { text, reason, told: { hash: words.hash, seq: view.lastSeq } };
  };

  /** The agent has been told. */
  told(agent: string, told: Told): void {
    this.#store.meta.set(this.#key(), JSON.stringify({ ...this.#told(), [agent]: told }));
  }

  #told(): Record<string, Told | undefined> {
    return JSON.parse(this.#store.meta.get(this.#key()) || "{}");
  }

  #key(): string {
    return `standing:${this.#session}`;
  }
}

/** A word in the log: what stands there of a prompt is the user's own words only. */
export function noticeOf({ reason }: Pick<Reminder, "reason">): { kind: string; severity: "info"; text: string } {
  return { kind: "standing", severity: "info", text: `The agent was told who it is and what it remembers: ${reason}.` };
}

function whyAgain(before: Told | undefined, words: PinnedText, compactedAt = 0): string | undefined {
  if (!before) return "this conversation does not know it yet";
  if (compactedAt > before.seq) return "the conversation was compacted";
  return before.hash === words.hash ? undefined : "it has changed";
}

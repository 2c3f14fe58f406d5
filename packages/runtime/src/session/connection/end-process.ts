import type { Channel, Step } from "../../agents/contract.ts";
import { frameOf, type Line } from "../../framing/lines.ts";
import type { ProcessRow, Store } from "../../log/port.ts";
import type { Exit } from "../../process/exit.ts";
import { Ledger } from "../../process/ledger.ts";
import type { Spool } from "../../process/spool.ts";
import type { StopTarget } from "../../process/stop.ts";
import type { Conversation } from "../engine/state.ts";

/**
 * A conversation that the agent was asked to close. Only its acknowledgement counts: any other output belongs to no turn
 * and stays in the spool.
 */
export class ConversationClose {
  readonly process: string;
  /** Resolves when the agent acknowledged; never, if it does not. */
  readonly acknowledged: Promise<void>;
  readonly #resolve: () => void;
  readonly #key: string;
  readonly #conversation: Conversation;

  /** `key` is that of the last frame that was sent. */
  constructor(process: string, conversation: Conversation, key: string) {
    this.process = process;
    this.#conversation = { ...conversation };
    this.#key = key;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.acknowledged = promise;
    this.#resolve = resolve;
  }

  receive(lines: readonly Line[]): void {
    for (const line of lines) {
      const decoded = tryDecode(this.#conversation.channel, this.#conversation.state, line);
      if (!decoded) continue;
      const [state, outputs] = decoded;
      this.#conversation.state = state;
      if (outputs.some((output) => output.kind === "ack" && output.key === this.#key)) this.#resolve();
    }
  }
}

/** `undefined` for a line that the decoder cannot process. */
export function tryDecode(channel: Channel<never>, state: never, line: Line): Step<never> | undefined {
  try {
    return channel.decode(state, frameOf(line));
  } catch {
    return undefined;
  }
}

export type EndDeps = { store: Store; spool: Spool; now: () => string; log: (text: string) => void };

export function stopTarget({ id, dir, pid = 0, pgid = 0, startedAt = "" }: ProcessRow): StopTarget {
  return { id, dir, pid, pgid, startedAt };
}

/** Nothing more is read from the process: its rows are closed and its spool is compressed. */
export function recordProcessEnd(
  { store, spool, now, log }: EndDeps,
  session: string,
  process: string,
  exit: Exit = { code: null, signal: "SIGTERM" },
): void {
  const row = store.processes.get(process);
  if (row && !row.endedAt) new Ledger(store.processes, now).recordEnd(process, exit);
  store.journal.forget(process);
  store.spools.forget(process);
  void spool.compress(session, process).catch((error) => log(`${process}: ${error.message}`));
}

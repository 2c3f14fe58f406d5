import type { AgentMessage, CustomMessage } from "../../contract/messages.ts";
import type { Entry } from "../../contract/session-store.ts";
import type { ContextMarks } from "../../tools/checkpoint/tools.ts";
import type { Transcript } from "./transcript.ts";

/** Custom entries: a checkpoint that was set, and a requested rewind to it. */
const CHECKPOINT = "checkpoint";
const REWIND = "rewind";
/** The message that replaces the dropped part of the conversation; it also closes the checkpoint. */
const REPORT = "rewind-report";

type Mark = { goal: string; entryId: string };

export type MarksParts = {
  transcript: Transcript;
  /** Called after a rewind, to write choices made since the checkpoint into the new branch. */
  onRewind(): void;
};

/**
 * Checkpoints of the conversation that the model can rewind to. They are stored in the session file: after a crash, an
 * open checkpoint is still open, and a requested rewind is done when the session is opened again. Rewinding does not
 * touch the user's files.
 */
export class Marks implements ContextMarks {
  readonly #parts: MarksParts;
  #open: Mark | undefined;
  #report: string | undefined;

  constructor(parts: MarksParts) {
    this.#parts = parts;
    this.restore();
  }

  current(): { goal: string } | undefined {
    return this.#report === undefined ? this.#open : undefined;
  }

  mark(goal: string, callId: string): void {
    const { id } = this.#store.append({ type: "custom", customType: CHECKPOINT, data: { goal, callId } });
    this.#open = { goal, entryId: id };
  }

  rewind(report: string): void {
    this.#store.append({ type: "custom", customType: REWIND, data: { report } });
    this.#report = report;
  }

  /** Does a requested rewind and returns the recorded report. The file keeps all entries. */
  settle(): AgentMessage[] {
    const mark = this.#open;
    const report = this.#report;
    if (!mark || report === undefined) return [];
    this.#open = undefined;
    this.#report = undefined;
    const place = endOfTurn(this.#store.path(), mark.entryId);
    if (place === undefined) return [];
    const message = reportOf(mark, report);
    this.#parts.transcript.rewindTo(place, message);
    this.#parts.onRewind();
    return [message];
  }

  /** Re-reads the branch after a switch. */
  restore(): void {
    this.#open = undefined;
    this.#report = undefined;
    for (const entry of this.#store.path()) this.#read(entry);
    if (!this.#store.readOnly) this.settle();
  }

  get #store() {
    return this.#parts.transcript.store;
  }

  #read(entry: Entry): void {
    if (entry.type === "custom_message" && entry.customType === REPORT) {
      this.#open = undefined;
      this.#report = undefined;
    }
    if (entry.type !== "custom") return;
    const data = (entry.data ?? {}) as { goal?: unknown; report?: unknown };
    if (entry.customType === CHECKPOINT && typeof data.goal === "string") {
      this.#open = { goal: data.goal, entryId: entry.id };
    }
    if (entry.customType === REWIND && typeof data.report === "string") this.#report = data.report;
  }
}

/** The last result of the answer that set the checkpoint: up to there the conversation is complete. */
function endOfTurn(path: readonly Entry[], markId: string): string | undefined {
  const mark = path.findIndex(({ id }) => id === markId);
  let last = mark < 0 ? undefined : markId;
  for (const entry of path.slice(mark + 1)) {
    if (entry.type === "custom_message") break;
    if (entry.type !== "message") continue;
    if (entry.message.role !== "toolResult") break;
    last = entry.id;
  }
  return last;
}

function reportOf({ goal }: Mark, report: string): CustomMessage {
  const content = `The conversation was rewound to the checkpoint "${goal}". The messages since then were removed; files are unchanged. The report:\n${report}`;
  return { role: "custom", customType: REPORT, content, display: true, timestamp: Date.now() };
}

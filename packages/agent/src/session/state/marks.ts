import type { AgentMessage, CustomMessage } from "../../contract/messages.ts";
import type { Entry } from "../../contract/session-store.ts";
import type { ContextMarks } from "../../tools/checkpoint/tools.ts";
import type { Transcript } from "./transcript.ts";

/** Entries of the file: a mark that was set, and that the model wants to go back to it. */
const CHECKPOINT = "checkpoint";
const REWIND = "rewind";
/** The message that stands in place of what was dropped; it also closes the mark. */
const REPORT = "rewind-report";

type Mark = { goal: string; entryId: string };

export type MarksParts = {
  transcript: Transcript;
  /** Called after the conversation went back: what was chosen meanwhile still counts. */
  onRewind(): void;
};

/**
 * Places in the conversation that the model comes back to. All of it is in the file, so that a process that ends in the
 * middle leaves an open mark open, and a wish to go back is done by whoever opens the session next. Files of the user are
 * not touched.
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

  /** Goes back if the model wants to: gives the report, which is recorded then. Nothing in the file is lost. */
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

  /** Reads the branch anew: after another one was entered. */
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

/** The last result of the answer in which the mark was set: up to there a conversation is whole. */
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
  const content = `The conversation was rewound to the checkpoint "${goal}". What was said since is gone from it; files are as they were left. The report:\n${report}`;
  return { role: "custom", customType: REPORT, content, display: true, timestamp: Date.now() };
}

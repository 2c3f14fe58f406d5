interface FaultRow {
  /** What goes wrong, for the table in the README. */
  about: string;
  /** What the argument means, where the fault takes one. */
  argument?: string;
}

/** The faults that a test can switch on. Each works in every dialect whose protocol can express it. */
export const faultTable = {
  hang: { about: "accepts the prompt and prints nothing more" },
  "never-ready": { about: "answers nothing at all, the handshake included" },
  "slow-start": { about: "waits before it reads anything", argument: "milliseconds, 3000" },
  "exit-at-once": { about: "writes to stderr and exits at the start", argument: "exit code, 1" },
  "crash-after-accept": { about: "exits 1 right after it accepted the prompt" },
  "exit-mid": { about: "exits in the middle of a message", argument: "exit code, 1" },
  "crash-signal": { about: "kills itself with SIGSEGV in the middle of a message" },
  "late-after-cancel": { about: "sends text and a tool call after an interrupted turn has ended" },
  trailing: {
    about: "sends its last text, its tool results and its usage only after the turn has ended",
    argument: "milliseconds, 0",
  },
  "ignore-interrupt": { about: "acknowledges an interrupt where the protocol does, and continues the turn" },
  "foreign-session": { about: "mixes in copies of its frames that carry another session's id" },
  "out-of-order": { about: "ends parallel tool calls in reverse order (use `[[parallel]]`)" },
  "duplicate-ids": { about: "ends every tool call twice and sends every message twice" },
  "missing-end": { about: "never ends its tool calls" },
  "double-turn-end": { about: "ends the turn twice" },
  "approval-withdrawn": { about: "sends a request for approval, then withdraws it", argument: "milliseconds, 50" },
  "replay-then-hang": { about: "on resume, replays the history and then sends nothing more" },
  garbage: { about: "mixes in text, broken JSON, invalid UTF-8, lone CRs and blank lines" },
  "unknown-frames": { about: "mixes in valid JSON of unknown types" },
  "partial-line": { about: "writes each line in two halves with a pause", argument: "milliseconds, 20" },
  "huge-line": { about: "starts the turn with a message in one huge line", argument: "megabytes, 50" },
  flood: { about: "floods stderr during the turn", argument: "megabytes, 5" },
  "closes-stdin": { about: "closes its stdin after the first prompt and keeps running" },
  "ignore-sigterm": {
    about: "keeps running after SIGTERM and after the end of its input, and does not answer a request to close",
  },
  grandchild: { about: "leaves a `sleep` process in its process group; prints its pid on stderr" },
  "grandchild-setsid": { about: "leaves a `sleep` process in a separate session; prints its pid on stderr" },
  "logged-out": { about: "reports that no account is logged in, and fails every turn" },
} as const satisfies Record<string, FaultRow>;

export type FaultName = keyof typeof faultTable;

/** The active faults with their arguments. */
export class Faults {
  readonly #active: ReadonlyMap<FaultName, string>;

  constructor(active: ReadonlyMap<FaultName, string>) {
    this.#active = active;
  }

  /** Reads `name` or `name:argument` each. Throws for a name that is not in the table. */
  static parse(texts: readonly string[]): Faults {
    const active = new Map<FaultName, string>();
    for (const text of texts) {
      const [name = "", argument = ""] = text.split(":", 2);
      if (!isFault(name)) throw new Error(`Unknown fault "${name}". Known: ${Object.keys(faultTable).join(", ")}.`);
      active.set(name, argument);
    }
    return new Faults(active);
  }

  has(name: FaultName): boolean {
    return this.#active.has(name);
  }

  /** The fault's argument as a number, or `fallback`. */
  number(name: FaultName, fallback: number): number {
    const value = Number(this.#active.get(name) || Number.NaN);
    return Number.isFinite(value) ? value : fallback;
  }
}

function isFault(name: string): name is FaultName {
  return Object.hasOwn(faultTable, name);
}

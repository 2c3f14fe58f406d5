interface FaultRow {
  /** What goes wrong, for the table in the README. */
  about: string;
  /** What the argument means, where the fault takes one. */
  argument?: string;
}

/** Every way in which a fake agent can be told to misbehave. All of them work in every dialect. */
export const faultTable = {
  hang: { about: "takes the prompt and prints nothing more" },
  "never-ready": { about: "answers nothing at all, the handshake included" },
  "slow-start": { about: "waits before it reads anything", argument: "milliseconds, 3000" },
  "exit-at-once": { about: "writes to stderr and exits at the start", argument: "exit code, 1" },
  "crash-after-accept": { about: "exits 1 right after it took the prompt" },
  "exit-mid": { about: "exits in the middle of a message", argument: "exit code, 1" },
  "crash-signal": { about: "kills itself with SIGSEGV in the middle of a message" },
  "late-after-cancel": { about: "goes on with text and a tool call after an interrupted turn has ended" },
  trailing: {
    about: "says its last words, ends its tool calls and tells what it cost only after the turn has ended",
    argument: "milliseconds, 0",
  },
  "ignore-interrupt": { about: "acknowledges an interrupt where the protocol does, and goes on" },
  "foreign-session": { about: "mixes in copies of its frames that carry another session's id" },
  "out-of-order": { about: "ends parallel tool calls in reverse order (use `[[parallel]]`)" },
  "duplicate-ids": { about: "ends every tool call twice and says every message twice" },
  "missing-end": { about: "never ends its tool calls" },
  "double-turn-end": { about: "ends the turn twice" },
  "approval-withdrawn": { about: "asks, then takes the question back itself", argument: "milliseconds, 50" },
  "replay-then-hang": { about: "on resume, replays the history and then says nothing more" },
  garbage: { about: "mixes in text, broken JSON, invalid UTF-8, lone CRs and blank lines" },
  "unknown-frames": { about: "mixes in valid JSON of types that nobody knows" },
  "partial-line": { about: "writes each line in two halves with a pause", argument: "milliseconds, 20" },
  "huge-line": { about: "begins the turn with a message in one huge line", argument: "megabytes, 50" },
  flood: { about: "floods stderr during the turn", argument: "megabytes, 5" },
  "closes-stdin": { about: "closes its stdin after the first prompt and lives on" },
  "ignore-sigterm": {
    about: "lives on after SIGTERM and after the end of its input, and does not answer a request to close",
  },
  grandchild: { about: "leaves `sleep` behind in its process group; its pid is on stderr" },
  "grandchild-setsid": { about: "leaves `sleep` behind in a session of its own; its pid is on stderr" },
  "logged-out": { about: "says that nobody is logged in, and fails every turn for it" },
} as const satisfies Record<string, FaultRow>;

export type FaultName = keyof typeof faultTable;

/** The faults that are switched on, each with its argument. */
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

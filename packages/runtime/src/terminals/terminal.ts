import { constants } from "node:os";
import {
  GantryError,
  type Offer,
  type Terminal as Shown,
  type TerminalExit,
  type TerminalSize,
} from "@gantry/protocol";
import { startToken } from "../process/identity.ts";
import { type StopTarget, stop } from "../process/stop.ts";
import type { Pty } from "./pty.ts";
import { Scrollback } from "./scrollback.ts";

export type TerminalFacts = {
  id: string;
  command: string[];
  cwd: string;
  session?: string;
  offer?: Offer;
  createdAt: string;
} & TerminalSize;

/** How much of its output a terminal remembers. */
const KEPT_BYTES = 256 * 1024;
/** Time for a program to end after the hang-up, before SIGTERM and SIGKILL. */
const GRACE_MS = 500;

/** One program in a terminal, with its scrollback and watchers. */
export class Terminal {
  readonly target: StopTarget;
  readonly #facts: TerminalFacts;
  readonly #pty: Pty;
  readonly #printed = new Scrollback(KEPT_BYTES);
  readonly #watchers = new Set<() => void>();
  readonly #ended = Promise.withResolvers<void>();
  #exit: TerminalExit | undefined;

  constructor(facts: TerminalFacts, pty: Pty) {
    this.#facts = facts;
    this.#pty = pty;
    this.target = { id: facts.id, pid: pty.pid, pgid: pty.pid, startedAt: startToken(pty.pid) ?? "ended" };
    pty.onData((bytes) => {
      this.#printed.append(bytes);
      this.#notifyWatchers();
    });
    pty.onExit(({ exitCode, signal }) => {
      this.#exit = signal ? { code: null, signal: nameOf(signal) } : { code: exitCode, signal: null };
      this.#notifyWatchers();
      this.#ended.resolve();
    });
  }

  /** Resolves when the program has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get exit(): TerminalExit | undefined {
    return this.#exit;
  }

  show(): Shown {
    const state = this.#exit ? "exited" : "running";
    const printed = { from: this.#printed.start, to: this.#printed.end };
    return { ...this.#facts, state, ...printed, ...(this.#exit ? { exit: this.#exit } : {}) };
  }

  /** See `Scrollback.read`. */
  read(from: number, most: number): { offset: number; bytes: Buffer } {
    return this.#printed.read(from, most);
  }

  /** Calls `listener` after output and after the end, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  type(text: string): void {
    this.#requireRunning();
    this.#pty.write(text);
  }

  resize({ cols, rows }: TerminalSize): void {
    this.#requireRunning();
    this.#pty.resize(cols, rows);
    this.#facts.cols = cols;
    this.#facts.rows = rows;
  }

  /** Ends its processes: with SIGHUP, as closing a window does, and then by force. */
  async close(): Promise<void> {
    if (this.#exit) return;
    const hangUp = () => void process.kill(-this.target.pgid, "SIGHUP");
    await stop(this.target, { protocolStop: hangUp, graceMs: GRACE_MS });
    await this.ended;
  }

  #requireRunning(): void {
    if (this.#exit) throw new GantryError("conflict", `The program in ${this.#facts.id} has ended.`);
  }

  #notifyWatchers(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

function nameOf(signal: number): string {
  const known = Object.entries(constants.signals).find(([, number]) => number === signal);
  return known?.[0] ?? String(signal);
}

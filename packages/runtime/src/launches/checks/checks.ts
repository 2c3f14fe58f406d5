import { closeSync, mkdirSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Check, GantryError, type Lane, type RunCheck } from "@gantry/protocol";
import { Semaphore } from "../../lanes/git/semaphore.ts";
import type { LaneService } from "../../lanes/port.ts";
import type { Records, Store } from "../../log/port.ts";
import { type Identity, isAlive } from "../../process/identity.ts";
import { killGroup, type Running, runCommand } from "./run-command.ts";

/** A stored check. Its output is in a separate file. */
type StoredCheck = Omit<Check, "output" | "stale"> & { tip?: string; identity?: Identity };

export type ChecksDeps = {
  store: Store;
  home: string;
  lanes: Pick<LaneService, "get">;
  /** The environment of a command in the lane. */
  env: (lane: string) => Record<string, string>;
  /** `check` of the repository's lane file. */
  named: (lane: Lane) => Promise<string | undefined>;
  /** Identifies the content of the lane, including uncommitted changes. */
  tip: (lane: Lane) => Promise<string | undefined>;
  now: () => string;
};

const DEFAULT_SECONDS = 600;
const SHOWN_BYTES = 20_000;
/** Concurrent commands. Test suites of several agents would only slow each other down. */
const AT_ONCE = 2;

/** Runs a command of the user in lanes and stores the last result per lane. */
export class Checks {
  readonly #deps: ChecksDeps;
  readonly #checks: Records<StoredCheck>;
  readonly #gate = new Semaphore(AT_ONCE);
  readonly #running = new Map<string, Running>();
  readonly #pending = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(deps: ChecksDeps) {
    this.#deps = deps;
    this.#checks = deps.store.records("check");
    for (const check of this.#checks.list()) if (check.state === "running") this.#cutOff(check);
  }

  /** Throws `invalid` without a command, `conflict` while one runs. Nothing is started then. */
  async run(ids: readonly string[], { command, timeoutSeconds }: RunCheck): Promise<Check[]> {
    const lanes = await Promise.all(ids.map((id) => this.#deps.lanes.get(id)));
    const plans = await Promise.all(
      lanes.map(async (lane) => ({ lane, command: command ?? (await this.#deps.named(lane)) })),
    );
    const busy = ids.find((id) => this.#pending.has(id));
    if (busy)
      throw new GantryError("conflict", `A check is already running in ${busy}.`, { remedy: "Wait until it ends." });
    const started = plans.map(({ lane, command: line }) => {
      if (line) return { lane, line };
      throw new GantryError("invalid", `There is no command to check ${lane.name} with.`, {
        remedy: "Pass one, or set `check` in .gantry/lane.yml of the repository.",
      });
    });
    for (const { lane, line } of started) this.#begin(lane, line, timeoutSeconds ?? DEFAULT_SECONDS);
    return Promise.all(ids.map(async (id) => (await this.of(id)) as Check));
  }

  /** `undefined` for a lane without a check. */
  of(lane: string): Promise<Check> | undefined {
    const stored = this.#checks.get(lane);
    if (!stored) return undefined;
    const { tip, identity, ...check } = stored;
    return this.#tip(lane).then((now) => ({
      ...check,
      output: tail(this.#log(lane)),
      stale: check.state !== "running" && tip !== undefined && now !== tip,
    }));
  }

  /** Ends a running check and waits for its end. */
  async stop(lane: string): Promise<void> {
    this.#running.get(lane)?.stop();
    await this.#pending.get(lane);
  }

  /** Ends all checks, when the daemon stops. */
  async close(): Promise<void> {
    this.#stopped = true;
    for (const running of this.#running.values()) running.stop();
    await Promise.all(this.#pending.values());
  }

  #begin(lane: Lane, command: string, timeoutSeconds: number): void {
    const { id } = lane;
    mkdirSync(join(this.#deps.home, "checks"), { recursive: true, mode: 0o700 });
    rmSync(this.#log(id), { force: true });
    this.#checks.put(id, { lane: id, command, state: "running", startedAt: this.#deps.now() });
    const work = this.#gate
      .run(() => this.#check(lane, command, timeoutSeconds))
      .catch(() => this.#change(id, { state: "failed" }))
      .finally(() => {
        this.#running.delete(id);
        this.#pending.delete(id);
      });
    this.#pending.set(id, work);
  }

  async #check(lane: Lane, command: string, timeoutSeconds: number): Promise<void> {
    const { id, path: cwd } = lane;
    if (this.#stopped) return this.#change(id, { state: "interrupted" });
    const tip = await this.#deps.tip(lane).catch(() => undefined);
    const began = Date.now();
    const env = this.#deps.env(id);
    const running = runCommand({ command, cwd, env, log: this.#log(id), timeoutMs: timeoutSeconds * 1000 });
    this.#running.set(id, running);
    this.#change(id, { identity: running.identity, startedAt: this.#deps.now(), ...(tip ? { tip } : {}) });
    const { state, exitCode } = await running.ended;
    const durationMs = Date.now() - began;
    this.#change(id, { state, durationMs, identity: undefined, ...(exitCode === undefined ? {} : { exitCode }) });
  }

  #change(lane: string, change: Partial<StoredCheck>): void {
    const stored = this.#checks.get(lane);
    if (stored) this.#checks.put(lane, { ...stored, ...change });
  }

  /** The daemon died during the check, so its result is unknown. */
  #cutOff({ lane, identity }: StoredCheck): void {
    if (identity && isAlive(identity)) killGroup(identity.pid);
    this.#change(lane, { state: "interrupted", identity: undefined });
  }

  async #tip(lane: string): Promise<string | undefined> {
    try {
      return await this.#deps.tip(await this.#deps.lanes.get(lane));
    } catch {
      return undefined;
    }
  }

  #log(lane: string): string {
    return join(this.#deps.home, "checks", `${lane}.log`);
  }
}

/** The end of a file; empty if it does not exist. */
function tail(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return "";
  const bytes = Buffer.alloc(Math.min(size, SHOWN_BYTES));
  const file = openSync(path, "r");
  try {
    readSync(file, bytes, 0, bytes.length, size - bytes.length);
  } finally {
    closeSync(file);
  }
  return bytes.toString("utf8");
}

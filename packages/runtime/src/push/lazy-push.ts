import type { Envelope } from "@gantry/protocol";
import type { StoredEvent } from "../log/port.ts";
import type { Push, PushDeps } from "./push.ts";

/** A request that a grant answers is settled in the same moment. */
const SETTLING_MS = 400;

/** Loads push notifications with their first use: most daemons never send one. */
export class LazyPush {
  readonly #deps: PushDeps;
  #push: Promise<Push> | undefined;
  #stopped = false;

  constructor(deps: PushDeps) {
    this.#deps = deps;
  }

  open = (): Promise<Push> => {
    this.#push ??= import("./push.ts").then(({ Push }) => new Push(this.#deps));
    return this.#push;
  };

  /** Called for every commit. */
  committed(session: string, rows: readonly StoredEvent[]): void {
    if (!this.#deps.config.push.enabled) return;
    for (const { type, json } of rows) {
      if (type !== "input.requested" && type !== "turn.ended") continue;
      setTimeout(() => void this.#notify(session, json).catch(this.#report), SETTLING_MS).unref();
    }
  }

  async revokeAll(): Promise<void> {
    (await this.open()).revokeAll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    (await this.#push)?.stop();
  }

  /** A daemon that stops has closed its store. */
  readonly #report = (error: Error): void => {
    if (!this.#stopped) this.#deps.log(`push: ${error.message}`);
  };

  async #notify(session: string, json: string): Promise<void> {
    if (this.#stopped) return;
    const event = JSON.parse(json) as Envelope;
    const push = await this.open();
    if (event.type === "input.requested") await push.notifyRequest(session, event.data.id);
    else if (event.type === "turn.ended" && event.data.outcome === "failed")
      await push.notifyFailure(session, event.data.error?.message);
  }
}

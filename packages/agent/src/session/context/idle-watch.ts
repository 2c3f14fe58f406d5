import type { AgentEvent } from "../../contract/events.ts";
import type { Settings } from "../../settings/schema.ts";

export type IdleParts = {
  settings: Settings["compaction"];
  tokens(): number;
  work(): void;
};

/** Compacts a long conversation after a period of inactivity, if the settings enable it. */
export class IdleWatch {
  readonly #parts: IdleParts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: IdleParts) {
    this.#parts = parts;
  }

  onEvent(event: AgentEvent): void {
    if (event.type === "agent_start") this.stop();
    if (event.type !== "agent_settled" || event.reason !== "completed") return;
    const { settings, tokens, work } = this.#parts;
    if (!settings.enabled || !settings.idleEnabled || tokens() < settings.idleThresholdTokens) return;
    this.stop();
    this.#timer = setTimeout(work, settings.idleTimeoutSeconds * 1_000);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

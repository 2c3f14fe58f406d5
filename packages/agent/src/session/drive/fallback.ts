import type { Model, ModelRegistry, ProviderFailure } from "@gantry/models";
import type { AgentEvent } from "../../contract/events.ts";
import type { Settings } from "../../settings/schema.ts";
import { type ModelChoice, modelName } from "../state/model-choice.ts";

/** How long a failed model is not retried if its server gave no delay. */
const COOLDOWN_MS = 5 * 60_000;

export type FallbackParts = {
  registry: ModelRegistry;
  choice: ModelChoice;
  role: string;
  settings: Settings["retry"];
  emit(event: AgentEvent): void;
  now(): number;
};

/** Selects a fallback model when the chosen one fails: the role's chain, in order, without models on cooldown. */
export class Fallback {
  readonly #parts: FallbackParts;
  readonly #cooldowns = new Map<string, number>();
  #primary: Model | undefined;
  #unproven: Model | undefined;

  constructor(parts: FallbackParts) {
    this.#parts = parts;
  }

  /** The next model of the chain, if any. Changes nothing. */
  candidate(): Model | undefined {
    const { choice, registry, role, settings } = this.#parts;
    const failed = choice.model;
    if (!failed) return undefined;
    return (settings.fallbackChains[role] ?? [])
      .map((selector) => registry.resolve(selector)?.model)
      .find((model) => model !== undefined && modelName(model) !== modelName(failed) && !this.#isCoolingDown(model));
  }

  apply(next: Model, failure: ProviderFailure): void {
    const { choice, role, emit, now } = this.#parts;
    const failed = choice.model;
    if (!failed) return;
    this.#cooldowns.set(modelName(failed), now() + (failure.retryAfterMs ?? COOLDOWN_MS));
    this.#primary ??= failed;
    this.#unproven = next;
    choice.setTemporarily(next, `fallback: ${failure.category}`);
    emit({ type: "retry_fallback_applied", from: modelName(failed), to: modelName(next), role });
  }

  /** Called when a model has answered. */
  confirmFallback(): void {
    const { choice, role, emit } = this.#parts;
    if (!this.#unproven || !choice.model || modelName(choice.model) !== modelName(this.#unproven)) return;
    this.#unproven = undefined;
    emit({ type: "retry_fallback_succeeded", model: modelName(choice.model), role });
  }

  /** Before a run: returns to the user's model if its cooldown has ended and the settings allow it. */
  revert(): void {
    const { choice, settings } = this.#parts;
    const primary = this.#primary;
    if (!primary || settings.fallbackRevertPolicy === "never" || this.#isCoolingDown(primary)) return;
    this.forget();
    choice.setTemporarily(primary, "fallback over");
  }

  /** The user chose a model, which replaces any fallback. */
  forget(): void {
    this.#primary = undefined;
    this.#unproven = undefined;
  }

  #isCoolingDown(model: Model): boolean {
    return (this.#cooldowns.get(modelName(model)) ?? 0) > this.#parts.now();
  }
}

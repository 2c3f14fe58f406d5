import type { Model, ModelRegistry, ProviderFailure } from "@gantry/models";
import type { AgentEvent } from "../../contract/events.ts";
import type { Settings } from "../../settings/schema.ts";
import { type ModelChoice, modelName } from "../state/model-choice.ts";

/** How long a model that failed is left alone where its server said nothing. */
const REST_MS = 5 * 60_000;

export type FallbackParts = {
  registry: ModelRegistry;
  choice: ModelChoice;
  role: string;
  settings: Settings["retry"];
  emit(event: AgentEvent): void;
  now(): number;
};

/** Other models for when the chosen one cannot: the role's chain, in order, without those that rest. */
export class Fallback {
  readonly #parts: FallbackParts;
  readonly #resting = new Map<string, number>();
  #primary: Model | undefined;
  #unproven: Model | undefined;

  constructor(parts: FallbackParts) {
    this.#parts = parts;
  }

  /** The model to go to after this failure, or none. Changes nothing. */
  candidate(): Model | undefined {
    const { choice, registry, role, settings } = this.#parts;
    const failed = choice.model;
    if (!failed) return undefined;
    return (settings.fallbackChains[role] ?? [])
      .map((selector) => registry.resolve(selector)?.model)
      .find((model) => model !== undefined && modelName(model) !== modelName(failed) && !this.#rests(model));
  }

  apply(next: Model, failure: ProviderFailure): void {
    const { choice, role, emit, now } = this.#parts;
    const failed = choice.model;
    if (!failed) return;
    this.#resting.set(modelName(failed), now() + (failure.retryAfterMs ?? REST_MS));
    this.#primary ??= failed;
    this.#unproven = next;
    choice.setTemporarily(next, `fallback: ${failure.category}`);
    emit({ type: "retry_fallback_applied", from: modelName(failed), to: modelName(next), role });
  }

  /** A model answered. */
  answered(): void {
    const { choice, role, emit } = this.#parts;
    if (!this.#unproven || !choice.model || modelName(choice.model) !== modelName(this.#unproven)) return;
    this.#unproven = undefined;
    emit({ type: "retry_fallback_succeeded", model: modelName(choice.model), role });
  }

  /** Before a run: back to the user's own model, when it has rested and the settings want that. */
  revert(): void {
    const { choice, settings } = this.#parts;
    const primary = this.#primary;
    if (!primary || settings.fallbackRevertPolicy === "never" || this.#rests(primary)) return;
    this.forget();
    choice.setTemporarily(primary, "fallback over");
  }

  /** The user chose a model: that one counts from now on. */
  forget(): void {
    this.#primary = undefined;
    this.#unproven = undefined;
  }

  #rests(model: Model): boolean {
    return (this.#resting.get(modelName(model)) ?? 0) > this.#parts.now();
  }
}

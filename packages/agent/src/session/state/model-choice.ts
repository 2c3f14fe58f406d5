import type { Model, ModelRegistry, ThinkingLevel } from "@gantry/models";
import type { AgentEvent } from "../../contract/events.ts";
import { LoginRequiredError, SessionError } from "../../contract/session.ts";
import type { Transcript } from "./transcript.ts";

export type ChoiceOptions = {
  registry: ModelRegistry;
  transcript: Transcript;
  emit(event: AgentEvent): void;
  selector?: string;
  thinking?: ThinkingLevel;
  defaultThinking: ThinkingLevel;
  scoped?: readonly string[];
};

/** The current model and thinking level. Changes are stored before they are published. */
export class ModelChoice {
  readonly #options: ChoiceOptions;
  #model: Model | undefined;
  /** The user's choice, also while a temporary model replaces it. */
  #chosen: Model | undefined;
  #requestedLevel: ThinkingLevel;
  /** The requested selector that matches no model. */
  #unknown: string | undefined;

  constructor(options: ChoiceOptions) {
    this.#options = options;
    this.#requestedLevel = options.thinking ?? options.defaultThinking;
    this.restore(options.selector, options.thinking);
    const isExplicit = options.selector !== undefined || options.thinking !== undefined;
    if (isExplicit || options.transcript.messages.length === 0) this.persist();
  }

  get model(): Model | undefined {
    return this.#model;
  }

  get thinking(): ThinkingLevel {
    return this.#model ? this.#options.registry.clamp(this.#model, this.#requestedLevel) : this.#requestedLevel;
  }

  /** Restores the choice of the file, unless a selector is given. Otherwise the registry chooses. */
  restore(selector?: string, thinking?: ThinkingLevel): void {
    const { registry, transcript, scoped } = this.#options;
    const branch = transcript.store.branch();
    const remembered = selector === undefined && branch.model ? findModel(registry, branch.model) : undefined;
    const resolved = remembered
      ? { model: remembered, thinking: undefined }
      : registry.initial({
          ...(selector === undefined ? {} : { selector }),
          ...(scoped ? { scoped } : {}),
          resuming: branch.messages.length > 0,
        });
    if (resolved) this.#model = this.#chosen = resolved.model;
    this.#unknown = resolved ? undefined : selector;
    const level = thinking ?? resolved?.thinking ?? branch.thinkingLevel;
    if (level !== undefined) this.#requestedLevel = level;
  }

  /** Stores the choice in a branch that lacks it. */
  persist(): void {
    const { store } = this.#options.transcript;
    if (!this.#chosen || store.readOnly) return;
    const { model, thinkingLevel } = store.branch();
    if (model !== modelName(this.#chosen)) store.append({ type: "model_change", model: modelName(this.#chosen) });
    if (thinkingLevel !== this.thinking) {
      store.append({ type: "thinking_level_change", thinkingLevel: this.thinking });
    }
  }

  require(): Model {
    if (this.#model) return this.#model;
    if (this.#unknown !== undefined) {
      throw new SessionError(
        `There is no model ${this.#unknown}. \`gantry models list --all\` shows the known models; models.yml can add a provider.`,
      );
    }
    throw new LoginRequiredError(
      "No model is available: you are not logged in to any provider. Run `gantry auth login <provider>`, or set a key; `--model demo/tour` needs none.",
    );
  }

  set(provider: string, id: string): Model {
    const { registry } = this.#options;
    const model = registry.find(provider, id);
    if (!model) throw new SessionError(`Model not found: ${provider}/${id}`);
    this.#switch(model, undefined, undefined);
    return model;
  }

  /** Switches the model without storing it as the user's choice. */
  setTemporarily(model: Model, reason: string): void {
    this.#switch(model, "temporary", reason);
  }

  cycle(by: 1 | -1): { model: Model; thinkingLevel: ThinkingLevel; isScoped: boolean } | null {
    const { registry, scoped } = this.#options;
    const isScoped = scoped !== undefined && scoped.length > 0;
    const models = isScoped ? scoped.flatMap((each) => registry.resolve(each)?.model ?? []) : registry.available();
    if (models.length < 2) return null;
    const place = models.findIndex((each) => this.#model !== undefined && modelName(each) === modelName(this.#model));
    const model = models.at((Math.max(place, by < 0 ? 0 : -1) + by) % models.length);
    if (!model) return null;
    this.#switch(model, undefined, undefined);
    return { model, thinkingLevel: this.thinking, isScoped };
  }

  setThinking(level: ThinkingLevel): void {
    const before = this.thinking;
    this.#requestedLevel = level;
    if (this.thinking === before) return;
    const { transcript, emit } = this.#options;
    transcript.store.append({ type: "thinking_level_change", thinkingLevel: this.thinking });
    emit({ type: "thinking_level_changed", thinkingLevel: this.thinking });
  }

  cycleThinking(): { level: ThinkingLevel } | null {
    if (!this.#model) return null;
    const levels = this.#options.registry.levels(this.#model);
    if (levels.length < 2) return null;
    const level = levels[(levels.indexOf(this.thinking) + 1) % levels.length];
    if (level === undefined) return null;
    this.setThinking(level);
    return { level: this.thinking };
  }

  #switch(model: Model, role: string | undefined, reason: string | undefined): void {
    const { transcript, emit } = this.#options;
    const before = this.#model;
    transcript.store.append({
      type: "model_change",
      model: modelName(model),
      ...(role === undefined ? {} : { role }),
      ...(before ? { previousModel: modelName(before) } : {}),
      ...(reason === undefined ? {} : { reason }),
    });
    this.#model = model;
    if (role === undefined) this.#chosen = model;
    emit({ type: "model_changed", model: modelName(model), thinkingLevel: this.thinking });
  }
}

export function modelName(model: Model): string {
  return `${model.provider}/${model.id}`;
}

function findModel(registry: ModelRegistry, name: string): Model | undefined {
  const slash = name.indexOf("/");
  return registry.find(name.slice(0, slash), name.slice(slash + 1)) ?? registry.resolve(name)?.model;
}

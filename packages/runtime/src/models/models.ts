import type { FullModelRegistry } from "@gantry/models";
import { GantryError, type ModelList, type ResolvedModel } from "@gantry/protocol";

export type ModelQuery = {
  q?: string | undefined;
  provider?: string | undefined;
  all?: boolean;
  refresh?: boolean;
  cwd?: string | undefined;
};

/** The models of Gantry's own agent. The files are re-read for every call. */
export interface ModelService {
  list(query: ModelQuery): Promise<ModelList>;
  /** Throws `no_such_model`, with why in its details. */
  resolve(selector: string, cwd?: string): Promise<ResolvedModel>;
}

export type ModelsOptions = { home: string; env: Record<string, string | undefined> };

/** Nothing is loaded before the first call: the catalogue costs a start more than all that most daemons ever do with it. */
export class Models implements ModelService {
  readonly #options: ModelsOptions;
  #open: { cwd: string; registry: FullModelRegistry; close(): void } | undefined;

  constructor(options: ModelsOptions) {
    this.#options = options;
  }

  async list({ cwd, refresh = false, ...query }: ModelQuery): Promise<ModelList> {
    const { listModels } = await import("@gantry/models");
    const registry = await this.#registry(cwd);
    await registry.refresh(refresh ? "online" : "offline");
    return listModels(registry, query);
  }

  async resolve(selector: string, cwd?: string): Promise<ResolvedModel> {
    const { describeModel } = await import("@gantry/models");
    const registry = await this.#registry(cwd);
    await registry.refresh("offline");
    const found = registry.resolve(selector);
    const problems = [...registry.problems()];
    if (!found) {
      const { why } = registry.explain(selector);
      throw new GantryError("no_such_model", `No model is meant by "${selector}". ${why.at(-1) ?? ""}`.trim(), {
        remedy: "See `gantry models --all`.",
        details: { why, problems },
      });
    }
    const { model, thinking, why } = found;
    return { query: selector, model: describeModel(registry, model), ...(thinking ? { thinking } : {}), why, problems };
  }

  stop(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  /** Caches one entry, because most calls are for the same folder. */
  async #registry(cwd = this.#options.home): Promise<FullModelRegistry> {
    if (this.#open?.cwd === cwd) return this.#open.registry;
    const { openModels } = await import("@gantry/models");
    this.stop();
    const { registry, close } = openModels({ ...this.#options, cwd });
    this.#open = { cwd, registry, close };
    return registry;
  }
}

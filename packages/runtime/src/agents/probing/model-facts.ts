import { bundledCatalogue } from "@gantry/models/catalogue";
import type { Model } from "@gantry/protocol";

type Facts = Pick<Model, "contextWindow" | "maxTokens" | "price" | "images">;

/** Providers of models on the user's own machine. */
const LOCAL = /^(ollama|lmstudio|lm-studio|llama\.?cpp|llamacpp|vllm|local|localhost)$/i;

let byName: Map<string, Facts> | undefined;

/** Adds what the built-in catalogue states about a model. Unknown models stay unchanged; the agent's own facts win. */
export function withFacts(models: readonly Model[]): Model[] {
  return models.map((model) => ({
    ...(isLocal(model.id) ? { local: true } : findFacts(model.resolves ?? model.id)),
    ...model,
  }));
}

function isLocal(id: string): boolean {
  return id
    .split("/")
    .slice(0, -1)
    .some((part) => LOCAL.test(part));
}

/** By `provider/model`, else by the maker's name of the model. Options such as `[1m]` or `:high` are not part of a name. */
function findFacts(id: string): Facts | undefined {
  const name = id.toLowerCase().replace(/[[:].*$/, "");
  const facts = loadFacts();
  return facts.get(name) ?? facts.get(name.slice(name.lastIndexOf("/") + 1));
}

function loadFacts(): Map<string, Facts> {
  if (byName) return byName;
  byName = new Map();
  for (const [provider, models] of bundledCatalogue().providers) {
    for (const { id, contextWindow, maxTokens, cost, input } of models) {
      const price = { input: cost.input, output: cost.output };
      const facts = { contextWindow, maxTokens, price, images: input.includes("image") };
      byName.set(`${provider}/${id}`.toLowerCase(), facts);
      if (!byName.has(id.toLowerCase())) byName.set(id.toLowerCase(), facts);
    }
  }
  return byName;
}

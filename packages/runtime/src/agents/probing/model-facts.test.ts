import { bundledCatalogue } from "@gantry/models/catalogue";
import { expect, it } from "vitest";
import { withFacts } from "./model-facts.ts";

const model = (id: string) => ({ id, name: id, default: false, efforts: [] });

it("adds context window, prices and images of every model in the catalogue, by its full name", () => {
  for (const [provider, models] of bundledCatalogue().providers) {
    for (const { id, contextWindow, cost } of models) {
      if (/[[:]/.test(id)) continue;
      const [found] = withFacts([model(`${provider}/${id}`)]);
      expect(found).toMatchObject({ contextWindow, price: { input: cost.input, output: cost.output } });
    }
  }
});

it("marks local models, and leaves unknown ones and the agent's own facts unchanged", () => {
  expect(withFacts([model("ollama/some-model")])).toEqual([{ ...model("ollama/some-model"), local: true }]);
  expect(withFacts([model("made-up-model")])).toEqual([model("made-up-model")]);
  const [[provider, [first]] = ["", []]] = bundledCatalogue().providers;
  const own = { ...model(`${provider}/${first?.id}`), contextWindow: 1 };
  expect(withFacts([own])[0]?.contextWindow).toBe(1);
});

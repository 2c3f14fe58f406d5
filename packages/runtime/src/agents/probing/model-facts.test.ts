import { bundledCatalogue } from "@gantry/models/catalogue";
import { expect, it } from "vitest";
import { readModels as readClaudeModels } from "../claude/models.ts";
import { readModels as readDroidModels } from "../droid/exec/rpc/models.ts";
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

it("looks an alias up by the model behind it", () => {
  const known = bundledCatalogue().providers.get("anthropic")?.[0];
  const alias = { ...model("fast"), resolves: known?.id ?? "" };
  expect(withFacts([alias])[0]).toMatchObject({ id: "fast", contextWindow: known?.contextWindow });
});

it("reads what Claude Code reports about its models", () => {
  const [opus, plain] = readClaudeModels([
    { value: "opus[1m]", resolvedModel: "claude-opus-4-8[1m]", description: "Opus · $5/$25 per Mtok" },
    { value: "haiku", resolvedModel: 7, description: "Haiku · $many per Mtok" },
  ]);
  expect(opus).toMatchObject({ resolves: "claude-opus-4-8[1m]", contextWindow: 1e6, price: { input: 5, output: 25 } });
  expect(plain).toEqual({ ...model("haiku") });
});

it("reads which models Droid deprecates and which read images", () => {
  const models = readDroidModels([
    { id: "old", displayName: "old", deprecated: true, noImageSupport: true },
    { id: "new", displayName: "new", deprecated: false, noImageSupport: false },
  ]);
  expect(models).toEqual([
    { ...model("old"), deprecated: true, images: false },
    { ...model("new"), images: true },
  ]);
});

import { expect, it } from "vitest";
import { bundledCatalogue } from "../catalogue/catalogue.ts";
import { testRegistry } from "./registry.harness.ts";

/** Milliseconds of the fastest run. Other load on the machine only makes runs slower. */
function measureQuickest(runs: number, work: () => void): number {
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const began = performance.now();
      work();
      return performance.now() - began;
    }),
  );
}

/** Four thousand models: the catalogue and copies under other provider names. */
function makeLargeCatalogue() {
  const { providers, ...rest } = bundledCatalogue();
  const copies = ["", "-b", "-c"].flatMap((suffix) =>
    [...providers].map(([name, models]) => {
      const provider = `${name}${suffix}`;
      return [provider, suffix === "" ? models : models.map((model) => ({ ...model, provider }))] as const;
    }),
  );
  return { ...rest, providers: new Map(copies) };
}

it("finds a full name without a linear search", () => {
  const registry = testRegistry({}, { catalogue: makeLargeCatalogue(), loggedIn: ["anthropic"] });
  const all = registry.all();
  expect(all.length).toBeGreaterThan(4000);
  const last = all.at(-1)!;
  const selector = `${last.provider}/${last.id}`;
  const scan = measureQuickest(50, () => {
    for (let i = 0; i < 20; i++) all.find(({ provider, id }) => `${provider}/${id}` === selector);
  });
  const found = measureQuickest(50, () => {
    for (let i = 0; i < 20; i++) registry.resolve(selector);
  });
  expect(registry.resolve(selector)?.model).toBe(last);
  expect(found * 5).toBeLessThan(scan);
});

it("opens the registry in about the time that reading the models takes", () => {
  const catalogue = makeLargeCatalogue();
  const text = JSON.stringify([...catalogue.providers.values()]);
  const parse = measureQuickest(5, () => JSON.parse(text));
  const start = measureQuickest(5, () => testRegistry({}, { catalogue }));
  expect(start).toBeLessThan(parse * 5);
});

import { expect, it } from "vitest";
import { formatModelHint, formatWindow, listModelFacts } from "./model-facts.ts";

const model = { id: "one", name: "One", default: false, efforts: [] };

it("formats limits that are round in binary or in decimal", () => {
  const windows = [4096, 128_000, 131_072, 200_000, 262_144, 1_000_000, 1_047_576, 1_048_576, 2_097_152];
  expect(windows.map(formatWindow)).toEqual(["4k", "128k", "128k", "200k", "256k", "1M", "1M", "1M", "2M"]);
});

it("lists only known facts, and no price for local models and subscriptions", () => {
  expect(listModelFacts(model)).toEqual([]);
  expect(formatModelHint(model)).toBeUndefined();
  const local = { ...model, local: true, price: { input: 1, output: 1 } };
  expect(listModelFacts(local)).toEqual(["runs on this machine"]);
  expect(formatModelHint(local)).toBe("local");
  const free = { ...model, price: { input: 0, output: 0 }, contextWindow: 128_000 };
  expect(listModelFacts(free)).toEqual(["128k context", "no list price"]);
  expect(formatModelHint(free)).toBe("128k");
});

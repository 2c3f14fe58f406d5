import type { AgentRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { agentChoices, effortChoices, modeChoices, modelChoices } from "./choices.ts";

const row = {
  id: "one",
  name: "One",
  state: "ready",
  auth: { state: "ok", how: "asked" },
  modes: ["plan", "ask", "inherit"],
  models: {
    source: "live",
    items: [
      { id: "big", name: "Big", default: true, efforts: ["low", "high"] },
      { id: "small", name: "Small", default: false, efforts: [] },
    ],
  },
} as unknown as AgentRow;

describe("the choices of a session", () => {
  it("list ready agents first and show why the others are unavailable", () => {
    const missing = { ...row, id: "two", name: "Two", state: "missing" } as AgentRow;
    expect(agentChoices([missing, row])).toEqual([
      { value: "one", label: "One", hint: undefined },
      { value: "two", label: "Two", hint: "not installed", disabled: true },
    ]);
  });

  it("show the mode that is used in place of an unsupported one", () => {
    const full = modeChoices(row, "ask").find((choice) => choice.value === "full-auto");
    expect(full).toMatchObject({ hint: "runs as ask", disabled: false });
  });

  it("name the default model and keep a model that is not listed", () => {
    expect(modelChoices(row, {})[0]).toEqual({ value: "", label: "Default (Big)" });
    expect(modelChoices(row, { model: "odd" }).map((choice) => choice.value)).toEqual(["odd", "big", "small"]);
  });

  it("show context window, price and deprecation of a model", () => {
    const facts = { contextWindow: 1_048_576, price: { input: 0.5, output: 3 }, images: false, deprecated: true };
    const items = [{ ...row.models.items[0], ...facts }];
    const [standard, first] = modelChoices({ ...row, models: { source: "live", items } } as AgentRow, {});
    expect(first?.facts).toEqual({
      short: "deprecated · 1M · $0.5/$3",
      full: "deprecated, 1M context, $0.5 in, $3 out per million tokens, no images",
    });
    expect(standard?.facts).toEqual(first?.facts);
  });

  it("let a session that has not started go back to the default", () => {
    expect(modelChoices(row, { model: "small", free: true })[0]?.value).toBe("");
    expect(modelChoices(row, { served: "Big 2" })[0]?.label).toBe("Default (Big 2)");
  });

  it("offer effort only if the model supports it", () => {
    expect(effortChoices(row, { effort: "high" }).map((choice) => choice.value)).toEqual(["low", "high"]);
    expect(effortChoices(row, { model: "small" })).toEqual([]);
  });
});

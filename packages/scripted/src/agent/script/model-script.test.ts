import { expect, test } from "vitest";
import { scenarios } from "../../model/scenarios.ts";
import { modelSteps } from "./model-script.ts";

test("every scenario of the scripted model has steps", () => {
  for (const name of Object.keys(scenarios)) {
    const steps = modelSteps(`[[${name}]]`);
    if (name !== "empty") expect(steps.length, name).toBeGreaterThan(0);
  }
});

test("the words are the model's own, and a prompt without a marker is answered too", () => {
  expect(modelSteps("[[text]] hi")).toMatchObject([{ do: "say", text: expect.stringContaining("scripted model") }]);
  expect(modelSteps("hi")).toEqual(modelSteps("[[text]]"));
});

test("tools of one reply are called together, those of the next one after them", () => {
  expect(modelSteps("[[multi]]").map((step) => step.do)).toEqual(["say", "together", "write", "think", "read", "say"]);
  expect(modelSteps("[[parallel]]")[0]).toMatchObject({ do: "together", steps: [{}, {}, {}] });
});

test("a provider that fails, falls silent or fails once", () => {
  expect(modelSteps("[[err429]]")).toMatchObject([{ do: "fail", status: 429 }]);
  expect(modelSteps("[[hang]]")).toEqual([{ do: "hang" }]);
  expect(modelSteps("[[hangmid]]").map((step) => step.do)).toEqual(["begin", "hang"]);
  expect(modelSteps("[[err500once]]")).toMatchObject([{ do: "say", text: "Recovered from err500." }]);
});

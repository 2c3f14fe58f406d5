import { expect, test } from "vitest";
import { scenarios } from "../../model/scenarios.ts";
import { modelSteps } from "./model-script.ts";

test("every scenario of the scripted model has steps", () => {
  for (const name of Object.keys(scenarios)) {
    const steps = modelSteps(`[[${name}]]`);
    if (name !== "empty") expect(steps.length, name).toBeGreaterThan(0);
  }
});

test("uses the text of the scripted model, and answers a prompt without a marker", () => {
  expect(modelSteps("[[text]] hi")).toMatchObject([{ do: "message", text: expect.stringContaining("scripted model") }]);
  expect(modelSteps("hi")).toEqual(modelSteps("[[text]]"));
});

test("calls the tools of one reply together, and those of the next reply after them", () => {
  expect(modelSteps("[[multi]]").map((step) => step.do)).toEqual([
    "message",
    "together",
    "write",
    "think",
    "read",
    "message",
  ]);
  expect(modelSteps("[[parallel]]")[0]).toMatchObject({ do: "together", steps: [{}, {}, {}] });
});

test("plays a provider that fails, stalls or fails once", () => {
  expect(modelSteps("[[err429]]")).toMatchObject([{ do: "fail", status: 429 }]);
  expect(modelSteps("[[hang]]")).toEqual([{ do: "hang" }]);
  expect(modelSteps("[[hangmid]]").map((step) => step.do)).toEqual(["begin", "hang"]);
  expect(modelSteps("[[err500once]]")).toMatchObject([{ do: "message", text: "Recovered from err500." }]);
});

import type { Session } from "@gantry/protocol";
import { expect, it } from "vitest";
import { settingLines } from "./show.ts";

const modelLine = (settings: Partial<Session>) => {
  const session = { agent: "scripted", mode: "ask", ...settings } as Session;
  return settingLines(session).find((line) => line.startsWith("model"));
};

it("names the model that the agent reports if it completes or differs from the requested one", () => {
  expect(modelLine({})).toMatch(/the agent's default$/);
  expect(modelLine({ servedModel: "big-5" })).toMatch(/the agent's default \(the agent reports big-5\)$/);
  expect(modelLine({ model: "big", servedModel: "big-5", effort: "high" })).toMatch(
    /big \(the agent reports big-5\), effort high$/,
  );
  expect(modelLine({ model: "big-5", servedModel: "big-5" })).toMatch(/ big-5$/);
});

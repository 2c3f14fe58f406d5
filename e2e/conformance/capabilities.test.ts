import { agentById } from "@gantry/runtime";
import { expect, test } from "vitest";
import { targets } from "../targets/targets.ts";
import { readResults } from "./results.ts";

/** The scenarios that prove a flag of the agent row. */
const proofs = { images: "image", questions: "question", compaction: "compaction", commands: "commands" } as const;

test("the capability flags of every agent agree with the recorded cells", () => {
  const results = readResults();
  const wrong = targets.flatMap(({ agent, name, channel }) => {
    const found = agentById(agent);
    const tested = channel && found?.otherwise ? found.otherwise : found;
    return Object.entries(proofs).flatMap(([flag, scenario]) => {
      const result = results[name]?.[scenario]?.result;
      const has = tested?.can?.includes(flag as keyof typeof proofs) === true;
      const isWrong = (result === "works" && !has) || (result === "cannot" && has);
      return isWrong ? [`${name}: ${flag} is ${has}, but ${scenario} ${result}`] : [];
    });
  });
  expect(wrong).toEqual([]);
});

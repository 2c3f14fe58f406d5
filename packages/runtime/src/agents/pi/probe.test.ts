import { expect, it } from "vitest";
import type { ProbeTools } from "../contract.ts";
import { conversed } from "../finding/test-machine.ts";
import { probe } from "./probe.ts";

function tools(version: string, answer: unknown[], code: number | null = null): ProbeTools {
  return {
    bin: "/bin/pi",
    env: {},
    run: async () => ({ code: 0, stdout: version, stderr: "", timedOut: false }),
    converse: async () => ({ ...conversed(answer), code }),
  };
}

const models = (list: unknown[]) => [
  { type: "response", command: "get_available_models", success: true, data: { models: list } },
];

it("knows version, login and models of an installed Pi", async () => {
  const model = { provider: "mock", id: "mock-1", name: "Mock One", reasoning: true };
  expect(await probe(tools("0.87.1\n", models([model])))).toMatchObject({
    ok: true,
    version: "0.87.1",
    auth: { state: "ok" },
    models: [{ id: "mock/mock-1", name: "Mock One", efforts: ["off", "minimal", "low", "medium", "high", "xhigh"] }],
  });
});

it("says what is missing, and does not guess what it does not know", async () => {
  expect(await probe(tools("0.87.1", models([])))).toMatchObject({ ok: true, auth: { state: "missing" } });
  expect(await probe(tools("0.87.1", []))).toMatchObject({ ok: true, auth: { state: "unknown" } });
  expect((await probe(tools("0.87.1", []))).channel).toBeUndefined();
  expect(await probe(tools("0.87.1", [], 2))).toMatchObject({
    ok: true,
    channel: "json",
    problems: [{ code: "no_rpc" }],
  });
  expect(await probe(tools("π", []))).toMatchObject({ ok: false, problems: [{ code: "broken" }] });
});

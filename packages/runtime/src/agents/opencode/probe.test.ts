import { expect, test } from "vitest";
import type { BriefResult, ProbeTools } from "../contract.ts";
import { probe } from "./probe.ts";

const ran: BriefResult = { code: 0, stdout: "", stderr: "", timedOut: false };
const greeting = { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1, agentInfo: { version: "1.18.33" } } };

function tools(models: Partial<BriefResult>): ProbeTools {
  return {
    bin: "/opt/agents/opencode",
    env: {},
    run: async (args) => (args[0] === "models" ? { ...ran, ...models } : { ...ran, stdout: "1.18.33\n" }),
    converse: async () => ({ ...ran, lines: [greeting] }),
  } as ProbeTools;
}

test("lists the models of its command", async () => {
  const { ok, version, models } = await probe(tools({ stdout: "Loading\nscripted/a\nopenrouter/x/b:free\n\n" }));
  expect({ ok, version }).toEqual({ ok: true, version: "1.18.33" });
  expect(models?.map(({ id }) => id)).toEqual(["scripted/a", "openrouter/x/b:free"]);
});

test("is available without a model list", async () => {
  const found = await probe(tools({ code: 1, stdout: "scripted/a\n" }));
  expect(found.ok).toBe(true);
  expect(found.models).toBeUndefined();
});

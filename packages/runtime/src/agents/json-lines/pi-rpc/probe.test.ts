import { expect, it } from "vitest";
import type { BriefResult, ProbeTools } from "../../contract.ts";
import { converseResult } from "../../finding/testing/machine.ts";
import { piProbe } from "./probe.ts";

const probe = piProbe({ name: "Pi", install: "npm install pi", login: "Run `pi` and use /login." });

/** An installed program with this version and these answers, whose help text lists the RPC mode. */
function tools(version: string, answer: unknown[], ran: Partial<BriefResult> = {}): ProbeTools {
  const help = "--mode <text|json|rpc>";
  return {
    bin: "/bin/pi",
    env: {},
    run: async ([first]) => ({ code: 0, stdout: first === "--version" ? version : help, stderr: "", timedOut: false }),
    converse: async () => converseResult(answer, ran),
  };
}

const models = (list: unknown[]) => [
  { type: "response", command: "get_available_models", success: true, data: { models: list } },
];

it("reads version, login and models of an installed program", async () => {
  const model = { provider: "mock", id: "mock-1", name: "Mock One", reasoning: true };
  expect(await probe(tools("0.87.1\n", models([model])))).toMatchObject({
    ok: true,
    version: "0.87.1",
    auth: { state: "ok" },
    models: [{ id: "mock/mock-1", name: "Mock One", efforts: ["off", "minimal", "low", "medium", "high", "xhigh"] }],
  });
  expect((await probe(tools("omp/18.2.3\n", models([model])))).version).toBe("18.2.3");
});

it("reports what is missing and leaves the rest unknown", async () => {
  expect(await probe(tools("0.87.1", models([])))).toMatchObject({ ok: true, auth: { state: "missing" } });
  const slow = await probe(tools("0.87.1", [], { timedOut: true }));
  expect(slow).toMatchObject({ ok: true, auth: { state: "unknown" }, problems: [{ code: "no_models" }] });
  expect(slow.channel).toBeUndefined();
  expect(await probe(tools("π", []))).toMatchObject({ ok: false, problems: [{ code: "broken" }] });
});

it("falls back to one process per turn where there is no RPC mode", async () => {
  const refusal = { code: 2, stderr: "error: unrecognized argument 'rpc'" };
  expect(await probe(tools("0.87.1", [], refusal))).toMatchObject({ ok: true, version: "0.87.1", channel: "json" });
  const broken = await probe(tools("0.87.1", [], { code: 1, stderr: "models.json is no JSON" }));
  expect(broken.channel).toBeUndefined();
});

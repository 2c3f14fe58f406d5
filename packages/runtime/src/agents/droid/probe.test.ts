import { expect, test } from "vitest";
import type { BriefResult, ProbeTools } from "../contract.ts";
import { probe } from "./probe.ts";

const ran: BriefResult = { code: 0, stdout: "", stderr: "", timedOut: false };

/** A Droid that answers with these models over JSON-RPC, or rejects that protocol. */
function machine(models: object[] | "refused"): ProbeTools {
  const answer = { type: "response", id: "probe", result: { models } };
  const refusal = { ...ran, code: 2, stderr: "error: unrecognized argument 'stream-jsonrpc'", lines: [] };
  return {
    bin: "/bin/droid",
    env: {},
    run: async (args) => ({ ...ran, stdout: args.includes("--version") ? "0.225.2\n" : "" }),
    converse: async (args) => {
      if (args.includes("acp")) return { ...ran, lines: [] };
      return models === "refused" ? refusal : { ...ran, lines: [answer] };
    },
  };
}

test("requires no login for custom models", async () => {
  const custom = { id: "custom:Mine-0", displayName: "Mine", supportedReasoningEfforts: ["off"] };
  expect(await probe(machine([custom]))).toMatchObject({
    version: "0.225.2",
    auth: { state: "ok" },
    models: [{ id: "custom:Mine-0", name: "Mine", efforts: ["off"] }],
    ok: true,
  });
});

test("reads the login over ACP if there are no custom models", async () => {
  const found = await probe(machine([{ id: "opus", displayName: "Opus" }]));
  expect(found).toMatchObject({ auth: { state: "unknown" }, models: [{ id: "opus" }], ok: true });
});

test("falls back to the print stream for a version without JSON-RPC", async () => {
  expect(await probe(machine("refused"))).toMatchObject({ ok: true, channel: "exec" });
});

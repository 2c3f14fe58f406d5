import { expect, test } from "vitest";
import type { ProbeTools } from "../contract.ts";
import { converseResult } from "../finding/testing/machine.ts";
import { codex } from "./descriptor.ts";
import { probe } from "./probe.ts";

type Machine = {
  version?: string;
  status?: { code: number; stderr: string };
  lines?: unknown[];
  env?: Record<string, string>;
};

function tools({ version = "codex-cli 0.166.0\n", status, lines = [], env = {} }: Machine): ProbeTools {
  return {
    bin: "/opt/codex",
    env,
    run: async ([first]) => {
      const quiet = { stdout: "", stderr: "", timedOut: false };
      if (first === "--version") return { ...quiet, code: version ? 0 : 127, stdout: version };
      return { ...quiet, code: status?.code ?? 1, stderr: status?.stderr ?? "Not logged in\n" };
    },
    converse: async (_, frames, done) => {
      expect(frames.map((frame) => (frame as { method: string }).method)).toEqual([
        "initialize",
        "initialized",
        "skills/list",
        "account/read",
        "model/list",
      ]);
      expect(done(lines)).toBe(lines.length === 3);
      return converseResult(lines);
    },
  };
}

const hello = { id: 1, result: { userAgent: "x", codexHome: "/h" } };
const account = (value: unknown, requiresOpenaiAuth = true) => ({
  id: 2,
  result: { account: value, requiresOpenaiAuth },
});
const models = {
  id: 3,
  result: {
    data: [
      {
        id: "g",
        model: "g",
        displayName: "G",
        isDefault: true,
        hidden: false,
        supportedReasoningEfforts: [{ reasoningEffort: "low" }],
      },
      { id: "h", model: "h", displayName: "H", hidden: true },
    ],
  },
};

test("lists the models of a logged-in agent", async () => {
  expect(
    await probe(tools({ lines: [hello, account({ type: "chatgpt", email: "user@example.com" }), models] })),
  ).toEqual({
    version: "0.166.0",
    auth: { state: "ok", how: "account of type chatgpt", account: "user@example.com" },
    models: [{ id: "g", name: "G", default: true, efforts: ["low"] }],
    problems: [],
    ok: true,
  });
});

test("reports a missing login with a fix, also for a key that the app-server does not read", async () => {
  const env = { CODEX_API_KEY: "sk" };
  const result = await probe(tools({ lines: [hello, account(null), models], env }));
  expect(result.auth.state).toBe("missing");
  expect(result.problems).toMatchObject([{ code: "not_logged_in", fix: expect.stringContaining("codex login") }]);
});

test("reports an unknown login state for a provider with a separate key", async () => {
  const result = await probe(tools({ lines: [hello, account(null, false), models] }));
  expect(result.auth.state).toBe("unknown");
  expect(result.problems).toEqual([]);
});

test("selects exec if there is no app-server", async () => {
  const result = await probe(tools({ version: "codex-cli 0.20.0", lines: [], env: { CODEX_API_KEY: "sk" } }));
  expect(result).toMatchObject({
    channel: "exec",
    ok: true,
    auth: { state: "ok" },
    problems: [{ code: "main_channel_missing" }],
  });
  expect(codex.channels.map(({ name }) => name)).toEqual(["app-server", "exec"]);
});

test("selects a slow app-server", async () => {
  const slow = tools({ lines: [] });
  const run = slow.run;
  slow.run = async (args) =>
    args[0] === "--help" ? { ...(await run(args)), stdout: "  app-server  Run it" } : run(args);
  const result = await probe(slow);
  expect(result).toMatchObject({ ok: true, problems: [{ code: "no_app_server" }] });
  expect(result.channel).toBeUndefined();
});

test("reports a program that does not run as broken", async () => {
  const result = await probe(tools({ version: "" }));
  expect(result).toMatchObject({ ok: false, problems: [{ code: "broken" }], auth: { state: "unknown" } });
});

import { expect, test } from "vitest";
import { auggie } from "../auggie/descriptor.ts";
import type { ProbeTools } from "../contract.ts";
import { gemini } from "../gemini/descriptor.ts";
import { opencode } from "../opencode/descriptor.ts";

/** An agent that answers each request from a table. */
function tools(answers: Record<string, object>, version = "1.2.3\n"): ProbeTools {
  return {
    bin: "/opt/agent",
    env: {},
    run: async () => ({ code: version ? 0 : 1, stdout: version, stderr: "", timedOut: false }),
    async converse(_, frames, done, options) {
      const lines: unknown[] = [];
      const queue = [...frames];
      for (let frame = queue.shift(); frame && !done(lines); frame = queue.shift()) {
        const { id, method } = frame as { id: number; method: string };
        const answer = answers[method];
        if (!answer) continue;
        const line = { jsonrpc: "2.0", id, ...answer };
        lines.push(line);
        queue.push(...(options?.reply?.(line) ?? []));
      }
      return lines;
    },
  };
}

const initialize = { result: { protocolVersion: 1 } };

test("a conversation that opens tells models, and that its user is known", async () => {
  const models = { currentModelId: "a", availableModels: [{ modelId: "a", name: "A" }] };
  expect(await gemini.probe(tools({ initialize, "session/new": { result: { sessionId: "s", models } } }))).toEqual({
    version: "1.2.3",
    auth: { state: "ok", how: "it opened a conversation" },
    models: [{ id: "a", name: "A", default: true, efforts: [] }],
    problems: [],
    ok: true,
  });
});

test("a login that is missing is a problem with a fix", async () => {
  const refused = { error: { code: -32000, message: "Authentication required" } };
  expect(await auggie.probe(tools({ initialize, "session/new": refused }))).toMatchObject({
    auth: { state: "missing" },
    problems: [{ code: "not_logged_in", fix: expect.stringContaining("auggie login") }],
  });
});

test("an agent that keeps every conversation is only greeted", async () => {
  const asked = tools({ initialize, "session/new": { error: { code: 1, message: "must not be asked" } } });
  expect(await opencode.probe(asked)).toMatchObject({ auth: { state: "unknown" }, problems: [], ok: true });
});

test("silence and a program that does not run are told apart", async () => {
  expect(await gemini.probe(tools({}))).toMatchObject({ ok: true, problems: [{ code: "no_acp" }] });
  expect(await gemini.probe(tools({}, ""))).toMatchObject({ ok: false, problems: [{ code: "broken" }] });
});

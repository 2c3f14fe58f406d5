import { expect, test } from "vitest";
import type { ProbeTools } from "../../contract.ts";
import { standardDialect } from "../descriptor.ts";
import { listConversations } from "./list.ts";

type Asked = { id: number; method: string; params: { cwd?: string; cursor?: string } };

/** A fake agent that answers each request with the result of `answer`, until the list is complete. */
function agent(answer: (asked: Asked) => object): ProbeTools & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    bin: "agent",
    env: {},
    run: async () => ({ code: 0, stdout: "", stderr: "", timedOut: false }),
    async converse(_, frames, done, { reply } = {}) {
      const lines: unknown[] = [];
      for (const queue = [...frames] as Asked[]; queue.length > 0 && !done(lines); ) {
        const request = queue.shift() as Asked;
        asked.push(request);
        const line = { jsonrpc: "2.0", id: request.id, ...answer(request) };
        lines.push(line);
        queue.push(...((reply?.(line) ?? []) as Asked[]));
      }
      return { code: null, stdout: "", stderr: "", timedOut: false, lines };
    },
  };
}

const greeting = { result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } } };

test("ends the list at a repeated cursor", async () => {
  const tools = agent(({ method, params }) => {
    const sessions = [{ sessionId: `after-${params.cursor ?? "nothing"}`, cwd: "/a", title: "One\nand more" }];
    return method === "initialize" ? greeting : { result: { sessions, nextCursor: "same" } };
  });
  expect(await listConversations(standardDialect, tools)).toEqual({
    ok: true,
    complete: true,
    conversations: [
      { id: "after-nothing", cwd: "/a", title: "One" },
      { id: "after-same", cwd: "/a", title: "One" },
    ],
  });
  expect(tools.asked).toHaveLength(3);
});

test("filters by folder where the agent does not, and skips invalid entries", async () => {
  const rows = [{ sessionId: "a", cwd: "/a", updatedAt: "yesterday" }, { sessionId: "b", cwd: "/b" }, { cwd: "/a" }, 7];
  const tools = agent(({ method }) => (method === "initialize" ? greeting : { result: { sessions: rows } }));
  const listed = await listConversations(standardDialect, tools, "/a");
  expect(listed).toEqual({ ok: true, complete: true, conversations: [{ id: "a", cwd: "/a" }] });
  expect(tools.asked.at(-1)?.params).toEqual({ cwd: "/a" });
});

test("truncates an endless list and reports it as incomplete", async () => {
  let made = 0;
  const page = () => Array.from({ length: 400 }, () => ({ sessionId: `conversation-${++made}` }));
  const tools = agent(({ method }) =>
    method === "initialize" ? greeting : { result: { sessions: page(), nextCursor: `from-${made}` } },
  );
  const listed = await listConversations(standardDialect, tools);
  expect(listed).toMatchObject({ ok: true, complete: false });
  expect(made).toBe(1200);
});

test.for([
  [-32601, "unsupported"],
  [-32000, "login"],
  [-32603, "failed"],
] as const)("error %i means %s", async ([code, why]) => {
  const refusal = { error: { code, message: "No." } };
  const tools = agent(({ method }) => (method === "initialize" ? greeting : refusal));
  expect(await listConversations(standardDialect, tools)).toMatchObject({ ok: false, why });
});

test("does not request all conversations from an agent that lists one folder", async () => {
  const tools = agent(() => greeting);
  const dialect = { ...standardDialect, listsByFolder: true };
  expect(await listConversations(dialect, tools)).toMatchObject({ ok: false, why: "unsupported" });
  expect(tools.asked).toEqual([]);
});

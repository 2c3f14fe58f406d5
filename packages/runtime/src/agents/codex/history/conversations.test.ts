import { expect, it } from "vitest";
import type { ProbeTools } from "../../contract.ts";
import { listThreads } from "./conversations.ts";

/** An app-server that answers each request with the next result. */
function serverWith(...results: unknown[]): ProbeTools & { sent: { method?: string; params?: unknown }[] } {
  const sent: { method?: string; params?: unknown }[] = [];
  const converse: ProbeTools["converse"] = async (_, frames, done, options) => {
    let open = [...frames] as { id?: number }[];
    const lines: unknown[] = [];
    while (open.length > 0 && !done(lines)) {
      const [frame, ...rest] = open;
      sent.push(frame as object);
      open = rest;
      if (frame?.id === undefined) continue;
      const line = { id: frame.id, ...(results.shift() as object) };
      lines.push(line);
      open.push(...((options?.reply?.(line) ?? []) as { id?: number }[]));
    }
    return { code: 0, stdout: "", stderr: "", timedOut: false, lines };
  };
  return {
    bin: "codex",
    env: {},
    run: async () => ({ code: 0, stdout: "", stderr: "", timedOut: false }),
    converse,
    sent,
  };
}

const hello = { result: { codexHome: "/h" } };

it("lists threads page by page, without subagents, ephemeral threads and other folders", async () => {
  const tools = serverWith(
    hello,
    {
      result: {
        data: [
          { id: "t1", name: "Named", preview: "first line\nsecond", cwd: "/work", updatedAt: 1_700_000_000 },
          { id: "t2", preview: "first line\nsecond", cwd: "/work", createdAt: 1e18 },
          { id: "t3", parentThreadId: "t1", cwd: "/work" },
          { id: "t4", ephemeral: true, cwd: "/work" },
          { id: "t5", cwd: "/elsewhere" },
          null,
        ],
        nextCursor: "next",
      },
    },
    { result: { data: [{ id: "t6", cwd: "/work" }], nextCursor: null } },
  );
  expect(await listThreads(tools, "/work")).toEqual({
    ok: true,
    complete: true,
    conversations: [
      { id: "t1", title: "Named", cwd: "/work", updatedAt: "2023-11-14T22:13:20.000Z" },
      { id: "t2", title: "first line", cwd: "/work" },
      { id: "t6", cwd: "/work" },
    ],
  });
  expect(tools.sent.map(({ method }) => method)).toEqual(["initialize", "initialized", "thread/list", "thread/list"]);
});

it("reports a version without the method as unable to list", async () => {
  const tools = serverWith(hello, { error: { code: -32601, message: "unknown method" } });
  expect(await listThreads(tools)).toMatchObject({ ok: false, why: "unsupported" });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeV1 } from "../../packages/gateway/src/acp/updates/encode-v1.ts";
import { encodeV2 } from "../../packages/gateway/src/acp/updates/encode-v2.ts";
import type { Update } from "../../packages/gateway/src/acp/updates/update.ts";
import { FrameCheck } from "./frame-check.ts";
import { clients, type EditorRun, editorTargets } from "./matrix.ts";

describe("the check of frames", () => {
  it("accepts valid frames and reports invalid requests, responses and notifications of both sides", () => {
    const frames = new FrameCheck(1);
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
    frames.take("client", { id: 1, method: "initialize", params: { protocolVersion: 1 } });
    frames.take("agent", { id: 1, result: { protocolVersion: 1 } });
    frames.take("agent", { method: "session/update", params: { sessionId: "ses_a", update } });
    expect(frames.errors).toEqual([]);
    frames.take("client", { id: 2, method: "session/prompt", params: { sessionId: "ses_a" } });
    frames.take("agent", { id: 2, result: { stopReason: "tired" } });
    frames.take("agent", {
      method: "session/update",
      params: { sessionId: "ses_a", update: { sessionUpdate: "tool_call" } },
    });
    frames.take("agent", { id: 9, method: "session/request_permission", params: { sessionId: "ses_a" } });
    expect(frames.errors).toHaveLength(4);
    expect(frames.checked).toBe(7);
  });

  it("knows version 2", () => {
    const frames = new FrameCheck(2);
    const prompt = [{ type: "text", text: "x" }];
    frames.take("client", { id: 1, method: "session/prompt", params: { sessionId: "ses_a", prompt } });
    frames.take("agent", { id: 1, result: {} });
    expect(frames.errors).toHaveLength(1);
  });
});

const diff = "@@ -1 +1 @@\n-a\n+b";
const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const changes = (["add", "update", "delete", "move"] as const).map((kind) => ({ path: "/f", to: "/g", kind, diff }));

/** Every kind of update, with all of its fields. */
const UPDATES: Update[] = [
  {
    kind: "user",
    id: "a",
    blocks: [
      { type: "text", text: "x" },
      { type: "link", uri: "file:///f", name: "f", mime: "a/b" },
    ],
  },
  { kind: "text", id: "a", text: "x" },
  { kind: "thought", id: "a", text: "x" },
  { kind: "replaced", of: "text", id: "a", text: "x" },
  { kind: "retracted", of: "thought", id: "a", reason: "x" },
  {
    kind: "tool",
    id: "a",
    fields: { title: "t", name: "n", kind: "execute", status: "in_progress", parent: "p", input: {} },
  },
  { kind: "tool_change", id: "a", fields: { status: "cancelled", content: [{ type: "terminal" }], output: "```\nx" } },
  ...changes.map(
    (change): Update => ({ kind: "tool_change", id: "a", fields: { content: [{ type: "diff", change }] } }),
  ),
  {
    kind: "tool_change",
    id: "a",
    fields: { locations: [{ path: "/f", line: 3 }], content: [{ type: "text", text: "x" }] },
  },
  { kind: "terminal", id: "a", command: "ls" },
  { kind: "terminal_output", id: "a", text: "ü" },
  { kind: "terminal_exit", id: "a", exitCode: null },
  { kind: "plan", entries: [{ text: "x", status: "in_progress", priority: "medium" }] },
  {
    kind: "commands",
    list: [
      { name: "a", hint: "h" },
      { name: "b", description: "d" },
    ],
  },
  { kind: "info", title: "t", at: "2026-11-18T00:00:00.000Z" },
  { kind: "usage", used: 1, size: 2, usd: 0.5 },
  { kind: "notice", id: "a", severity: "warning", text: "x", durable: false },
  { kind: "notice", id: "a", severity: "error", text: "x", durable: true },
  { kind: "state", state: "running" },
  { kind: "state", state: "requires_action" },
  { kind: "state", state: "idle", end: { stopReason: "end_turn", usage } },
  {
    kind: "state",
    state: "idle",
    end: { stopReason: "error", failure: { category: "auth", message: "x", remedy: "y" } },
  },
];

it.each([1, 2] as const)("finds every kind of update valid in version %i", (version) => {
  const frames = new FrameCheck(version);
  const displays = [true, false].map((on) => ({ terminals: on, notices: on, cwd: "/" }));
  for (const update of UPDATES) {
    const encoded = version === 1 ? displays.flatMap((display) => encodeV1(update, display)) : encodeV2(update, "/");
    for (const one of encoded)
      frames.take("agent", { method: "session/update", params: { sessionId: "s", update: one } });
  }
  expect(frames.errors).toEqual([]);
  expect(frames.checked).toBeGreaterThan(UPDATES.length - 2);
});

it("has a recorded result for each agent and client of the matrix", () => {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "results.gen.json"), "utf8")) as EditorRun[];
  const found = recorded.map(({ agent, client }) => `${agent}, ${client}`);
  const wanted = editorTargets().flatMap(({ name }) => clients.map((client) => `${name}, ${client}`));
  expect(found.sort()).toEqual(wanted.sort());
});

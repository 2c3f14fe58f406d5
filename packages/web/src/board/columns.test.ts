import type { SessionView } from "@gantry/protocol";
import { expect, test, vi } from "vitest";

// Persistent cells listen for storage events of other tabs.
vi.stubGlobal("addEventListener", () => undefined);
const { arrange, columnOf, keepOrder } = await import("./columns.ts");
const { foldersOf, noFilters, passes } = await import("./filters.ts");

function session(id: string, more: Partial<SessionView> = {}): SessionView {
  const at = "2026-01-01T10:00:00.000Z";
  const empty = { queue: [], sent: [], inputs: [], tools: [], subagents: [], grants: [], handles: {} };
  const counts = { turns: 1, raw: 0, lastSeq: 5, usage: {} as SessionView["usage"] };
  const base = { agent: "scripted", mode: "ask", cwd: "/work/parcels", archived: false } as const;
  return { id, title: id, createdAt: at, updatedAt: at, ...empty, ...counts, ...base, ...more };
}

const turn = { id: "trn_1", startedAt: "2026-01-01T10:00:00.000Z", trigger: "user", messages: [] };
const pendingInput = (id: string) => ({ id, title: "Write it?", blocking: true }) as SessionView["inputs"][number];
const queued = { message: "msg_1", text: "more", attachments: [], delivery: "queue" } as const;

test.each([
  ["done", {}],
  ["working", { turn }],
  ["need", { turn, inputs: [pendingInput("inp_1")] }],
  ["held", { turn, stalled: { since: "", reason: "silence" } }],
  ["held", { limit: { provider: "p" } }],
  ["held", { queue: [queued] }],
  ["working", { turn, queue: [queued] }],
  ["done", { ended: "archived", queue: [queued] }],
] as [string, Partial<SessionView>][])("puts a session into the %s column: %j", (column, more) => {
  expect(columnOf(session("a", more))).toBe(column);
});

test("orders done sessions by unread, then by latest end", () => {
  const end = (hour: number) => ({ id: "t", outcome: "completed", endedAt: `2026-01-01T${hour}:00:00.000Z` });
  const sessions = [
    session("read late", { lastTurn: end(15) }),
    session("unread early", { lastTurn: end(11) }),
    session("unread late", { lastTurn: end(12) }),
  ];
  expect(arrange(sessions, { "read late": 5 }).done.map(({ id }) => id)).toEqual([
    "unread late",
    "unread early",
    "read late",
  ]);
});

test("events within a turn do not move a working session", () => {
  const later = { ...turn, startedAt: "2026-01-01T11:00:00.000Z" };
  const sessions = [session("busy", { turn, updatedAt: "2026-01-01T12:00:00.000Z" }), session("new", { turn: later })];
  expect(arrange(sessions, {}).working.map(({ id }) => id)).toEqual(["new", "busy"]);
});

test("appends new sessions to a frozen order", () => {
  const sessions = [session("new"), session("b"), session("a")];
  expect(keepOrder(["a", "gone", "b"], sessions).map(({ id }) => id)).toEqual(["a", "b", "new"]);
});

test("matches sessions whose card contains every word of the filter", () => {
  const view = session("a", {
    title: "Rates by zone",
    last: { seq: 1, at: "", kind: "agent", text: "All tests pass" },
  });
  const isShown = (text: string) => passes(view, { ...noFilters, text }, {});
  expect(isShown("zone TESTS")).toBe(true);
  expect(isShown("zone missing")).toBe(false);
});

test("shows archived sessions only under the archive filter", () => {
  const view = session("a", { archived: true });
  expect(passes(view, noFilters, {})).toBe(false);
  expect(passes(view, { ...noFilters, archived: true }, {})).toBe(true);
});

test("filters by unread, agent and folder", () => {
  const view = session("a");
  expect(passes(view, { ...noFilters, unread: true }, { a: 5 })).toBe(false);
  expect(passes(view, { ...noFilters, unread: true }, { a: 4 })).toBe(true);
  expect(passes(view, { ...noFilters, agent: "other" }, {})).toBe(false);
  expect(passes(view, { ...noFilters, folder: "/work/parcels" }, {})).toBe(true);
});

test("distinguishes folders of the same name by their parents", () => {
  const sessions = ["/a/web", "/b/web", "/b/api"].map((cwd) => session(cwd, { cwd }));
  expect(foldersOf(sessions).map(({ name }) => name)).toEqual(["a/web", "api", "b/web"]);
});

import type { Launch, SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { FakeBrowser } from "../store/testing/fake-browser.ts";

// The filters belong to the shown project, which is stored in the browser.
new FakeBrowser().install();
const { arrange, countSessions, keepOrder } = await import("./columns.ts");
const { foldersOf, noFilters, passes } = await import("./filters.ts");

function session(id: string, more: Partial<SessionView> = {}): SessionView {
  const at = "2026-01-01T10:00:00.000Z";
  const empty = { queue: [], sent: [], inputs: [], tools: [], subagents: [], grants: [], handles: {} };
  const counts = { turns: 1, raw: 0, lastSeq: 5, usage: {} as SessionView["usage"] };
  const base = { agent: "scripted", mode: "ask", cwd: "/work/parcels", archived: false } as const;
  return { id, title: id, createdAt: at, updatedAt: at, ...empty, ...counts, ...base, ...more };
}

const turn = { id: "trn_1", startedAt: "2026-01-01T10:00:00.000Z", trigger: "user", messages: [] };
const pendingInput = (id: string) =>
  ({ id, kind: "approval", title: "Write it?", blocking: true }) as SessionView["inputs"][number];

test("puts the sessions of a launch on one card, in the column of the most urgent one", () => {
  const slot = (id: string) => ({ session: id, agent: "scripted", name: id, state: "running" });
  const launch = {
    id: "lau_1",
    name: "rates",
    state: "running",
    createdAt: "",
    slots: [slot("a"), slot("b"), slot("c")],
  };
  const sessions = [session("a"), session("b", { turn }), session("c", { turn, inputs: [pendingInput("inp_1")] })];
  const arranged = arrange([...sessions, session("other")], [launch as unknown as Launch]);
  expect(arranged.needs_you).toMatchObject([
    { id: "lau_1", slots: [{}, {}, {}], status: { reason: "1 of 3, approval" } },
  ]);
  expect(arranged.done.map(({ id }) => id)).toEqual(["other"]);
  expect(countSessions(arranged.needs_you)).toBe(3);
  // A filter that leaves one session of a launch shows that session.
  expect(arrange([session("a")], [launch as unknown as Launch]).done.map(({ id }) => id)).toEqual(["a"]);
});

test("events within a turn do not move a working session", () => {
  const later = { ...turn, startedAt: "2026-01-01T11:00:00.000Z" };
  const sessions = [session("busy", { turn, updatedAt: "2026-01-01T12:00:00.000Z" }), session("new", { turn: later })];
  expect(arrange(sessions, []).working.map(({ id }) => id)).toEqual(["new", "busy"]);
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

test("a system note does not make a session unread", () => {
  const noted = session("a", { activity: { seq: 3, at: "" }, lastSeq: 9 });
  expect(passes(noted, { ...noFilters, unread: true }, { a: 3 })).toBe(false);
  expect(passes(noted, { ...noFilters, unread: true }, { a: 2 })).toBe(true);
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

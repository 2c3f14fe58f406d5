import { draft } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldRows, RowFold } from "./fold.ts";
import { anyLog, envelopes } from "./generated-log.fake.ts";
import type { Row } from "./row.ts";
import { defaultOpenness, shownRows } from "./shown-rows.ts";

const openKeys = (keys: string[]) => ({ allClosed: false, chosen: new Map(keys.map((key) => [key, true])) });
const rowsOf = (fold: RowFold, keys: string[] = []) => shownRows(fold.tree, openKeys(keys)).map(({ row }) => row);
const fold = (...drafts: Parameters<typeof envelopes>[0]) => new RowFold().add(envelopes(drafts));
const allRows = (own: RowFold): Row[] => {
  const walk = (keys: readonly string[]): Row[] =>
    keys.flatMap((key) => {
      const row = own.tree.get(key);
      return row ? [row, ...walk(own.tree.children(key))] : [];
    });
  return walk(own.tree.children());
};

const toolStart = (item: string, parent?: string) =>
  draft("tool.started", { item, name: "bash", kind: "execute", title: item, parent }, { turn: "trn_1" });
const toolEnd = (item: string) => draft("tool.ended", { item, status: "ok", exitCode: 0 }, { turn: "trn_1" });

describe("rows", () => {
  it("show a tool call as one row from start to end", () => {
    const rows = rowsOf(
      fold(
        toolStart("itm_1"),
        toolStart("itm_2"),
        draft("tool.updated", { item: "itm_1", patch: { output: "a" } }),
        toolEnd("itm_1"),
      ),
    );
    expect(rows).toMatchObject([
      { kind: "tool", item: "itm_1", status: "ok", output: "a", exitCode: 0 },
      { kind: "tool", item: "itm_2" },
    ]);
    expect(rows[0]?.events.map((event) => event.seq)).toEqual([1, 3, 4]);
  });

  it("omit a call whose start is not loaded", () => {
    expect(rowsOf(fold(toolEnd("itm_9"), draft("tool.updated", { item: "itm_9", patch: {} })))).toEqual([]);
  });

  it("replace a tool call by its subagent, with the subagent's work as children", () => {
    const own = fold(
      toolStart("itm_task"),
      draft("subagent.started", { id: "sub_1", parent: "itm_task", title: "Look" }),
      toolStart("itm_in", "sub_1"),
      draft("message.done", { item: "itm_said", text: "x", parent: "sub_1" }),
      toolEnd("itm_in"),
      draft("subagent.ended", { id: "sub_1", status: "ok", summary: "found" }),
      toolEnd("itm_task"),
      draft("message.done", { item: "itm_last", text: "y" }),
    );
    expect(rowsOf(own).map((row) => row.kind)).toEqual(["subagent", "message"]);
    expect(shownRows(own.tree, openKeys(["item:itm_task"])).map(({ row, depth }) => [row.kind, depth])).toEqual([
      ["subagent", 0],
      ["tool", 1],
      ["message", 1],
      ["message", 0],
    ]);
  });

  it("put work whose parent is not loaded under a placeholder row", () => {
    const own = fold(toolStart("itm_in", "sub_far"), toolEnd("itm_in"));
    expect(shownRows(own.tree, openKeys(["subagent:sub_far"])).map(({ row, depth }) => [row.key, depth])).toEqual([
      ["subagent:sub_far", 0],
      ["item:itm_in", 1],
    ]);
  });

  it("show a queued message where it is sent", () => {
    const user = (message: string) => draft("message.user", { message, text: message });
    const delivery = (message: string, state: "queued" | "sent" | "delivered") =>
      draft("message.delivery", { message, state });
    const done = draft("message.done", { item: "itm_1", text: "x" });
    const waiting = [user("msg_1"), delivery("msg_1", "sent"), user("msg_2"), delivery("msg_2", "queued"), done];
    expect(rowsOf(fold(...waiting)).map((row) => row.key)).toEqual(["message:msg_1", "item:itm_1"]);
    const taken = rowsOf(fold(...waiting, delivery("msg_2", "sent")));
    expect(taken.map((row) => row.key)).toEqual(["message:msg_1", "item:itm_1", "message:msg_2"]);
  });

  it("show one row per limit, and leave a refused message in its place", () => {
    const failure = { category: "rate_limit", message: "slow down", retryable: true, remedy: "Wait." } as const;
    const attempt = (turn: string) => [
      draft("message.delivery", { message: "msg_1", state: "sent" }, { turn }),
      draft("turn.started", { trigger: "user", messages: ["msg_1"] }, { turn }),
      draft("message.delivery", { message: "msg_1", state: "delivered" }, { turn }),
    ];
    const refused = (turn: string, withError: boolean) => [
      ...attempt(turn),
      ...(withError ? [draft("error", failure, { turn })] : []),
      draft("message.delivery", { message: "msg_1", state: "queued", position: 0, reason: "refused" }, { turn }),
      draft("turn.ended", { outcome: "failed", error: failure }, { turn }),
      draft("limit.reached", { provider: "acme", limit: "lim_acme", resetsAt: "2026-11-18T15:58:00.000Z" }),
      draft("diff.updated", { files: [], before: "c0", after: "c0" }, { turn }),
    ];
    const cleared = draft("limit.cleared", { provider: "acme", limit: "lim_acme" });
    const first = [draft("message.user", { message: "msg_1", text: "Do it" }), ...refused("trn_1", false)];
    const again = [...first, cleared, ...refused("trn_2", true), cleared, ...refused("trn_3", false)];
    expect(rowsOf(fold(...again))).toMatchObject([
      { kind: "user", text: "Do it", delivery: "queued" },
      { kind: "limit", ended: false, refusals: 3, failure: { message: "slow down" } },
    ]);
    const answered = [
      ...again,
      cleared,
      ...attempt("trn_4"),
      draft("message.done", { item: "itm_1", text: "done" }, { turn: "trn_4" }),
      draft("turn.ended", { outcome: "completed" }, { turn: "trn_4" }),
    ];
    expect(rowsOf(fold(...answered))).toMatchObject([
      { kind: "user", delivery: "delivered" },
      { kind: "limit", ended: true, refusals: 3 },
      { kind: "message" },
      { kind: "turn", ended: { outcome: "completed" } },
    ]);
  });

  it("show another limit, and one after other work, as separate rows", () => {
    const limit = (id: string) => draft("limit.reached", { provider: id, limit: id });
    const cleared = (id: string) => draft("limit.cleared", { provider: id, limit: id });
    const work = draft("message.done", { item: "itm_1", text: "x" });
    const rows = rowsOf(fold(limit("a"), cleared("a"), limit("b"), cleared("b"), work, limit("b")));
    expect(rows.map((row) => row.kind)).toEqual(["limit", "limit", "message", "limit"]);
  });

  it("claim no file of a shared folder that no tool of the session reported", () => {
    const turn = { turn: "trn_1" };
    const own = { path: "/work/src/own.ts", kind: "update" as const };
    const files = ["src/own.ts", "src/other.ts", "own.ts"].map((path) => ({ path, kind: "update" as const }));
    const events = [
      draft("tool.ended", { item: "itm_1", status: "ok", changes: [own] }, turn),
      draft("turn.ended", { outcome: "completed" }, turn),
    ];
    const diff = (shared?: string[]) => draft("diff.updated", { files, before: "c0", after: "c1", shared }, turn);
    const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);
    const [alone] = rowsOf(fold(...events, diff())).filter((row) => row.kind === "turn");
    expect([paths(alone!.changes), paths(alone!.unattributed)]).toEqual([paths(files), []]);
    const [shared] = rowsOf(fold(...events, diff(["ses_b"]))).filter((row) => row.kind === "turn");
    expect([paths(shared!.changes), paths(shared!.unattributed)]).toEqual([["src/own.ts"], ["src/other.ts", "own.ts"]]);
  });

  it("update a plan with unchanged steps in its row", () => {
    const plan = (...statuses: ("pending" | "completed")[]) =>
      draft(
        "plan.updated",
        { entries: statuses.map((status, i) => ({ text: `step ${i}`, status })) },
        { turn: "trn_1" },
      );
    const rows = rowsOf(fold(plan("pending", "pending"), plan("completed", "pending"), plan("pending")));
    expect(rows.map((row) => row.kind === "plan" && row.plan.entries.map((entry) => entry.status))).toEqual([
      ["completed", "pending"],
      ["pending"],
    ]);
  });

  it("show a turn's changes at its end, and its failure only if no row has shown it", () => {
    const failure = { category: "auth", message: "expired", retryable: false, remedy: "Log in." } as const;
    const end = draft("turn.ended", { outcome: "failed", error: failure }, { turn: "trn_1" });
    const diff = draft("diff.updated", { files: [{ path: "a", kind: "add" }] }, { turn: "trn_1" });
    expect(rowsOf(fold(diff, end)).at(-1)).toMatchObject({ changes: [{ path: "a" }], failure });
    expect(rowsOf(fold(draft("error", failure, { turn: "trn_1" }), end)).at(-1)).toMatchObject({ failure: undefined });
  });

  it("prefer the checkpoint diff of a turn to the changes the agent reported", () => {
    const turn = { turn: "trn_1" };
    const begin = draft("diff.updated", { files: [], before: "c0" }, turn);
    const reported = draft("diff.updated", { files: [{ path: "a", kind: "add" }] }, turn);
    const end = draft("turn.ended", { outcome: "completed" }, turn);
    const files = [{ path: "b", kind: "add" as const }];
    const exact = draft("diff.updated", { files, before: "c0", after: "c1" }, turn);
    const back = { files, before: "c1", after: "c0", revert: { to: "before" as const, undo: "job_1" } };
    const revert = draft("diff.updated", { ...back, turn: "trn_1" });
    expect(rowsOf(fold(begin, reported, end)).at(-1)).toMatchObject({ changes: [{ path: "a" }] });
    expect(rowsOf(fold(begin, reported, end, exact, revert))).toMatchObject([
      { kind: "turn", changes: [{ path: "b" }], checkpointed: true },
      { kind: "note", text: "Reverted 1 file to the state before the turn." },
    ]);
  });

  it("replace a retracted message by a note", () => {
    const rows = rowsOf(
      fold(draft("message.done", { item: "itm_1", text: "x" }), draft("message.retracted", { items: ["itm_1"] })),
    );
    expect(rows.map((row) => row.kind)).toEqual(["note"]);
  });
});

describe("any log", () => {
  it("gives the same rows one event at a time and all at once", () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const one = new RowFold();
        for (const event of log) one.add([event]);
        expect(allRows(one)).toEqual(allRows(new RowFold().add(log)));
      }),
    );
  });

  it("gives a row that is fully loaded the same content in every window", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(60), (log, cut) => {
        const whole = new Map(allRows(new RowFold().add(log)).map((row) => [row.key, row]));
        const rest = log.slice(cut);
        const first = rest[0]?.seq ?? 0;
        for (const row of allRows(new RowFold().add(rest))) {
          const same = whole.get(row.key);
          if (!same || same.events.length === 0 || same.events.some((event) => event.seq < first)) continue;
          // These rows may refer to events before the window.
          if (row.kind === "turn" || row.kind === "stalled" || row.kind === "raw") continue;
          expect(row).toEqual(same);
        }
      }),
    );
  });

  it("shows each row once and reuses unaffected rows when the window grows", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(60), (log, cut) => {
        const own = new RowFold().add(log.slice(cut));
        const before = new Map(allRows(own).map((row) => [row.key, row]));
        const grown = foldRows(log, own);
        const rows = allRows(grown);
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
        for (const row of rows) {
          const known = before.get(row.key);
          const unchanged = known?.kind === row.kind && known.events.length === row.events.length;
          if (unchanged && known.events.every((event, i) => event === row.events[i])) expect(row).toBe(known);
        }
        expect(shownRows(grown.tree, defaultOpenness).length).toBeLessThanOrEqual(rows.length);
      }),
    );
  });
});

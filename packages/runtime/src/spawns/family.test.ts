import { draft } from "@gantry/protocol";
import { expect, it } from "vitest";
import { findOverspent } from "../limits/budgets.ts";
import { Script, turnEnd } from "../log/testing/events.ts";
import { TemporaryStore } from "../log/testing/temporary-store.ts";
import { Family } from "./family.ts";

const home = new TemporaryStore();

function begin(id: string, usd: number, parent?: string): void {
  const script = new Script(id);
  const depth = parent === "ses_root" ? 1 : 2;
  const spawn = parent ? { parent, spawn: { root: "ses_root", depth, wake: true } } : {};
  const created = draft("session.created", { agent: "fake", cwd: "/", title: id, mode: "ask" as const, ...spawn });
  const records = parent ? [{ kind: "spawn", id, value: { session: id, parent, root: "ses_root" } }] : [];
  home.store.commit({ session: id, events: script.add(created, turnEnd(1, { usd })), records });
}

it("finds ancestors and descendants", () => {
  begin("ses_root", 1);
  begin("ses_a", 1, "ses_root");
  begin("ses_b", 1, "ses_a");
  begin("ses_other", 1);
  const family = new Family(home.store);
  expect(family.listAncestors("ses_b").map(({ id }) => id)).toEqual(["ses_a", "ses_root"]);
  expect(family.listDescendants("ses_root").map(({ id }) => id)).toEqual(["ses_a", "ses_b"]);
  expect([family.isBelow("ses_b", "ses_root"), family.isBelow("ses_root", "ses_b")]).toEqual([true, false]);
  expect(family.isBelow("ses_other", "ses_root")).toBe(false);
});

it("counts the cost of descendants against the root's budget, and holds any of them before a turn", () => {
  begin("ses_root", 1);
  begin("ses_a", 2, "ses_root");
  begin("ses_b", 3, "ses_a");
  begin("ses_other", 9);
  const family = new Family(home.store);
  const holdSession = (id: string, usd: number) => {
    const view = family.view(id)!;
    return findOverspent(view, { sessionUsd: usd }, () => ({ usd: 0, unpriced: 0 }), new Date(), family.kin(view))
      ?.text;
  };
  expect(family.kin(family.view("ses_other")!)).toBeUndefined();
  expect([holdSession("ses_root", 7), holdSession("ses_b", 7)]).toEqual([undefined, undefined]);
  for (const id of ["ses_root", "ses_a", "ses_b"])
    expect(holdSession(id, 5.5)).toMatch(/ses_root and the sessions that it started have used \$6\.00/);
  // Uses the view of the current step, not the stored one.
  const view = { ...family.view("ses_b")!, cost: { usd: 10, source: "agent" as const } };
  expect(family.kin(view)?.usd()).toBe(13);
});

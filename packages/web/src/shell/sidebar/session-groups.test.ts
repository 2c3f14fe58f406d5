import type { SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { groupByFolder } from "./session-groups.ts";

function session(id: string, cwd: string, hour: number, more: Partial<SessionView> = {}): SessionView {
  const endedAt = `2026-01-01T${hour}:00:00.000Z`;
  return { id, cwd, inputs: [], lastTurn: { id: "t", outcome: "completed", endedAt }, ...more } as SessionView;
}

test("orders folders and sessions by last activity, with pending inputs first", () => {
  const asks = { inputs: [{ id: "inp_1" }] } as Partial<SessionView>;
  const groups = groupByFolder([
    session("old", "/work/api", 10),
    session("new", "/work/web", 12),
    session("older", "/work/web", 11),
    session("asks", "/work/web", 10, asks),
  ]);
  expect(groups.map(({ name, sessions }) => [name, ...sessions.map(({ id }) => id)])).toEqual([
    ["web", "asks", "new", "older"],
    ["api", "old"],
  ]);
});

test("does not move a session for events within a turn", () => {
  const busy = session("busy", "/w", 10, { updatedAt: "2026-01-01T15:00:00.000Z" });
  const [group] = groupByFolder([busy, session("later", "/w", 11)]);
  expect(group?.sessions.map(({ id }) => id)).toEqual(["later", "busy"]);
});

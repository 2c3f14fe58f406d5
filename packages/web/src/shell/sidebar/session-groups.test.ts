import type { SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { groupSessions } from "./session-groups.ts";

function session(id: string, cwd: string, hour: number, more: Partial<SessionView> = {}): SessionView {
  const endedAt = `2026-01-01T${hour}:00:00.000Z`;
  const empty = { inputs: [], queue: [], archived: false, createdAt: endedAt };
  return { id, cwd, ...empty, lastTurn: { id: "t", outcome: "completed", endedAt }, ...more } as unknown as SessionView;
}

const shape = (sessions: SessionView[]) =>
  groupSessions(sessions).map(({ name, count, folders }) => [
    name,
    count,
    ...folders.map((folder) => [folder.name, ...folder.sessions.map(({ id }) => id)]),
  ]);

test("groups sessions by state, and those that are done by folder, latest first", () => {
  const turn = { id: "t", startedAt: "2026-01-01T09:00:00.000Z" } as SessionView["turn"];
  const failed = { id: "t", outcome: "failed", endedAt: "2026-01-01T08:00:00.000Z" };
  const input = { id: "inp_1", kind: "approval", title: "?", requestedAt: "2026-01-01T12:00:00.000Z" };
  expect(
    shape([
      session("old", "/work/api", 10),
      session("new", "/work/web", 12),
      session("older", "/work/web", 11),
      session("failed", "/work/web", 10, { lastTurn: failed }),
      session("asks", "/work/api", 10, { inputs: [input] } as Partial<SessionView>),
      session("works", "/work/api", 10, { turn }),
    ]),
  ).toEqual([
    ["Needs you", 2, ["", "asks", "failed"]],
    ["Working", 1, ["", "works"]],
    ["Done", 3, ["web", "new", "older"], ["api", "old"]],
  ]);
});

test("does not move a session for a system note", () => {
  const noted = session("noted", "/w", 10, { updatedAt: "2026-01-01T15:00:00.000Z", lastSeq: 99 });
  expect(shape([noted, session("later", "/w", 11)])).toEqual([["Done", 2, ["w", "later", "noted"]]]);
});

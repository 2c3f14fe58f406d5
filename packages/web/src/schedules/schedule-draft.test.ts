import type { Schedule } from "@gantry/protocol";
import { expect, it } from "vitest";
import { changesOf, draftOfSchedule, newSchedule } from "./schedule-draft.ts";

const schedule: Schedule = {
  id: "sch_1",
  session: "ses_1",
  text: "look again",
  every: 7200,
  enabled: true,
  runs: 0,
  misses: 0,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

it("changes nothing if the form is unchanged", () => {
  expect(changesOf(schedule, draftOfSchedule(schedule), { text: schedule.text })).toBeUndefined();
});

it("changes exactly the fields that differ", () => {
  const draft = draftOfSchedule(schedule);
  const when = { kind: "every", every: "1h30m" } as const;
  expect(changesOf(schedule, { ...draft, when, note: " build " }, { text: "and now?" })).toEqual({
    text: "and now?",
    every: 5400,
    note: "build",
  });
  const attachments = [{ name: "a.txt", data: "YQ==" }];
  expect(changesOf(schedule, { ...draft, delivery: "interrupt" }, { text: schedule.text, attachments })).toEqual({
    attachments,
    delivery: "interrupt",
  });
});

it("restarts a finished schedule when it gets a new time", () => {
  const { every: _, ...once } = { ...schedule, at: "2026-01-01T00:00:00.000Z", enabled: false, reason: "It has run." };
  const draft = { ...draftOfSchedule(once), when: { kind: "after", session: "ses_2", outcome: "failed" } as const };
  expect(changesOf(once, draft, { text: once.text })).toEqual({
    after: { session: "ses_2", outcome: "failed" },
    enabled: true,
  });
});

it("makes a request only from a complete form", () => {
  const draft = draftOfSchedule({ ...schedule, session: undefined });
  const create = { agent: "codex", cwd: "/project", lane: undefined, folders: [], title: " ", instructions: "" };
  expect(newSchedule({ ...draft, create: { ...create, cwd: undefined } }, { text: "x" })).toBeUndefined();
  expect(newSchedule({ ...draft, create }, { text: " " })).toBeUndefined();
  expect(newSchedule({ ...draft, create }, { text: "x" })).toEqual({
    create: { agent: "codex", cwd: "/project", lane: undefined },
    text: "x",
    every: 7200,
  });
  expect(newSchedule({ ...draft, create: { ...create, lane: "lan_1" } }, { text: "x" })?.create).not.toHaveProperty(
    "cwd",
  );
  expect(newSchedule({ ...draft, delivery: "queue" }, { text: "x" }, "ses_1")).toMatchObject({
    session: "ses_1",
    delivery: "queue",
  });
});

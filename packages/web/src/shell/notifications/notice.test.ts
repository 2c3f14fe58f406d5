import type { Envelope, SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { noticeFor } from "./notice.ts";

const session = { id: "ses_1", title: "Rates", inputs: [], queue: [] } as unknown as SessionView;

function event(type: string, data: unknown): Envelope {
  return { v: 1, session: "ses_1", seq: 1, at: "2026-01-01T10:00:00.000Z", type, data } as Envelope;
}

const asked = event("input.requested", { id: "inp_1", title: "Write it?" });
const ended = (outcome: string, error?: unknown) => event("turn.ended", { outcome, error });

test("an input is told of while it is pending", () => {
  const pending = { ...session, inputs: [{ id: "inp_1" }] } as SessionView;
  expect(noticeFor(asked, pending)).toMatchObject({ body: "Needs you: Write it?", path: "/s/ses_1" });
  expect(noticeFor(asked, session)).toBeUndefined();
});

test("a turn that ended is told with its last line, a failed one with its reason", () => {
  const said = { ...session, last: { seq: 1, at: "", kind: "agent", text: "All pass" } } as SessionView;
  expect(noticeFor(ended("completed"), said)?.body).toBe("All pass");
  expect(noticeFor(ended("failed", { message: "no login" }), said)?.body).toBe("Failed: no login");
});

test("nothing is told of a turn that was stopped or that the queue goes on after", () => {
  expect(noticeFor(ended("interrupted"), session)).toBeUndefined();
  const queued = { ...session, queue: [{ message: "msg_1" }] } as SessionView;
  expect(noticeFor(ended("completed"), queued)).toBeUndefined();
});

import type { Envelope, SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { noticeFor } from "./notice.ts";

const session = { id: "ses_1", title: "Rates", inputs: [], queue: [] } as unknown as SessionView;

function event(type: string, data: unknown): Envelope {
  return { v: 1, session: "ses_1", seq: 1, at: "2026-01-01T10:00:00.000Z", type, data } as Envelope;
}

const asked = event("input.requested", { id: "inp_1", title: "Write it?" });
const turnEnd = (outcome: string, error?: unknown) => event("turn.ended", { outcome, error });

test("notifies about an input only while it is pending", () => {
  const pending = { ...session, inputs: [{ id: "inp_1", title: "Write it?" }] } as SessionView;
  expect(noticeFor(asked, pending)).toMatchObject({ body: "Needs you: Write it?", path: "/s/ses_1" });
  expect(noticeFor(asked, session)).toBeUndefined();
});

test("shows the last line of an ended turn, and the reason of a failed one", () => {
  const view = { ...session, last: { seq: 1, at: "", kind: "agent", text: "All pass" } } as SessionView;
  expect(noticeFor(turnEnd("completed"), view)?.body).toBe("All pass");
  expect(noticeFor(turnEnd("failed", { message: "no login" }), view)?.body).toBe("Failed: no login");
});

test("does not notify about a turn that was stopped or is followed by a queued message", () => {
  expect(noticeFor(turnEnd("interrupted"), session)).toBeUndefined();
  const queued = { ...session, queue: [{ message: "msg_1" }] } as SessionView;
  expect(noticeFor(turnEnd("completed"), queued)).toBeUndefined();
});

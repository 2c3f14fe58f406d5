import type { Envelope, SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { announcementOf, joinAnnouncements } from "./announcement.ts";

const session = { id: "ses_1", title: "Rates" } as SessionView;
const event = (type: string, data: unknown) => ({ v: 1, session: "ses_1", seq: 1, at: "", type, data }) as Envelope;

describe("announcements for screen readers", () => {
  it("read out an answer without its Markdown, and cut a long one", () => {
    expect(announcementOf(event("message.done", { text: "All **tests** pass" }), session, true)).toBe("All tests pass");
    const long = announcementOf(event("message.done", { text: "word ".repeat(1000) }), session, true);
    expect(long?.length).toBeLessThan(310);
  });

  it("leave out messages of subagents, tools, notes and other sessions", () => {
    for (const quiet of [
      event("message.done", { text: "from below", parent: "itm_1" }),
      event("tool.started", { title: "Read" }),
      event("notice", { text: "main moved" }),
      event("turn.ended", { outcome: "interrupted" }),
    ])
      expect(announcementOf(quiet, session, true)).toBeUndefined();
    expect(announcementOf(event("message.done", { text: "elsewhere" }), session, false)).toBeUndefined();
  });

  it("report requests and failures of every session, with its title if it is not open", () => {
    const asked = event("input.requested", { id: "inp_1", title: "Write hello.txt" });
    expect(announcementOf(asked, session, true)).toBe("Needs you: Write hello.txt");
    expect(announcementOf(asked, session, false)).toBe("Rates: Needs you: Write hello.txt");
    const failed = event("turn.ended", { outcome: "failed", error: { message: "no login" } });
    expect(announcementOf(failed, session, false)).toBe("Rates: Failed: no login");
  });

  it("count a flood and read out its last text", () => {
    expect(joinAnnouncements(["a", "b"])).toBe("a\nb");
    expect(joinAnnouncements(["a", "b", "c", "d"])).toBe("4 new messages. d");
  });
});

import type { LiveProcess } from "@gantry/protocol";
import { expect, it } from "vitest";
import { idleText } from "./idle-text.ts";

const now = Date.parse("2026-11-17T12:00:00Z");
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
const process = (more: Partial<LiveProcess>): LiveProcess => ({
  session: "ses_1",
  title: "One",
  agent: "scripted",
  state: "idle",
  ...more,
});

it("formats how long a process is idle and when it is released", () => {
  expect(idleText(process({ idleSince: at(-42.4), releaseAt: at(258) }), now)).toBe(
    "idle for 42 s, released in 4 min 18 s",
  );
  expect(idleText(process({ idleSince: at(0), releaseAt: at(-3) }), now)).toBe("idle for 1 s, released now");
  expect(idleText(process({ state: "busy" }), now)).toBeUndefined();
});

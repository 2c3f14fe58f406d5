import type { Envelope } from "@gantry/protocol";
import { expect, test } from "vitest";
import { gemini } from "../../agents/gemini/descriptor.ts";
import { qwen } from "../../agents/qwen/descriptor.ts";
import { resumeDelayMs } from "./launch-for-session.ts";

const at = (time: string, handles: Record<string, string>) =>
  ({ at: `2026-11-15T${time}Z`, type: "session.updated", data: { patch: { handles } } }) as unknown as Envelope;
const now = (time: string) => Date.parse(`2026-11-15T${time}Z`);
const conversation = { agent: "gemini", handle: "second" };
const log = [at("10:00:05.000", { gemini: "first" }), at("10:07:40.500", { gemini: "second" })];
const [careful] = gemini.channels;
const [careless] = qwen.channels;

test("delays a resume until the end of the minute in which the conversation was opened", () => {
  if (!careful) throw new Error("no channel");
  expect(resumeDelayMs(careful, conversation, log, now("10:07:50.000"))).toBe(10_000);
  expect(resumeDelayMs(careful, conversation, log, now("10:08:00.000"))).toBe(0);
  expect(resumeDelayMs(careful, { ...conversation, handle: "first" }, log, now("10:07:50.000"))).toBe(0);
});

test("does not delay a new conversation, or an agent without such a delay", () => {
  if (!careful || !careless) throw new Error("no channel");
  expect(resumeDelayMs(careful, { ...conversation, handle: undefined }, log, now("10:07:50.000"))).toBe(0);
  expect(resumeDelayMs(careless, conversation, log, now("10:07:50.000"))).toBe(0);
});

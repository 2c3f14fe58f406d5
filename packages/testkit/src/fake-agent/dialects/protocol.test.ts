import { eventTable } from "@gantry/protocol";
import { asObject, asText, type Json } from "@gantry/scripted/json";
import { afterEach, expect, test, vi } from "vitest";
import { type Driver, drive } from "../testing/driver.ts";

vi.setConfig({ testTimeout: 60_000 });

let driver: Driver;
afterEach(() => driver.dispose());

/** The fields that the host adds. */
const FROM_THE_HOST: Record<string, Json> = {
  "turn.started": { trigger: "user", messages: [] },
  "input.requested": { session: "ses_1" },
};

test("emits only events that are valid in Gantry's protocol", async () => {
  driver = drive("scripted");
  await driver.start();
  const names = [
    "",
    "think",
    "multi",
    "edit",
    "ask",
    "plan",
    "todo",
    "subagent",
    "bashfail",
    "error:quota",
    "burst:50",
  ];
  for (const [index, name] of names.entries()) {
    const ends = () => driver.agent.frames.filter(driver.isTurnEnd).length;
    driver.prompt(name ? `[[${name}]]` : "hello");
    const answered = new Set<Json>();
    while (ends() <= index) {
      const frame = await driver.agent.waitFor(
        (candidate) => ends() > index || (driver.isRequest(candidate) && !answered.has(candidate)),
      );
      if (driver.isRequest(frame) && !answered.has(frame)) driver.answer(frame, true);
      answered.add(frame);
    }
  }
  const events = driver.agent.frames.filter((frame) => frame.type === "event").map((frame) => asObject(frame.event));
  for (const event of events) {
    const type = asText(event.type) as keyof typeof eventTable;
    const parsed = eventTable[type].safeParse({ ...asObject(event.data), ...FROM_THE_HOST[type] });
    expect(parsed.success, `${type}: ${parsed.error?.message} in ${JSON.stringify(event.data)}`).toBe(true);
  }
  expect(new Set(events.map((event) => event.type)).size).toBeGreaterThan(12);
});

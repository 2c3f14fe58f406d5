import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope } from "@gantry/protocol";
import { afterEach, expect, test } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { faults } from "./engine/testing/engine.fake.ts";

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function start(options: ConstructorParameters<typeof TestDaemon>[0]): Promise<TestDaemon> {
  const daemon = new TestDaemon(options);
  open.push(daemon);
  return daemon.start();
}

function lastTurnEnd(events: readonly Envelope[]): Envelope<"turn.ended">["data"] | undefined {
  return events.findLast((event) => event.type === "turn.ended")?.data as Envelope<"turn.ended">["data"] | undefined;
}

test("a Stop that the agent ignores takes effect after a restart of the daemon", async () => {
  const config = "deadlines: { interruptSeconds: 4, stopSeconds: 1, turnSeconds: 600 }\n";
  const daemon = await start({ faults: ["ignore-interrupt"], config });
  const { id } = await daemon.session("scripted", "[[slow:2000:50]] go");
  await daemon.waitUntil(id, (session) => session.lastSeq > 6);
  expect(await daemon.client.sessions.interrupt(id)).toMatchObject({ interrupted: true });
  await daemon.stop("keep");
  await daemon.start();
  await daemon.waitForIdle(id);
  const events = await daemon.log(id);
  expect(lastTurnEnd(events)).toMatchObject({ outcome: "interrupted", reason: expect.stringContaining("within 4 s") });
  expect(faults(events)).toEqual({ broken: [], open: [] });
});

test("the first-output deadline of a silent agent survives a restart of the daemon", async () => {
  const config = "deadlines: { firstOutputSeconds: 4, stopSeconds: 1, turnSeconds: 600 }\n";
  const daemon = await start({ faults: ["hang"], config });
  const { id } = await daemon.session("scripted", "[[text]] go");
  await daemon.waitUntil(id, (session) => session.handles.scripted !== undefined);
  await sleep(500);
  await daemon.stop("keep");
  await daemon.start();
  await daemon.waitForIdle(id);
  const events = await daemon.log(id);
  expect(lastTurnEnd(events)).toMatchObject({ outcome: "failed", error: { category: "timeout" } });
  expect(faults(events)).toEqual({ broken: [], open: [] });
});

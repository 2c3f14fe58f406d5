import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { Output } from "../../../agents/contract.ts";
import type { DeadlineSettings } from "../state.ts";
import { EngineBench } from "./engine.fake.ts";

let bench: EngineBench;
let time: number;
beforeEach(() => start());

function start(): void {
  bench = new EngineBench();
  time = Date.parse("2026-01-01T00:00:00.000Z");
  const deadlines = { turnSeconds: 600, idleSeconds: 600 } as DeadlineSettings;
  Object.assign(bench.context, { deadlines, now: () => new Date(time).toISOString() });
  send("msg_1");
}

function send(id: string): void {
  bench.apply("send", { message: { id, text: "go", attachments: [], delivery: "auto", author: "user" } });
}

const finish: Output = { kind: "finish", outcome: "completed" };
const delta: Output = { kind: "delta", item: "itm_1", channel: "text", text: "hello" };
const activity: Output = { kind: "activity", state: "thinking" };
const done: Output = { kind: "event", event: { type: "message.done", data: { item: "itm_2", text: "hi" } } };
const notice: Output = { kind: "event", event: { type: "notice", data: { kind: "x", severity: "info", text: "t" } } };
const failed = { category: "network", message: "m", retryable: true, remedy: "r" } as const;
const error: Output = { kind: "event", event: { type: "error", data: failed } };
const ends = () => bench.events.flatMap((event) => (event.type === "turn.ended" ? [event.data.ttftMs] : []));

it("is the time of the first output of each turn, and absent for a turn without output", () => {
  const step = fc.record({ wait: fc.nat(5000), output: fc.constantFrom(delta, done, activity, notice, error) });
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), (turns) => {
      start();
      const expected: (number | undefined)[] = [];
      turns.forEach((steps, index) => {
        if (index > 0) send(`msg_${index + 1}`);
        const began = time;
        let first: number | undefined;
        for (const { wait, output } of steps) {
          time += wait;
          bench.output(output);
          if (output === delta || output === done) first ??= time - began;
        }
        bench.output(finish);
        expected.push(first);
      });
      expect(ends()).toEqual(expected);
      expect(bench.view.lastTurn?.ttftMs).toBe(expected.at(-1));
    }),
  );
});

it("stays with a turn whose process ends, and is not measured in a recording", () => {
  time += 700;
  bench.output(delta);
  time += 100;
  bench.apply("processExited", { code: 1, signal: null });
  expect(ends()).toEqual([700]);
  start();
  Object.assign(bench.context, { deadlines: undefined });
  time += 10;
  bench.output(delta, finish);
  expect(ends()).toEqual([undefined]);
});

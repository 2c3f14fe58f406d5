import { PassThrough } from "node:stream";
import type { Model, ModelRequest, StreamEvent } from "@gantry/models";
import { expect, test } from "vitest";
import { paceStream } from "./pace-stream.ts";
import { createFrameWriter } from "./writer.ts";

const requestWith = (signal: AbortSignal) => ({ signal }) as ModelRequest;
const turns = async (rounds: number) => {
  for (let n = 0; n < rounds; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A model without an end, whose pieces go to a client that does not read. */
function flood() {
  const client = new PassThrough({ highWaterMark: 1000 });
  const writer = createFrameWriter(client, 10_000);
  let made = 0;
  const stream = paceStream(async function* (): AsyncGenerator<StreamEvent> {
    for (;;) {
      made += 1;
      await new Promise((resolve) => setImmediate(resolve));
      yield { type: "text_delta", index: 0, delta: "x".repeat(1000) };
    }
  }, writer);
  const abort = new AbortController();
  const done = (async () => {
    for await (const event of stream({} as Model, requestWith(abort.signal))) {
      writer.send(event);
      if (abort.signal.aborted) return;
    }
  })();
  return { client, writer, abort, done, made: () => made };
}

test("pauses the model stream while the client does not read, and resumes afterwards", async () => {
  const { client, writer, abort, done, made } = flood();
  await turns(200);
  expect(writer.full).toBe(true);
  const before = made();
  expect(before).toBeLessThan(60);
  await turns(200);
  expect(made()).toBe(before);
  client.resume();
  await turns(200);
  expect(made()).toBeGreaterThan(before + 20);
  abort.abort();
  await done;
});

test("ends on abort while the client does not read", async () => {
  const { writer, abort, done } = flood();
  await turns(200);
  expect(writer.full).toBe(true);
  abort.abort();
  await done;
});

test("continues when the client disconnects", async () => {
  const { client, writer, abort, done } = flood();
  await turns(200);
  client.destroy();
  await writer.waitForRoom();
  expect(writer.full).toBe(false);
  abort.abort();
  await done;
});

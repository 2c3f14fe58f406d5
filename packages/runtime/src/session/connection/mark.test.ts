import { foldSession } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { Agent } from "../../agents/contract.ts";
import { EngineBench, fakeChannel, fakeConversation } from "../engine/testing/engine.fake.ts";
import { encodeMark, restoreConversation } from "./mark.ts";

const agent = { channels: [fakeChannel] } as unknown as Agent;
const view = foldSession(undefined, new EngineBench().events[0] as never);
const restore = (mark: string) =>
  restoreConversation(
    agent,
    view,
    { process: "p", session: "s", offset: 5, errOffset: 0, mark, markOffset: 5 },
    "",
    99,
  );

test("restores the conversation, the open items and the durable deadlines", () => {
  const open = new Map([["itm_1 text", { item: "itm_1", channel: "text" as const, text: "half", length: 4 }]]);
  const interrupt = { at: 1234, seconds: 5 };
  const conversation = fakeConversation({ prompted: ["msg_1"], preface: "before", pinnedHash: "h" });
  const mark = encodeMark(conversation, open, { interrupt, silence: { at: 99, seconds: 1 } });
  const restored = restore(mark);
  expect(restored).toEqual({ conversation: { ...conversation, offset: 5 }, open, deadlines: { interrupt } });
});

test("reads marks of the version before, whose agents may still run", () => {
  const mark = { channel: "fake", state: {}, ready: true, told: ["msg_1"], standing: "h", parting: true, open: [] };
  const { conversation, deadlines } = restore(JSON.stringify(mark)) ?? {};
  expect(conversation).toMatchObject({ ready: true, prompted: ["msg_1"], pinnedHash: "h", closing: true });
  expect(deadlines).toEqual({});
});

test("refuses the mark of an unknown channel", () => {
  expect(restore(JSON.stringify({ channel: "other", state: {}, ready: true, prompted: [], open: [] }))).toBeUndefined();
});

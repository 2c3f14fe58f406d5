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

test("reads a mark of an earlier version, whose agent may still run", () => {
  const state = {
    turn: { said: true, told: true, counting: { said: "12 tokens" } }, // prose-ignore: fields of earlier marks
    tools: { a: { name: "edit", told: { title: "x" } }, b: { name: "run", told: true } }, // prose-ignore: as above
    asks: { "1": { kept: { id: 3 } } }, // prose-ignore: as above
    heard: ["m1"], // prose-ignore: as above
  };
  const texts = { told: ["msg_1"], standing: "h", parting: true }; // prose-ignore: as above
  const { conversation, deadlines } =
    restore(JSON.stringify({ channel: "fake", state, ready: true, ...texts, open: [] })) ?? {};
  expect(conversation).toMatchObject({ ready: true, prompted: ["msg_1"], pinnedHash: "h", closing: true });
  expect(conversation?.state).toEqual({
    turn: { hasOutput: true, sentReasons: true, counting: { reply: "12 tokens" } },
    tools: { a: { name: "edit", published: { title: "x" } }, b: { name: "run", hasInput: true } },
    asks: { "1": { data: { id: 3 } } },
    received: ["m1"],
  });
  expect(deadlines).toEqual({});
});

test("refuses the mark of an unknown channel", () => {
  expect(
    restore(JSON.stringify({ version: 2, channel: "other", state: {}, ready: true, prompted: [], open: [] })),
  ).toBeUndefined();
});

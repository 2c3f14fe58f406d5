import { failure, type Offer } from "@gantry/protocol";
import { expect, it } from "vitest";
import { EngineBench } from "./engine.fake.ts";
import { takeOutput } from "./outputs.ts";
import { sendMessage } from "./queue.ts";

const offer: Offer = {
  kind: "login",
  agent: "scripted",
  title: "Log in",
  command: ["scripted", "login"],
  display: "scripted login",
};
const refused = failure("auth", "Not logged in");

function running(): EngineBench {
  const bench = new EngineBench();
  bench.context.agent.loginOffer = () => offer;
  const message = { id: "msg_1", text: "hi", attachments: [], delivery: "auto" as const, author: "user" };
  bench.do((step) => sendMessage(step, message, "ready"));
  return bench;
}

const finish = (error: typeof refused) => ({ kind: "finish" as const, outcome: "failed" as const, error });
const errorsOf = (bench: EngineBench) => bench.events.flatMap((event) => (event.type === "error" ? [event.data] : []));

it("a turn that fails for want of a login tells the command, also by an event of its own", () => {
  const bench = running();
  bench.do((step) => takeOutput(step, finish(refused)));
  const told = { ...refused, offer, remedy: expect.stringContaining("`scripted login`") };
  expect(bench.events.at(-1)).toMatchObject({ type: "turn.ended", data: { error: told } });
  expect(errorsOf(bench)).toEqual([told]);
});

it("what the agent's own error has told already is not told twice, also in a later read", () => {
  const bench = running();
  bench.do((step) => takeOutput(step, { kind: "event", event: { type: "error", data: refused } }));
  bench.do((step) => takeOutput(step, finish(refused)));
  expect(errorsOf(bench)).toMatchObject([{ offer }]);
  bench.do((step) =>
    sendMessage(step, { id: "msg_2", text: "hi", attachments: [], delivery: "auto", author: "user" }, "ready"),
  );
  bench.do((step) => takeOutput(step, finish(refused)));
  expect(errorsOf(bench)).toHaveLength(2);
});

it("other failures are offered nothing, and nothing is offered where there is no command", () => {
  const other = running();
  other.do((step) => takeOutput(step, finish(failure("network", "gone"))));
  expect(errorsOf(other)).toEqual([]);
  const bare = running();
  bare.context.agent.loginOffer = () => undefined;
  bare.do((step) => takeOutput(step, finish(refused)));
  expect(bare.events.at(-1)).toMatchObject({ data: { error: refused } });
  expect(errorsOf(bare)).toEqual([]);
});

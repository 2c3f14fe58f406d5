import { failure, type Offer } from "@gantry/protocol";
import { expect, it } from "vitest";
import { EngineBench } from "./engine.fake.ts";

const offer: Offer = {
  kind: "login",
  agent: "scripted",
  title: "Log in",
  command: ["scripted", "login"],
  display: "scripted login",
};
const refused = failure("auth", "Not logged in");

function startTurn(): EngineBench {
  const bench = new EngineBench();
  bench.context.agent.loginOffer = () => offer;
  const message = { id: "msg_1", text: "hi", attachments: [], delivery: "auto" as const, author: "user" };
  bench.apply("send", { message });
  return bench;
}

const finish = (error: typeof refused) => ({ kind: "finish" as const, outcome: "failed" as const, error });
const errorsOf = (bench: EngineBench) => bench.events.flatMap((event) => (event.type === "error" ? [event.data] : []));

it("adds the login command to a turn that fails without a login, and records it as an error event", () => {
  const bench = startTurn();
  bench.output(finish(refused));
  const expected = { ...refused, offer, remedy: expect.stringContaining("`scripted login`") };
  expect(bench.events.at(-1)).toMatchObject({ type: "turn.ended", data: { error: expected } });
  expect(errorsOf(bench)).toEqual([expected]);
});

it("does not repeat an error event that the agent reported itself, also in a later read", () => {
  const bench = startTurn();
  bench.output({ kind: "event", event: { type: "error", data: refused } });
  bench.output(finish(refused));
  expect(errorsOf(bench)).toMatchObject([{ offer }]);
  bench.apply("send", { message: { id: "msg_2", text: "hi", attachments: [], delivery: "auto", author: "user" } });
  bench.output(finish(refused));
  expect(errorsOf(bench)).toHaveLength(2);
});

it("adds no command to other failures, or for agents without a login command", () => {
  const other = startTurn();
  other.output(finish(failure("network", "gone")));
  expect(errorsOf(other)).toEqual([]);
  const bare = startTurn();
  bare.context.agent.loginOffer = () => undefined;
  bare.output(finish(refused));
  expect(bare.events.at(-1)).toMatchObject({ data: { error: refused } });
  expect(errorsOf(bare)).toEqual([]);
});

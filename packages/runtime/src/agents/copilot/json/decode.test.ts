import { expect, it } from "vitest";
import { data, framesOf, only, play } from "../../json-lines/recordings.fake.ts";
import { json } from "./channel.ts";

const played = (name: string) => play(json, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;

it("tells what tools changed, printed and were not allowed to do", () => {
  const outputs = played("json-multi");
  expect(data(outputs, "tool.ended")[0]?.changes).toMatchObject([{ kind: "add", additions: 1 }]);
  expect(data(outputs, "tool.ended")[3]).toMatchObject({ status: "ok", exitCode: 0 });
  const printed = only(outputs, "delta").filter(({ channel }) => channel === "output");
  expect(printed.map(({ text }) => text)).toEqual(["a.txt\nb.txt\nseed.txt\n"]);
  expect(data(played("json-write-noallow"), "tool.ended")).toMatchObject([{ status: "denied" }]);
});

it("tells retries with what they are for", () => {
  const outputs = played("json-err401");
  expect(only(outputs, "retry").map(({ failure }) => failure?.category)).toEqual(["auth", "auth"]);
});

it("knows the conversation when it is over", () => {
  expect(only(played("json-think"), "ready").at(-1)).toMatchObject({ handle: "c2b0e592-722c-41ad-a458-f16928047752" });
  expect(data(played("json-think"), "reasoning.done")).toHaveLength(1);
});

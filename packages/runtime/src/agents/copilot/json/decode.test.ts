import { expect, it } from "vitest";
import { data, framesOf, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { json } from "./channel.ts";

const playFixture = (name: string) => play(json, framesOf(`${import.meta.dirname}/fixtures`, name)).outputs;

it("publishes tool changes, output and denials", () => {
  const outputs = playFixture("json-multi");
  expect(data(outputs, "tool.ended")[0]?.changes).toMatchObject([{ kind: "add", additions: 1 }]);
  expect(data(outputs, "tool.ended")[3]).toMatchObject({ status: "ok", exitCode: 0 });
  const printed = outputsOfKind(outputs, "delta").filter(({ channel }) => channel === "output");
  expect(printed.map(({ text }) => text)).toEqual(["a.txt\nb.txt\nseed.txt\n"]);
  expect(data(playFixture("json-write-noallow"), "tool.ended")).toMatchObject([{ status: "denied" }]);
});

it("publishes retries with their reason", () => {
  const outputs = playFixture("json-err401");
  expect(outputsOfKind(outputs, "retry").map(({ failure }) => failure?.category)).toEqual(["auth", "auth"]);
});

it("reports the conversation at the end", () => {
  expect(outputsOfKind(playFixture("json-think"), "ready").at(-1)).toMatchObject({
    handle: "c2b0e592-722c-41ad-a458-f16928047752",
  });
  expect(data(playFixture("json-think"), "reasoning.done")).toHaveLength(1);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScriptedModel, startScriptedModel } from "../server.ts";
import { eventMessage } from "./bedrock.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => model.close());

const post = (path: string, body: unknown) =>
  fetch(`${model.url}${path}`, { method: "POST", body: JSON.stringify(body), headers: { "x-probe": "yes" } });

test("answers in Ollama's format as lines, or as one body on request", async () => {
  const ask = { model: "m", messages: [{ role: "user", content: "[[think]]" }] };
  const lines = (await (await post("/s/think/api/chat", ask)).text()).trim().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ done: true, done_reason: "stop", eval_count: 57 });
  const whole = await (await post("/s/think/api/chat", { ...ask, stream: false })).json();
  expect(whole).toMatchObject({ done: true, message: { content: "After thinking: the answer is 42." } });
});

test("answers in Bedrock's format as AWS frames, and reads the model from the path", async () => {
  const response = await post("/s/text/model/a.b%3A0/converse-stream", {
    messages: [{ role: "user", content: [{ text: "x" }] }],
  });
  expect(response.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.readUInt32BE(0)).toBeLessThan(bytes.length);
  expect(bytes.toString("latin1")).toContain("messageStart");
  expect(model.requests().at(-1)).toMatchObject({ wire: "bedrock", model: "a.b:0", headers: { "x-probe": "yes" } });
});

test("writes the length of a frame into its prelude", () => {
  const frame = eventMessage({ ":event-type": "x" }, "{}");
  expect(frame.readUInt32BE(0)).toBe(frame.length);
});

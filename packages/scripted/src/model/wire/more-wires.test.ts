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

test("Ollama answers in lines, or in one body when asked to", async () => {
  const ask = { model: "m", messages: [{ role: "user", content: "[[think]]" }] };
  const lines = (await (await post("/s/think/api/chat", ask)).text()).trim().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ done: true, done_reason: "stop", eval_count: 57 });
  const whole = await (await post("/s/think/api/chat", { ...ask, stream: false })).json();
  expect(whole).toMatchObject({ done: true, message: { content: "After thinking: the answer is 42." } });
});

test("Bedrock answers in AWS's frames, and its path names the model", async () => {
  const response = await post("/s/text/model/a.b%3A0/converse-stream", {
    messages: [{ role: "user", content: [{ text: "x" }] }],
  });
  expect(response.headers.get("content-type")).toBe("application/vnd.amazon.eventstream");
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.readUInt32BE(0)).toBeLessThan(bytes.length);
  expect(bytes.toString("latin1")).toContain("messageStart");
  expect(model.requests().at(-1)).toMatchObject({ wire: "bedrock", model: "a.b:0", headers: { "x-probe": "yes" } });
});

test("a frame says its own length", () => {
  const frame = eventMessage({ ":event-type": "x" }, "{}");
  expect(frame.readUInt32BE(0)).toBe(frame.length);
});

import { CredentialError, type Credentials, type Model, type StreamEvent } from "@gantry/models";
import { expect, test } from "vitest";
import { askModel } from "./ask-model.ts";

const model: Model = {
  id: "m",
  name: "M",
  api: "anthropic-messages",
  provider: "anthropic",
  baseUrl: "http://127.0.0.1:1",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

async function askedWith(get: Credentials["get"]): Promise<StreamEvent[]> {
  const credentials: Credentials = { has: () => true, get, report: () => {}, override: () => {} };
  const stream = () => {
    throw new Error("no model may be called without a credential");
  };
  const question = {
    system: [],
    messages: [],
    tools: [],
    thinking: "off",
    signal: new AbortController().signal,
  } as const;
  const events: StreamEvent[] = [];
  for await (const event of askModel({ stream, credentials }, model, question)) events.push(event);
  return events;
}

test("reports an unusable credential with its own message, and a missing one with instructions", async () => {
  const dead = await askedWith(async () => {
    throw new CredentialError("The broker at 127.0.0.1:8765 does not answer");
  });
  expect(dead).toMatchObject([
    { type: "error", message: { errorMessage: "The broker at 127.0.0.1:8765 does not answer" } },
  ]);
  const none = await askedWith(async () => undefined);
  expect(none).toMatchObject([
    { type: "error", message: { errorMessage: expect.stringContaining("gantry auth login anthropic") } },
  ]);
});

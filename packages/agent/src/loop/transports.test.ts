import { APIS, type Api, streamModel } from "@gantry/models";
import { type ScriptedModel, type SeenRequest, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { modelOf } from "../../../models/src/transports/testing/ask-model.ts";
import type { AgentMessage } from "../contract/messages.ts";
import {
  brokenLaws,
  FakeModel,
  fakeCredentials,
  fakeRegistry,
  settingsWith,
  startSession,
} from "../session/testing/fakes.fake.ts";
import { defineTool } from "../tools/define.ts";

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => server.close());

const write = defineTool({
  name: "write",
  label: "Write",
  description: "Writes a file.",
  schema: z.object({ file_path: z.string(), content: z.string() }),
  actions: () => [{ kind: "inner" }],
  run: async () => "written",
});

/** Everything that a session over this wire format does with a prompt. */
async function runLive(api: Api, ...prompts: string[]) {
  const model = modelOf(api, server.url);
  const { session, events } = await startSession(new FakeModel(), {
    stream: streamModel,
    registry: fakeRegistry([model]),
    credentials: fakeCredentials("sk-test-0123456789"),
    env: { GOOGLE_CLOUD_PROJECT: "project", GOOGLE_CLOUD_LOCATION: "here" },
    tools: [write],
    settings: settingsWith((settings) => {
      settings.retry.maxRetries = 2;
      settings.compaction.keepRecentTokens = 1;
    }),
  });
  const before = server.requests().length;
  for (const prompt of prompts) {
    await session.prompt(prompt);
    await session.waitUntilSettled();
  }
  const answerText = session.lastAssistantText();
  const messages = session.messages();
  await session.dispose();
  expect(brokenLaws(events)).toEqual([]);
  const requests = server.requests().slice(before);
  const kinds = events.map(({ type }) => type);
  return { answerText, messages, requests, kinds, end: events.findLast(({ type }) => type === "agent_settled") };
}

const bodies = (requests: readonly SeenRequest[]) => requests.map(({ body }) => JSON.stringify(body));
const resultIn = (messages: readonly AgentMessage[]) => {
  const result = messages.find(({ role }) => role === "toolResult");
  if (result?.role !== "toolResult") throw new Error("there is no result");
  return { isError: result.isError, text: result.content.map((block) => ("text" in block ? block.text : "")).join("") };
};

describe.each(APIS)("the loop over %s", (api) => {
  test.each([
    ["429", "err429once", "Recovered from err429."],
    ["500", "err500once", "Recovered from err500."],
    ["503", "err503once", "Recovered from err503."],
    ["an overload inside the stream", "overloadsseonce", "Recovered from overloadsse."],
    ["a socket that is cut", "droponce", "Recovered from drop."],
  ])("%s: repeats the request and keeps nothing of the failed attempt", async (_what, scenario, answer) => {
    const { answerText, requests, messages, kinds, end } = await runLive(api, `[[${scenario}]] ${api}`);
    expect(end).toMatchObject({ reason: "completed" });
    expect(answerText).toBe(answer);
    expect(kinds).toContain("auto_retry_start");
    const [first, second, ...more] = bodies(requests);
    expect([first, more]).toEqual([second, []]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("gives up after the configured retries on repeated 429 and reports the reason", async () => {
    const { requests, end } = await runLive(api, `[[err429]] ${api}`);
    expect(requests).toHaveLength(3);
    expect(end).toMatchObject({ reason: "error", errorMessage: expect.stringMatching(/rate limit/i) });
  });

  test("compacts on overflow and then completes the same prompt", async () => {
    const { answerText, requests, kinds, end } = await runLive(
      api,
      "[[long:9000]] the heron",
      `[[overflowonce]] ${api}`,
    );
    expect(end).toMatchObject({ reason: "completed" });
    expect(answerText).toBe("Recovered from overflow.");
    expect(kinds).toContain("auto_compaction_start");
    const [refused, last] = [
      bodies(requests).find((body) => body.includes("[[overflowonce]]")),
      bodies(requests).at(-1),
    ];
    expect(last?.length).toBeLessThan(refused?.length ?? 0);
    expect(last).toContain("was summarised to save context");
    expect(last).toContain("[[overflowonce]]");
  });

  test("does not run a call with invalid JSON arguments and lets the model continue", async () => {
    const { answerText, requests, messages, end } = await runLive(api, `[[badjson]] ${api}`);
    expect(end).toMatchObject({ reason: "completed" });
    expect(answerText).toBe("Recovered from bad JSON.");
    const { isError, text } = resultIn(messages);
    expect(isError).toBe(true);
    expect(bodies(requests).at(-1)).toContain(JSON.stringify(text.split("\n")[0]).slice(1, -1));
  });

  test("answers a call to an unknown tool with the list of tools", async () => {
    const { answerText, requests, messages, end } = await runLive(api, `[[badtool]] ${api}`);
    expect(end).toMatchObject({ reason: "completed" });
    expect(answerText).toBe("Bad tool handled.");
    expect(resultIn(messages)).toMatchObject({ isError: true, text: expect.stringMatching(/NoSuchTool/) });
    expect(bodies(requests).at(-1)?.split("NoSuchTool").length).toBeGreaterThan(2);
  });

  test("does not retry a refusal and keeps the partial answer", async () => {
    const { requests, end, messages } = await runLive(api, `[[refuse]] ${api}`);
    expect(requests).toHaveLength(1);
    expect(JSON.stringify(messages)).toContain("I cannot");
    // Ollama has no word for it; there it is an answer like any other.
    expect(end).toMatchObject({ reason: api === "ollama-chat" ? "completed" : "error" });
  });

  test("keeps an answer that was cut at the output limit unchanged", async () => {
    const { requests, answerText, messages } = await runLive(api, `[[maxtok]] ${api}`);
    expect(requests).toHaveLength(1);
    expect(answerText).toBe("This was cut");
    expect(messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "length" });
  });
});

import { describe, expect, test } from "vitest";
import { acp } from "../acp/acp.ts";
import { FakeConversation, SESSION } from "../acp/testing/conversation.ts";
import type { Channel, Output } from "../contract.ts";
import { opencode } from "./descriptor.ts";
import { dialect } from "./dialect.ts";

const line = (small: boolean, error: string) =>
  `timestamp=2026-11-16T07:14:28.956Z level=ERROR run=4a1995f5 message="stream error" providerID=scripted modelID=scripted-model session.id=ses_e1 small=${small} agent=build mode=primary error.error="${error}"`;

const older = (error: string) =>
  `ERROR 2026-11-17T13:18:18 +39ms service=session.processor error=${error} stack="AI_APICallError: ${error}\\n at x" process`;

describe("version 1.3, which answers a failed prompt like a completed one", () => {
  const zero = { stopReason: "end_turn", usage: { totalTokens: 0, inputTokens: 0, outputTokens: 0 } };
  const finishOf = (outputs: Output[]) => outputs.find(({ kind }) => kind === "finish");

  test("fails with the provider's error from its log", () => {
    const conversation = FakeConversation.startTurn(opencode);
    expect(conversation.decode({ dir: "err", text: older("Incorrect API key provided.") })).toMatchObject([
      { kind: "retry", reason: "Incorrect API key provided." },
    ]);
    expect(finishOf(conversation.answer(zero))).toMatchObject({
      outcome: "failed",
      error: { category: "auth", message: "Incorrect API key provided." },
    });
  });

  test("fails as network if the connection was refused, which it logs without a stack", () => {
    const conversation = FakeConversation.startTurn(opencode);
    const text =
      "ERROR 2026-11-18T00:24:20 +1ms service=session.processor error=Unable to connect. Is the computer able to access the url? process";
    conversation.decode({ dir: "err", text });
    expect(finishOf(conversation.answer(zero))).toMatchObject({
      error: { category: "network", message: "Unable to connect. Is the computer able to access the url?" },
    });
  });

  test("fails after text and tools if the last request was refused", () => {
    const conversation = FakeConversation.startTurn(opencode);
    conversation.sendText("Let me see.");
    conversation.decode({ dir: "err", text: older("Rate limit reached.") });
    expect(finishOf(conversation.answer(zero))).toMatchObject({ error: { category: "rate_limit" } });
  });

  test("completes if output followed the refused request, also with a provider that reports no usage", () => {
    const conversation = FakeConversation.startTurn(opencode);
    conversation.sendText("Let me see.");
    conversation.decode({ dir: "err", text: older("Rate limit reached.") });
    conversation.sendText("Done.");
    expect(finishOf(conversation.answer(zero))).toMatchObject({ outcome: "completed" });
  });

  test("completes if a retry succeeded, and does not remember the failure", () => {
    const conversation = FakeConversation.startTurn(opencode);
    conversation.decode({ dir: "err", text: older("Rate limit reached.") });
    conversation.sendText("Done.");
    const usage = { totalTokens: 9, inputTokens: 5, outputTokens: 4 };
    expect(finishOf(conversation.answer({ stopReason: "end_turn", usage }))).toMatchObject({ outcome: "completed" });
    conversation.command({ type: "prompt", message: "msg_2", text: "again", attachments: [] });
    conversation.sendText("Done.");
    expect(finishOf(conversation.answer(zero))).toMatchObject({ outcome: "completed" });
  });
});

test("waits longer for the text of a version that cannot close a session", () => {
  const trail = (sessionCapabilities: object) => {
    const conversation = FakeConversation.open(opencode, {}, {}, { sessionCapabilities });
    conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
    conversation.trails = true;
    conversation.sendText("Hel");
    conversation.answer({ stopReason: "end_turn" });
    return conversation.trailMs;
  };
  expect([trail({ close: {} }), trail({ resume: {} })]).toEqual([50, 500]);
});

test("shows the diff that a permission request has in its input", () => {
  const conversation = FakeConversation.startTurn(opencode);
  const diff = "Index: /p/a.txt\n===\n--- /p/a.txt\n+++ /p/a.txt\n@@ -0,0 +1,1 @@\n+hello\n";
  const toolCall = { toolCallId: "c", title: "edit", kind: "edit", rawInput: { filepath: "/p/a.txt", diff } };
  const options = [{ optionId: "once", kind: "allow_once", name: "Allow once" }];
  const params = { sessionId: SESSION, toolCall, options };
  const outputs = conversation.receive({ id: 0, method: "session/request_permission", params });
  expect(outputs.find(({ kind }) => kind === "ask")).toMatchObject({
    request: { diff: [{ path: "/p/a.txt", kind: "add", additions: 1, deletions: 0 }] },
  });
});

test("reports a refused request in its log as a retry while a prompt runs", () => {
  const channel = acp(dialect) as unknown as Channel<{ prompts: unknown[] }>;
  const options = { cwd: "/", mode: "ask", uuid: "u", dir: "/tmp" } as const;
  const idle = channel.initial(options);
  const busy = { ...idle, prompts: [{ id: "3", taken: true }] };
  const text = line(false, "AI_APICallError: Rate limit reached. Please try again in 1.5s.");
  expect(channel.decode(idle, { dir: "err", text })[1]).toEqual([]);
  expect(channel.decode(busy, { dir: "err", text })[1]).toMatchObject([
    { kind: "retry", reason: "Rate limit reached. Please try again in 1.5s.", failure: { category: "rate_limit" } },
  ]);
  // A failed title request does not affect the turn.
  expect(channel.decode(busy, { dir: "err", text: line(true, "AI_RetryError: Failed after 3 attempts.") })[1]).toEqual(
    [],
  );
});

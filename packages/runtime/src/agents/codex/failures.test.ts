import { expect, test } from "vitest";
import { isLost, readReconnect, textFailure, turnFailure } from "./failures.ts";

test.each([
  ["contextWindowExceeded", "context_overflow"],
  ["usageLimitExceeded", "quota"],
  ["rateLimitExceeded", "rate_limit"],
  ["serverOverloaded", "overloaded"],
  ["internalServerError", "overloaded"],
  ["modelNotFound", "model_unavailable"],
  ["unauthorized", "auth"],
  ["sandboxError", "tool"],
  ["cyberPolicy", "refused"],
  ["other", "unknown"],
  ["constructor", "unknown"],
  [{ httpConnectionFailed: { httpStatusCode: 401 } }, "auth"],
  [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "rate_limit"],
  [{ httpConnectionFailed: { httpStatusCode: 503 } }, "overloaded"],
  [{ responseStreamDisconnected: { httpStatusCode: null } }, "network"],
  [{ activeTurnNotSteerable: { turnKind: "review" } }, "protocol"],
  [{ brandNew: {} }, "unknown"],
  [null, "unknown"],
])("%j is %s", (codexErrorInfo, category) => {
  expect(turnFailure({ message: "it broke", codexErrorInfo }).category).toBe(category);
});

test.each([
  ["Missing environment variable: `KEY`.", "auth"],
  ["unexpected status 401 Unauthorized: Incorrect API key provided", "auth"],
  ["exceeded retry limit, last status: 429 Too Many Requests", "rate_limit"],
  ["Quota exceeded. Check your plan and billing details.", "quota"],
  ["Your credit balance is too low", "billing"],
  ["The model `nope` does not exist", "model_unavailable"],
  ["Selected model is at capacity. Please try a different model.", "overloaded"],
  ["We’re currently experiencing high demand", "overloaded"],
  ["stream disconnected before completion: Transport error", "network"],
  ["Connection failed: error sending request", "network"],
  ["Incomplete response returned, reason: max_output_tokens", "context_overflow"],
  ["Codex ran out of room in the model's context window.", "context_overflow"],
  ["all is lost", "unknown"],
])("%j is %s", (message, category) => {
  expect(textFailure(message).category).toBe(category);
});

test("extracts the message from the provider's JSON", () => {
  const message = '{"error":{"message":"Too long.","code":"context_length_exceeded"}}';
  expect(turnFailure({ message, codexErrorInfo: "other" })).toMatchObject({
    category: "context_overflow",
    message: "Too long.",
  });
  expect(textFailure("{broken").message).toBe("{broken");
});

test("reads retry counts from one sentence or two", () => {
  expect(readReconnect("Reconnecting... 2/5 (stream (x) disconnected)")).toEqual({
    attempt: 2,
    max: 5,
    reason: "stream (x) disconnected",
  });
  expect(readReconnect("Reconnecting... waiting for network (refused)")).toEqual({ reason: "refused" });
  expect(readReconnect("Reconnecting... 1/1", "try again in 250ms")).toEqual({
    attempt: 1,
    max: 1,
    delayMs: 250,
    reason: "try again in 250ms",
  });
  expect(readReconnect("broken")).toBeUndefined();
});

test("recognises the error of a missing conversation", () => {
  expect(isLost("Error: thread/resume failed: no rollout found for thread id x")).toBe(true);
  expect(isLost("Not initialized")).toBe(false);
  expect(isLost(undefined)).toBe(false);
});

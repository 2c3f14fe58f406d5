import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "./classify.ts";
import { failureOfException } from "./exception.ts";
import { isOverflow } from "./overflow.ts";
import { redact, secretsOf } from "./redact.ts";
import { retryAfter } from "./retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const wait = (headers: Record<string, string>, body = {}, text = "") =>
  retryAfter(new Headers(headers), body, text, NOW);

describe("the retry delay", () => {
  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after-ms": "20", "retry-after": "7" }, 20],
    [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s" }, 360_000],
    [{ "x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "6m0s" }, undefined],
    [
      { "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:30Z" },
      30_000,
    ],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW + 5000) }, 5000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 9) }, 9000],
    [{ "retry-after": "99999999999" }, undefined],
  ])("is read from the headers %j", (headers, expected) =>
    expect(wait(headers as Record<string, string>)).toBe(expected),
  );

  test.each([
    ["Please try again in 1.5s.", 1500],
    ["Please retry in 20s", 20_000],
    ["Your quota will reset after 1h2m3s.", 3_723_000],
    ["try again in 250ms", 250],
    ["Try again in 5 minutes", 300_000],
    ["retry after 2 hours, 5 minutes", 7_500_000],
    ["You may retry your request", undefined],
    ["error 503", undefined],
  ])("is read from the message %s", (text, expected) => expect(wait({}, {}, text)).toBe(expected));

  test("is read from the error bodies of Google and Codex", () => {
    const google = {
      error: { details: [{ "@type": "x.QuotaFailure" }, { "@type": "x.RetryInfo", retryDelay: "13.2s" }] },
    };
    expect(wait({}, google)).toBe(13_200);
    expect(wait({}, { error: { resets_in_seconds: 90 } })).toBe(90_000);
    expect(wait({}, { error: { resets_at: NOW / 1000 + 60 } })).toBe(60_000);
  });
});

describe("overflow detection", () => {
  test.each([
    "prompt is too long: 215000 tokens > 200000 maximum",
    "Input is too long for requested model.",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Please reduce the length of the messages or completion.",
    "This endpoint's maximum context length is 262144 tokens. However, you requested about 300000 tokens",
    "prompt token count of 300000 exceeds the limit of 128000",
    "the request exceeds the available context size, try increasing it",
    "tokens to keep from the initial prompt is greater than the context length",
    "invalid params, context window exceeds limit",
    "Your request exceeded model token limit: 262144 (requested: 300000)",
    "Prompt contains 300000 tokens, too large for model with 128000 maximum context length",
    "Range of input length should be [1, 129024]",
    "context_length_exceeded",
    "model_context_window_exceeded",
  ])("matches %s", (text) => expect(isOverflow(text)).toBe(true));

  test.each([
    "Rate limit reached for tokens per minute: limit 30000, requested 40000",
    "Too many tokens, please wait before trying again.",
    "max_tokens is too large: 999999",
    "Overloaded",
    "ThrottlingException: Too many requests",
    "You exceeded your current quota",
  ])("does not match %s", (text) => expect(isOverflow(text)).toBe(false));
});

describe("the classification", () => {
  test.each([
    [429, '{"error":{"message":"slow down"}}', "rate_limited"],
    [
      429,
      '{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":9000}}',
      "quota",
    ],
    [429, '{"error":{"message":"try again in 3 hours"}}', "quota"],
    [402, "Payment Required", "quota"],
    [400, '{"error":{"message":"Unsupported parameter: foo"}}', "invalid"],
    [
      400,
      '{"error":{"status":"INVALID_ARGUMENT","message":"API key not valid. Please pass a valid API key."}}',
      "auth",
    ],
    [400, '{"error":{"code":"content_filter","message":"blocked by the content management policy"}}', "refused"],
    [413, "", "overflow"],
    [502, "<html><title>502 Bad Gateway</title></html>", "server"],
    [504, "", "server"],
    [undefined, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "overloaded"],
    [undefined, '{"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}}', "overloaded"],
    [undefined, '{"error":{"message":"bla"}}', "unknown"],
    [undefined, "", "unknown"],
  ] as const)("of status %s and body %s", (status, text, category) => {
    expect(classify({ status, text, now: NOW })).toMatchObject({ category });
  });

  test("uses the title of an HTML page as message", () => {
    expect(classify({ status: 502, text: "<html><title>502 Bad Gateway</title><p>x" }).message).toBe("502 Bad Gateway");
  });

  test("accepts any input, with a message that is neither empty nor endless", () => {
    const status = fc.option(fc.integer({ min: 400, max: 599 }), { nil: undefined });
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.json());
    fc.assert(
      fc.property(status, text, (code, body) => {
        const { message } = classify({ status: code, text: body });
        expect(message.length).toBeGreaterThan(0);
        expect(message.length).toBeLessThanOrEqual(1500);
      }),
    );
  });
});

describe("the redaction", () => {
  test.each([
    "sk-ant-api03-abcdefghijklmnop",
    "AIzaSyA1234567890abcdefghijklmnopq",
    "Bearer abc.def-ghi_jkl",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
    "AKIAIOSFODNN7EXAMPLE",
    "api_key=0123456789",
  ])("removes %s by its format", (secret) => {
    expect(redact(`error with ${secret} in it`)).not.toContain(secret.slice(-8));
    expect(redact(`error with ${secret} in it`)).toMatch(/^error with .* in it$/);
  });

  test("removes the request's key from responses, exceptions and headers", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/]{12,40}$/), fc.string(), fc.string(), (key, before, after) => {
        const secrets = secretsOf({ kind: "key", key }, { "X-Api-Key": `${key}x` });
        const text = JSON.stringify({ error: { message: `${before}${key}${after}` } });
        expect(classify({ status: 400, text, secrets }).message).not.toContain(key);
        const thrown = new Error(`${before}${key}`, { cause: new Error(`${key}x`) });
        expect(failureOfException(thrown, secrets).message).not.toContain(key);
      }),
    );
  });

  test("does not change that socket errors are network failures", () => {
    const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    expect(failureOfException(new TypeError("fetch failed", { cause: refused }), []).category).toBe("network");
    expect(failureOfException(new TypeError("x is not a function"), []).category).toBe("unknown");
    expect(failureOfException("text", [])).toEqual({ category: "unknown", message: "text" });
  });
});

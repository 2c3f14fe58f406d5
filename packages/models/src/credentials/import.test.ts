import { expect, test } from "vitest";
import { readCredentials } from "./import.ts";

test("reads a proxy's file with one login", () => {
  const file = {
    type: "claude",
    access_token: "a",
    refresh_token: "r",
    expired: "2026-01-01T00:00:00+00:00",
    email: "e@x",
  };
  expect(readCredentials(JSON.stringify(file))).toEqual([
    {
      provider: "anthropic",
      data: { type: "oauth", access: "a", refresh: "r", expires: Date.UTC(2026, 0, 1), email: "e@x" },
    },
  ]);
  expect(readCredentials(JSON.stringify({ ...file, disabled: true }))).toEqual([]);
});

test("reads the file of Gemini CLI", () => {
  const file = {
    access_token: "a",
    refresh_token: "r",
    expiry_date: 5,
    token_type: "Bearer",
    scope: "x",
    id_token: "i",
  };
  expect(readCredentials(JSON.stringify(file))).toEqual([
    { provider: "google-gemini-cli", data: { type: "oauth", access: "a", refresh: "r", expires: 5 } },
  ]);
});

test("reads an agent's file with all credentials by provider", () => {
  const login = { type: "oauth", access: "a", refresh: "r", expires: 5, extra: 1 };
  const file = { openai: { type: "api_key", key: "k" }, "openai-codex": [login, { ...login, access: "b" }] };
  expect(readCredentials(JSON.stringify(file))?.map(({ provider, data }) => [provider, data.type])).toEqual([
    ["openai", "api_key"],
    ["openai-codex", "oauth"],
    ["openai-codex", "oauth"],
  ]);
});

test.each(["", "{", "{}", "[]", "7", '{"openai":{"type":"api_key"}}', '{"type":"claude"}'])(
  "finds no credential in %s",
  (text) => {
    expect(readCredentials(text)).toBeUndefined();
  },
);

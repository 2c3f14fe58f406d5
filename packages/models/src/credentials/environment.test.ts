import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fromEnvironment } from "./environment.ts";

const home = mkdtempSync(join(tmpdir(), "environment-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("uses the first variable that is set and not empty", () => {
  expect(fromEnvironment("google", { GEMINI_API_KEY: " ", GOOGLE_API_KEY: "g" })).toEqual({
    credential: { kind: "key", key: "g" },
    source: "GOOGLE_API_KEY",
  });
  expect(fromEnvironment("google", {})).toBeUndefined();
  expect(fromEnvironment("constructor", { constructor: "x" })).toBeUndefined();
});

test("returns Anthropic's bearer tokens as OAuth tokens", () => {
  const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_OAUTH_TOKEN: "token" };
  expect(fromEnvironment("anthropic", env)?.credential).toEqual({ kind: "oauth", token: "token" });
  expect(fromEnvironment("anthropic", { ANTHROPIC_API_KEY: "key" })?.credential).toEqual({ kind: "key", key: "key" });
});

test("finds AWS credentials in a profile, a key pair or the file, and ignores half a pair", () => {
  const ambient = { kind: "ambient" };
  expect(fromEnvironment("amazon-bedrock", { HOME: home, AWS_ACCESS_KEY_ID: "a" })).toBeUndefined();
  const pair = { HOME: home, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
  expect(fromEnvironment("amazon-bedrock", pair)?.credential).toEqual(ambient);
  mkdirSync(join(home, ".aws"));
  writeFileSync(join(home, ".aws", "credentials"), "[default]\n");
  expect(fromEnvironment("amazon-bedrock", { HOME: home })?.credential).toEqual(ambient);
});

test("finds Vertex credentials in a key, or in a gcloud login with project and location", () => {
  expect(fromEnvironment("google-vertex", { GOOGLE_CLOUD_API_KEY: "k" })?.credential).toEqual({
    kind: "key",
    key: "k",
  });
  const file = join(home, "adc.json");
  const env = {
    HOME: home,
    GOOGLE_APPLICATION_CREDENTIALS: file,
    GOOGLE_CLOUD_PROJECT: "p",
    GOOGLE_CLOUD_LOCATION: "l",
  };
  expect(fromEnvironment("google-vertex", env)).toBeUndefined();
  writeFileSync(file, "{}");
  expect(fromEnvironment("google-vertex", env)?.credential).toEqual({ kind: "ambient" });
  expect(fromEnvironment("google-vertex", { ...env, GOOGLE_CLOUD_LOCATION: "" })).toBeUndefined();
});

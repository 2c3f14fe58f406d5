import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { redact, rememberSecret, withoutSecrets } from "./redaction.ts";

test("hides provider keys and resolved secrets from a child's environment", () => {
  rememberSecret("resolved-value-1");
  const env = {
    PATH: process.env.PATH,
    OPENAI_API_KEY: "a",
    MY_PROXY: "resolved-value-1",
    GANTRY_AUTH_BROKER_TOKEN: "t",
    AWS_PROFILE: "work",
    NONE: undefined,
  };
  const printed = execFileSync("env", { env: withoutSecrets(env), encoding: "utf8" });
  expect(printed).toContain("AWS_PROFILE=work");
  expect(printed).not.toMatch(/OPENAI_API_KEY|MY_PROXY|BROKER_TOKEN|NONE/);
  expect(withoutSecrets(env, ["OPENAI_API_KEY"]).OPENAI_API_KEY).toBe("a");
});

test("redacts resolved secrets and text with the format of a secret", () => {
  rememberSecret("correct horse battery");
  rememberSecret("short");
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXBhcnQ";
  const text = `correct horse battery, sk-ant-api03-aaaaaaaaaaaaaaaaaaaa, Bearer abcdefghijklmnop, ${jwt}, short, risk-taking`;
  expect(redact(text)).toBe("[secret], [secret], Bearer [secret], [secret], short, risk-taking");
});

test("redacts a long text of near-matches in linear time", () => {
  const measureBest = (length: number) => {
    const text = "eyJ".repeat(length);
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      redact(text);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  expect(measureBest(200_000)).toBeLessThan(Math.max(measureBest(20_000), 1) * 60);
});

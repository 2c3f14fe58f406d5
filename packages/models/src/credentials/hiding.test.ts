import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { redact, rememberSecret, withoutSecrets } from "./hiding.ts";

test("a child is given no provider's key, and no variable with a value that was resolved here", () => {
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

test("keys are taken out of a text, known ones and those that look like one", () => {
  rememberSecret("correct horse battery");
  rememberSecret("short");
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXBhcnQ";
  const text = `correct horse battery, sk-ant-api03-aaaaaaaaaaaaaaaaaaaa, Bearer abcdefghijklmnop, ${jwt}, short, risk-taking`;
  expect(redact(text)).toBe("[secret], [secret], Bearer [secret], [secret], short, risk-taking");
});

test("a long text of almost-keys takes no time that grows with its square", () => {
  const time = (length: number) => {
    const text = "eyJ".repeat(length);
    const start = performance.now();
    redact(text);
    return performance.now() - start;
  };
  time(1000);
  const [small, large] = [time(20_000), time(200_000)];
  expect(large).toBeLessThan(Math.max(small, 1) * 60);
});

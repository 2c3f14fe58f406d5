import { describe, expect, it } from "vitest";
import { Accounts, accountOf } from "./account.ts";

const one = { provider: "anthropic" };
const many = { provider: "several", providerInModel: true as const };
const view = (more: object = {}) => ({ agent: "some-agent", ...more });

describe("the account of a session", () => {
  it("is the provider's, with the name that the probe found", () => {
    expect(accountOf(view(), one, undefined, {})).toEqual({ key: "anthropic", provider: "anthropic" });
    expect(accountOf(view(), one, "joe@example.com", {})).toEqual({
      key: "anthropic joe@example.com",
      provider: "anthropic",
      account: "joe@example.com",
    });
  });

  it("differs when the session has its own key, whose value is not exposed", () => {
    const [first, second] = ["secret-1", "secret-2"].map((key) =>
      accountOf(view(), one, "joe", { X_API_KEY: key, PAGER: "less" }),
    );
    expect(first?.key).not.toBe(second?.key);
    expect(first?.key).toBe(accountOf(view(), one, undefined, { X_API_KEY: "secret-1" }).key);
    expect(JSON.stringify(first)).not.toContain("secret");
    expect(first?.account).toMatch(/^X_API_KEY of the session \(\w{6}\)$/);
  });

  it("is that of the model's provider for agents that use several", () => {
    const { key, provider } = accountOf(view({ model: "anthropic/some-model" }), many, undefined, {});
    expect([key, provider]).toEqual(["anthropic some-agent", "anthropic"]);
    expect(accountOf(view({ model: "openai/x", servedModel: "google/y" }), many, undefined, {}).provider).toBe(
      "google",
    );
    expect(accountOf(view({ model: "bare" }), many, undefined, {}).provider).toBe("several");
    expect(accountOf(view(), undefined, undefined, {}).provider).toBe("some-agent");
  });
});

it("is computed again only when the agent, its login, the model or the environment changes", () => {
  let agent: { provider: string; providerInModel?: true } = many;
  let login: string | undefined;
  let env: Record<string, string> = {};
  const accounts = new Accounts({ agent: () => agent, login: () => login, env: () => env });
  const of = (more: object = {}) => accounts.of({ id: "ses_1", ...view(more) });
  const first = of({ model: "openai/x" });
  expect(of({ model: "openai/x" })).toBe(first);
  expect(of({ model: "google/y" }).provider).toBe("google");
  login = "joe";
  expect(of({ model: "google/y" }).account).toBe("joe");
  env = { X_API_KEY: "k" };
  expect(of({ model: "google/y" }).account).toMatch(/^X_API_KEY/);
  agent = one;
  expect(of({ model: "google/y" }).provider).toBe("anthropic");
});

it("evicts the oldest sessions", () => {
  const accounts = new Accounts({ agent: () => one, login: () => undefined, env: () => ({}) });
  const first = accounts.of({ id: "ses_0", ...view() });
  for (let n = 1; n <= 1000; n++) accounts.of({ id: `ses_${n}`, ...view() });
  expect(accounts.of({ id: "ses_0", ...view() })).not.toBe(first);
});

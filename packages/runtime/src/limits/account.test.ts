import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Accounts, accountOf } from "./account.ts";

const one = { provider: "anthropic" };
const many = { provider: "several", providerInModel: true as const };
const view = (more: object = {}) => ({ agent: "some-agent", ...more });

describe("the account of a session", () => {
  it("is the provider's, with the name that the probe found", () => {
    expect(accountOf(view(), { agent: one, env: {} })).toEqual({ key: "anthropic", provider: "anthropic" });
    expect(accountOf(view(), { agent: one, login: "joe@example.com", env: {} })).toEqual({
      key: "anthropic joe@example.com",
      provider: "anthropic",
      account: "joe@example.com",
    });
  });

  it("differs when the session has its own key, whose value is not exposed", () => {
    const [first, second] = ["secret-1", "secret-2"].map((key) =>
      accountOf(view(), { agent: one, login: "joe", env: { X_API_KEY: key, PAGER: "less" } }),
    );
    expect(first?.key).not.toBe(second?.key);
    expect(first?.key).toBe(accountOf(view(), { agent: one, env: { X_API_KEY: "secret-1" } }).key);
    expect(JSON.stringify(first)).not.toContain("secret");
    expect(first?.account).toMatch(/^X_API_KEY of the session \(\w{6}\)$/);
  });

  it("is that of the model's provider for agents that use several", () => {
    const { key, provider } = accountOf(view({ model: "anthropic/some-model" }), { agent: many, env: {} });
    expect([key, provider]).toEqual(["anthropic some-agent", "anthropic"]);
    expect(accountOf(view({ model: "openai/x", servedModel: "google/y" }), { agent: many, env: {} }).provider).toBe(
      "google",
    );
    expect(accountOf(view({ model: "bare" }), { agent: many, env: {} }).provider).toBe("several");
    expect(accountOf(view(), { env: {} }).provider).toBe("some-agent");
  });
});

describe("the account of a profile", () => {
  const acp = { provider: "acp" };
  const profile = (id: string, env: Record<string, string>, hasProgram = true, agent: typeof acp = acp) =>
    accountOf({ agent: id }, { agent, env: {}, profile: { env, hasProgram } });

  it("is separate from those of other profiles with the same base", () => {
    const keys = ["one", "two"].map((id) => profile(id, {}).key);
    expect(new Set([...keys, accountOf(view(), { agent: acp, env: {} }).key]).size).toBe(3);
  });

  it("is shared by profiles and sessions with the same key, whatever the variable or the base", () => {
    const key = "sk-secret";
    const shared = [
      profile("one", { OPENAI_API_KEY: key }),
      profile("two", { MY_API_KEY: key, PAGER: "less" }),
      profile("three", { ANTHROPIC_API_KEY: key, GITHUB_TOKEN: "other" }, false, one),
      accountOf(view(), { agent: acp, env: { ANY_API_KEY: key } }),
      accountOf(view({ model: "openai/x" }), { agent: many, env: { OPENAI_API_KEY: key, GOOGLE_API_KEY: "other" } }),
    ];
    expect(new Set(shared.map((account) => account.key)).size).toBe(1);
    expect(JSON.stringify(shared)).not.toContain(key);
    expect(profile("one", { OPENAI_API_KEY: "another" }).key).not.toBe(shared[0]?.key);
    expect(profile("one", { OPENAI_API_KEY: key, OPENAI_BASE_URL: "http://proxy" }).key).not.toBe(shared[0]?.key);
  });

  it("is that of the base if the profile only renames it", () => {
    expect(profile("mine", {}, false, one)).toEqual(accountOf(view(), { agent: one, env: {} }));
    expect(profile("mine", { CLAUDE_CONFIG_DIR: "/work" }, false, one).key).not.toBe("anthropic");
  });

  it("is the login that the probe found, which profiles can share", () => {
    const facts = { env: { HOME: "/x" }, hasProgram: true };
    const account = accountOf({ agent: "mine" }, { agent: one, login: "joe", env: {}, profile: facts });
    expect(account).toEqual(accountOf(view(), { agent: one, login: "joe", env: {} }));
  });

  it("has one entry for each provider if the key is not the provider's", () => {
    const of = (model: string) => accountOf(view({ model }), { agent: many, env: { ROUTER_API_KEY: "k" } }).key;
    expect(of("openai/x")).not.toBe(of("google/y"));
    expect(of("openai/x")).toBe(of("openai/z"));
  });

  it("never contains a value of a variable", () => {
    const name = fc.constantFrom("A_API_KEY", "B_TOKEN", "C_AUTH_TOKEN", "D_ENDPOINT", "PLAIN");
    const value = fc.string({ minLength: 9, maxLength: 60 });
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.dictionary(name, value), (env, own) => {
        const account = accountOf({ agent: "mine" }, { agent: acp, env, profile: { env: own, hasProgram: true } });
        const text = Object.values(account).join(" ");
        for (const secret of [...Object.values(env), ...Object.values(own)]) expect(text).not.toContain(secret);
      }),
    );
  });
});

it("is computed again only when the agent, its login, the model or the environment changes", () => {
  let agent: { provider: string; providerInModel?: true } = many;
  let login: string | undefined;
  let env: Record<string, string> = {};
  const accounts = new Accounts({ agent: () => agent, login: () => login, profile: () => undefined, env: () => env });
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
  const accounts = new Accounts({
    agent: () => one,
    login: () => undefined,
    profile: () => undefined,
    env: () => ({}),
  });
  const first = accounts.of({ id: "ses_0", ...view() });
  for (let n = 1; n <= 1000; n++) accounts.of({ id: `ses_${n}`, ...view() });
  expect(accounts.of({ id: "ses_0", ...view() })).not.toBe(first);
});

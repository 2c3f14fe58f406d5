import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { provider, testRegistry } from "../registry/registry.harness.ts";
import { THINKING_LEVELS } from "../thinking-levels.ts";
import { globMatcher, parseSelector } from "./selector.ts";

const selector = (found: { model: { provider: string; id: string } } | undefined) =>
  found && `${found.model.provider}/${found.model.id}`;

describe("a selector", () => {
  it("resolves as full name, canonical id, bare id, then part of a name", () => {
    const registry = testRegistry(
      {
        models: `providers:\n${provider("mine", ["claude-opus-4-8", "openai/gpt-5.5", "opus", "my model:free"])}equivalence: {overrides: {mine/opus: house-blend}, exclude: [mine/claude-opus-4-8]}\n`,
      },
      { loggedIn: ["anthropic", "openrouter"] },
    );
    const get = (text: string) => selector(registry.resolve(text));
    expect(get("mine/claude-opus-4-8")).toBe("mine/claude-opus-4-8");
    expect(get("claude-opus-4-8")).toBe("anthropic/claude-opus-4-8");
    expect(get("claude-opus-4.8")).toBe("anthropic/claude-opus-4-8");
    expect(get("house-blend")).toBe("mine/opus");
    expect(get("opus")).toBe("mine/opus");
    expect(get("openrouter/openai/gpt-5.5")).toBe("openrouter/openai/gpt-5.5");
    expect(get("gpt-5.5")).toBe("mine/openai/gpt-5.5");
    expect(get("MINE/OPUS")).toBe("mine/opus");
    expect(get("mymodel")).toBe("mine/my model:free");
    expect(get("openrouter/*haiku-4.5*")).toMatch(/^openrouter\/.*haiku-4\.5/);
    expect(get("no such thing at all")).toBeUndefined();
    expect(get("  ")).toBeUndefined();
  });

  it("may end in a level, also when ids contain colons", () => {
    const registry = testRegistry({ models: `providers:\n${provider("mine", ["a", "a:high", "b:free", "c:v1:0"])}` });
    const get = (text: string) => {
      const found = registry.resolve(text);
      return found && [found.model.id, found.thinking];
    };
    expect(get("mine/a:high")).toEqual(["a:high", undefined]);
    expect(get("mine/a:high:low")).toEqual(["a:high", "low"]);
    expect(get("mine/a:low")).toEqual(["a", "low"]);
    expect(get("mine/b:free")).toEqual(["b:free", undefined]);
    expect(get("b:free:off")).toEqual(["b:free", "off"]);
    expect(get("mine/c:v1:0:medium")).toEqual(["c:v1:0", "medium"]);
    expect(get("mine/a:nonsense")).toBeUndefined();
    expect(get("mine/a:max")).toEqual(["a", "high"]);
  });

  it("explains how it was resolved", () => {
    const registry = testRegistry({ config: "disabledProviders: [xai]" });
    expect(registry.explain("xai/grok-4.3").why[0]).toContain("disabled here");
    expect(registry.resolve("claude-opus-4-8")?.why.join(" ")).toContain("None of them has a credential");
  });

  it("with a former provider name still works, unless another provider has that name", () => {
    expect(selector(testRegistry().resolve("kimi-code/kimi-for-coding"))).toBe("kimi-coding/kimi-for-coding");
    const own = testRegistry({ models: `providers:\n${provider("kimi-code", ["x"])}` });
    expect(own.resolve("kimi-code/kimi-for-coding")?.model.provider).not.toBe("kimi-coding");
  });
});

describe("the resolver", () => {
  const registry = () =>
    testRegistry({ models: `providers:\n${provider("mine", ["a:b", "a"])}` }, { loggedIn: ["openai"] });

  it("never throws, and returns only known models", () => {
    const all = registry();
    const known = new Set(all.all());
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(..."*?/:.-abgp45 ") }),
      fc.constantFrom(...all.all().map(({ id }) => id)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const found = all.resolve(text);
        if (found) expect(known.has(found.model)).toBe(true);
        expect(all.explain(text).why.length).toBeGreaterThan(0);
        for (const { model } of all.scoped([text])) expect(known.has(model)).toBe(true);
      }),
    );
  });

  it("resolves a full name to that model, with any level", () => {
    const all = registry();
    fc.assert(
      fc.property(fc.constantFrom(...all.all()), fc.constantFrom(undefined, ...THINKING_LEVELS), (model, level) => {
        const name = `${model.provider}/${model.id}`;
        const found = all.resolve(level ? `${name}:${level}` : name);
        expect(found?.model).toBe(all.find(model.provider, model.id));
        expect(found?.thinking).toBe(level && all.clamp(model, level));
      }),
    );
  });

  it("resolves a canonical id to a model of its group, a ready one if there is one", () => {
    const all = registry();
    const full = new Set(all.all().map(({ provider: name, id }) => `${name}/${id}`.toLowerCase()));
    const ready = new Set(all.available().map((model) => all.canonical(model).toLowerCase()));
    fc.assert(
      fc.property(fc.constantFrom(...all.all()), (model) => {
        const name = all.canonical(model).toLowerCase();
        fc.pre(!full.has(name));
        const found = all.resolve(name)!;
        expect(all.canonical(found.model).toLowerCase()).toBe(name);
        expect(all.ready(found.model)).toBe(ready.has(name));
      }),
      { numRuns: 500 },
    );
  });

  it("parses a level only at the end", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...THINKING_LEVELS), (text, level) => {
        fc.pre(text.trim() !== "");
        expect(parseSelector(`${text}:${level}`)).toMatchObject({ base: text.trimStart(), level });
      }),
    );
  });

  it("matches globs like the equivalent regular expression", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, word, (glob, text) => {
        const expression = new RegExp(`^${glob.replaceAll("?", ".").replaceAll("*", ".*")}$`);
        expect(globMatcher(glob)(text)).toBe(expression.test(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a scope", () => {
  it("expands full names, canonical ids, globs and names in order, without duplicates", () => {
    const registry = testRegistry({ models: `providers:\n${provider("mine", ["a", "b"])}` });
    const names = (...patterns: string[]) =>
      registry.scoped(patterns).map(({ model }) => `${model.provider}/${model.id}`);
    expect(names("mine/b:low", "mine/*")).toEqual(["mine/b", "mine/a"]);
    expect(registry.scoped(["mine/b:low"])[0]?.level).toBe("low");
    expect(names("claude-opus-4-8").length).toBeGreaterThan(5);
    expect(names("anthropic/claude-opus-4-8")).toEqual(["anthropic/claude-opus-4-8"]);
    expect(names("sonnet")).toHaveLength(1);
    expect(names("", "nothing like it")).toEqual([]);
  });
});

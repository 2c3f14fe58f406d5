import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Models } from "./models.ts";

const MINE = `providers:
  mine:
    baseUrl: http://127.0.0.1:9/v1
    apiKey: sk-secret-of-mine
    authHeader: true
    api: openai-completions
    models: [{id: one, reasoning: true}]
`;

function service(models: string) {
  const home = mkdtempSync(join(tmpdir(), "gantry-models-"));
  mkdirSync(join(home, "agent"));
  const file = join(home, "agent/models.yml");
  writeFileSync(file, models);
  const made = new Models({ home, env: { HOME: home } });
  onTestFinished(() => {
    made.stop();
    rmSync(home, { recursive: true, force: true });
  });
  return { models: made, file, home };
}

it("lists what is available, or all, without a key in it", async () => {
  const { models } = service(MINE);
  const listed = await models.list({});
  expect(listed.models).toMatchObject([
    { selector: "mine/one", available: true, levels: expect.arrayContaining(["high"]) },
  ]);
  expect(listed.canonical).toMatchObject([{ id: "one", chosen: "mine/one", available: true }]);
  const all = await models.list({ all: true });
  expect(all.models.length).toBeGreaterThan(1000);
  expect((await models.list({ all: true, provider: "anthropic", q: "opus*4-8" })).models).toMatchObject([]);
  expect((await models.list({ all: true, provider: "anthropic", q: "*opus*4-8" })).models).toMatchObject([
    { id: "claude-opus-4-8" },
  ]);
  expect(JSON.stringify(all)).not.toContain("sk-secret");
});

it("reads a changed file at the next call, and reports its mistakes with their place", async () => {
  const { models, file } = service("");
  expect((await models.list({})).models).toEqual([]);
  writeFileSync(file, `${MINE}  bad: {api: nonsense}\n`);
  const listed = await models.list({});
  expect(listed.models).toHaveLength(1);
  expect(listed.problems).toMatchObject([{ file, line: 8, column: 14, path: "providers.bad.api" }]);
});

it("resolves a selector, or explains why no model matches", async () => {
  const { models, home } = service(MINE);
  expect(await models.resolve("one:max")).toMatchObject({ query: "one:max", model: { id: "one" }, thinking: "high" });
  await expect(models.resolve("nothing of the kind")).rejects.toMatchObject({
    code: "no_such_model",
    details: { why: expect.any(Array), problems: [] },
  });
  writeFileSync(join(home, "agent/config.yml"), `disabledProviders: [{path: ${home}/private, providers: [mine]}]`);
  expect(await models.resolve("mine/one", home)).toMatchObject({ model: { id: "one" } });
  mkdirSync(join(home, "private"));
  await expect(models.resolve("mine/one", join(home, "private"))).rejects.toMatchObject({ code: "no_such_model" });
});

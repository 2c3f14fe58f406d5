import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkModels } from "../config/models-file.ts";
import { openModels } from "../registry/open.ts";
import { deleteProvider, insertProvider } from "./edit-file.ts";
import { addProvider, listProviders, type ProviderPlace, planFor, removeProvider, testProvider } from "./manage.ts";

const KEY = "sk-of-the-user-0123456789";
const signal = new AbortController().signal;
let server: ScriptedModel;
let home: string;
let place: ProviderPlace;
let close: () => void;

beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => server.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-providers-"));
  mkdirSync(join(home, "agent"));
  const env = { GANTRY_HOME: home, HOME: home, GANTRY_KEYCHAIN: "off" };
  const { registry, credentials, close: closeAll } = openModels({ home, cwd: home, env });
  place = { env, agentDir: join(home, "agent"), registry, credentials };
  close = closeAll;
});
afterEach(() => {
  close();
  server.refuse();
  rmSync(home, { recursive: true, force: true });
});
const text = () => readFileSync(join(home, "agent/models.yml"), "utf8");
const mine = () => ({ name: "mine", baseUrl: `${server.url}/v1`, models: ["scripted-model"] });

describe("a provider by its URL", () => {
  it("is added with its key in the credential store only, works, and is listed", async () => {
    const added = await addProvider(place, mine(), ` ${KEY}\n`);
    expect(added).toMatchObject({ provider: "mine", isNew: true, variable: "MINE_API_KEY" });
    expect(text()).toContain("apiKeyEnv: MINE_API_KEY");
    expect(text()).not.toContain(KEY);
    expect(JSON.stringify(added)).not.toContain(KEY);
    expect(await testProvider(place, "mine", signal)).toMatchObject({ ok: true, model: "mine/scripted-model" });
    expect(server.requests().at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    const views = listProviders(place);
    expect(views).toContainEqual(expect.objectContaining({ provider: "mine", models: 1, isReady: true, inFile: true }));
    expect(JSON.stringify(views)).not.toContain(KEY);
  });

  it("reports a failed test without its key, and stays", async () => {
    await addProvider(place, { ...mine(), baseUrl: "http://127.0.0.1:1/v1" }, KEY);
    const result = await testProvider(place, "mine", signal);
    expect(result).toMatchObject({ ok: false, model: "mine/scripted-model" });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(place.registry.configured()).toContain("mine");
  });

  it("needs a key for the test, unless the server needs none", async () => {
    await addProvider(place, mine());
    expect(await testProvider(place, "mine", signal)).toMatchObject({
      ok: false,
      message: expect.stringContaining("gantry auth set mine"),
    });
    await addProvider(place, { ...mine(), name: "open", noKey: true });
    expect(await testProvider(place, "open", signal)).toMatchObject({ ok: true });
  });

  it.each([
    [{ name: "a b", baseUrl: "http://h/v1" }, /not a valid provider name/],
    [{ name: "x", baseUrl: "http://h/v1", api: "cursor-agent" }, /wire format "cursor-agent"/],
    [{ name: "x", baseUrl: "http://h/v1", api: "anthropic-messages" }, /Name at least one model/],
    [{ name: "x", baseUrl: "localhost" }, /http/],
    [{ name: "constructor" }, /no preset and no provider/],
  ])("%j is refused and changes nothing", async (request, message) => {
    await expect(addProvider(place, request, KEY)).rejects.toThrow(message);
    expect(() => text()).toThrow();
    expect(place.credentials.rows()).toEqual([]);
  });

  it.each(["", "a b", "abc"])("the invalid key %j is refused before anything is written", async (key) => {
    await expect(addProvider(place, mine(), key)).rejects.toThrow(/not a valid key/);
    expect(() => text()).toThrow();
  });

  it("does not replace an entry, and removing it keeps comments and keys", async () => {
    const before = "# top\nproviders:\n  # first\n  old: # note\n    baseUrl: http://h\nprofiles: {} # end\n";
    writeFileSync(join(home, "agent/models.yml"), before);
    await addProvider(place, mine(), KEY);
    expect(await addProvider(place, { ...mine(), baseUrl: "http://other/v1" })).toMatchObject({ isNew: false });
    expect(text()).not.toContain("other");
    expect(await removeProvider(place, "mine")).toMatchObject({ stored: 1 });
    expect(text()).toBe(before);
    await expect(removeProvider(place, "mine")).rejects.toThrow(/no provider "mine"/);
  });
});

it("plans presets and known providers by name", () => {
  expect(planFor(place, { name: "zai" })).toMatchObject({ ok: true, provider: "glm-proxy", variable: "ZAI_API_KEY" });
  const known = planFor(place, { name: "openai" });
  expect(known).toEqual({ ok: true, provider: "openai", needsKey: true });
});

it("stores only the key of a provider that the catalogue has", async () => {
  expect(await addProvider(place, { name: "groq" }, KEY)).toMatchObject({ provider: "groq", isNew: false });
  expect(() => text()).toThrow();
  expect(place.credentials.has("groq")).toBe(true);
});

it("adding and removing a provider leaves any other entry and comment as it was", () => {
  const file = join(home, "any.yml");
  const name = fc.constantFrom("p", "q-1", "r.x");
  const entry = fc.tuple(name, fc.boolean(), fc.boolean(), fc.boolean()).map(([id, above, behind, below]) => ({
    id,
    lines: `${above ? `  # above ${id}\n` : ""}  ${id}:${behind ? ` # behind ${id}` : ""}\n    baseUrl: http://${id}\n${below ? "\n" : ""}`,
  }));
  const entries = fc.uniqueArray(entry, { selector: ({ id }) => id, minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(entries, fc.boolean(), fc.boolean(), (all, hasTail, hasTop) => {
      const body = all.map(({ lines }) => lines).join("");
      const before = `${hasTop ? "# top\n" : ""}providers:\n${body}${hasTail ? "# tail\nprofiles: {}\n" : ""}`;
      writeFileSync(file, before);
      const config = {
        baseUrl: "http://new",
        api: "openai-completions" as const,
        auth: "none" as const,
        models: [{ id: "m" }],
      };
      expect(insertProvider(file, "new", config)).toEqual({ ok: true, changed: true });
      expect(deleteProvider(file, "new")).toEqual({ ok: true, changed: true });
      const after = readFileSync(file, "utf8");
      for (const comment of before.match(/# .*/g) ?? []) expect(after).toContain(comment);
      expect([...checkModels(file, after).providers]).toEqual([...checkModels(file, before).providers]);
      for (const { id } of all) {
        expect(deleteProvider(file, id)).toEqual({ ok: true, changed: true });
        expect(checkModels(file, readFileSync(file, "utf8")).problems).toEqual([]);
      }
      expect(checkModels(file, readFileSync(file, "utf8")).providers.size).toBe(0);
    }),
    { numRuns: 60 },
  );
});

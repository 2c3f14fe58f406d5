import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS } from "../settings/schema.ts";
import {
  buildSystemPrompt,
  type DiscoverPlace,
  discoverContextFiles,
  discoverCredentials,
  discoverModels,
  discoverSettings,
  discoverSkills,
  isolatedSettings,
} from "./discover.ts";
import { createKeys, createModelList } from "./models.ts";
import { sessions } from "./sessions.ts";

let home: string;
let place: DiscoverPlace & { cwd: string };
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-discover-"));
  const cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(home, "agent", "skills", "parcels"), { recursive: true });
  writeFileSync(join(home, "agent", "skills", "parcels", "SKILL.md"), "---\ndescription: Sending parcels.\n---\n");
  writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.\n");
  place = { cwd, env: { HOME: home, GANTRY_HOME: home, OPENAI_API_KEY: "key-of-the-environment" } };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("discovery", () => {
  it("finds the context files, the skills and the settings of a place", async () => {
    writeFileSync(join(home, "agent", "config.yml"), "permissions.mode: plan\nnope: 1\n");
    expect(discoverContextFiles(place)).toEqual([
      { name: "AGENTS.md", path: join(place.cwd, "AGENTS.md"), content: "Use tabs." },
    ]);
    expect(await discoverSkills(place)).toEqual([
      {
        name: "parcels",
        description: "Sending parcels.",
        path: join(home, "agent", "skills", "parcels", "SKILL.md"),
      },
    ]);
    const { settings, problems } = await discoverSettings(place);
    expect(settings.permissions.mode).toBe("plan");
    expect(problems).toMatchObject([{ path: "nope" }]);
  });

  it("finds models and credentials, of the environment too", async () => {
    const credentials = await discoverCredentials(place);
    expect([credentials.has("openai"), credentials.has("anthropic")]).toEqual([true, false]);
    credentials.close();
    const { registry, close } = await discoverModels(place);
    expect(new Set(registry.available().map(({ provider }) => provider))).toEqual(new Set(["openai"]));
    close();
  });

  it("builds the system prompt that a session in this place has", async () => {
    const blocks = await buildSystemPrompt({ ...place, mode: "plan", appendSystemPrompt: "Be brief." });
    const text = blocks.join("\n");
    for (const part of ["Use tabs.", "skill://parcels", "Be brief.", `Working directory: ${place.cwd}`, "plan mode"]) {
      expect(text).toContain(part);
    }
    expect((await buildSystemPrompt({ ...place, systemPrompt: "A parrot." }))[0]).toBe("A parrot.");
  });
});

describe("parts without files", () => {
  it("are the defaults, with nested or dotted values", () => {
    expect(isolatedSettings()).toEqual(DEFAULT_SETTINGS);
    const nested = isolatedSettings({ compaction: { enabled: false } });
    expect(nested).toEqual(isolatedSettings({ "compaction.enabled": false }));
    expect(() => isolatedSettings({ "compaction.enabled": "perhaps" })).toThrow("compaction.enabled");
  });

  it("have models that are found like all others, and keys", async () => {
    const registry = createModelList([
      { provider: "a", id: "large", reasoning: true },
      { provider: "b", id: "small" },
    ]);
    expect(registry.resolve("b/small")?.model).toMatchObject({ provider: "b", name: "small", contextWindow: 128_000 });
    expect(registry.resolve("large:high")?.model.provider).toBe("a");
    expect(registry.resolve("nope")).toBeUndefined();
    await registry.refresh("online");
    expect(registry.available()).toHaveLength(2);
    const keys = createKeys({ a: "key-of-a" });
    expect(await keys.get("a")).toEqual({ kind: "key", key: "key-of-a" });
    expect(await keys.get("b")).toBeUndefined();
    keys.override("b", "key-of-b");
    expect(keys.has("b")).toBe(true);
  });

  it("list, open and fork session files", () => {
    const where = { agentDir: join(home, "agent") };
    const store = sessions.create(place.cwd, where);
    store.append({ type: "message", message: { role: "user", content: "hello", timestamp: 1 } });
    store.flush();
    store.close();
    const [listed] = sessions.list(place.cwd, where);
    expect(listed).toMatchObject({ id: store.header.id, firstMessage: "hello" });
    expect(sessions.listAll(where)).toEqual([listed]);
    expect(sessions.find(store.header.id.slice(0, 12), place.cwd, where)).toEqual(listed);
    const copy = sessions.fork(listed?.file ?? "", where);
    expect(copy.header).toMatchObject({ parentSession: listed?.file });
    copy.close();
    const again = sessions.open(listed?.file ?? "", where);
    expect(again.entries()).toHaveLength(1);
    expect(() => sessions.open(listed?.file ?? "", where)).toThrow("is in use");
    again.close();
    expect(() => sessions.open(join(place.cwd, "AGENTS.md"), where)).toThrow("is not a session");
    expect(sessions.inMemory(place.cwd).file).toBeUndefined();
    expect(sessions.continueRecent(join(home, "elsewhere"), where).entries()).toEqual([]);
  });
});

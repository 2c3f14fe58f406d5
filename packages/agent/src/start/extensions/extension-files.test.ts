import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openTrustStore } from "@gantry/trust";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { uiWithoutUser } from "../../extensions/ui/no-user.ts";
import { findProjectCode } from "../project/project-code.ts";
import { ExtensionWorld, run } from "../testing/extension-world.ts";
import { listExtensions, setExtensionEnabled } from "./list-extensions.ts";

let world: ExtensionWorld;
beforeEach(async () => {
  world = await ExtensionWorld.make();
});
afterEach(() => world.close());

const user = (name: string, text: string) => world.ofUser(join("extensions", name), text);

async function _trust(): Promise<void> {
  const { home, agentDir, cwd } = world;
  const items = await findProjectCode({ home, agentDir, gantryHome: home, cwd, path: "" });
  openTrustStore(home, agentDir).trust(cwd, items);
}

describe("files of an extension", () => {
  it("are loaded again between turns, also those that a module imports, and the old version is unloaded", async () => {
    user(
      "word.ts",
      'import { word } from "./lib/word.ts"; export default (g) => { g.registerCommand("word", { run: () => word }); return () => g.ui.notify("bye " + word); };',
    );
    user("lib/word.ts", 'export const word: string = "one";');
    const shown: string[] = [];
    const agent = await world.open({ showCommand: (text) => void shown.push(text) });
    await run(agent, "/word");
    user("lib/word.ts", 'export const word: string = "two";');
    await run(agent, "/word");
    user("new.js", 'export default (g) => g.registerCommand("new", { run: () => "new" });');
    await run(agent, "/new");
    rmSync(join(world.agentDir, "extensions/word.ts"));
    await run(agent, "/word");
    expect(shown).toEqual(["one", "two", "new"]);
    expect(world.notices.filter((text) => text.startsWith("bye"))).toEqual(["bye one", "bye two"]);
    expect(world.model.asked).toHaveLength(1);
  });

  it("may be disabled by the user, which a reload world.notices", async () => {
    user("one.js", 'export default (g) => g.registerCommand("one", { run: () => "x" });');
    const agent = await world.open();
    const { env, cwd } = world;
    const options = { env, cwd };
    await setExtensionEnabled(options, "one", false);
    expect(readFileSync(join(world.agentDir, "config.yml"), "utf8")).toContain("- one");
    await agent.extensions?.reload(true);
    expect(agent.extensions?.list()).toMatchObject([{ state: "disabled", adds: { commands: [] } }]);
    expect((await listExtensions(options)).extensions).toMatchObject([{ name: "one", state: "disabled" }]);
    await setExtensionEnabled(options, "one", true);
    await agent.extensions?.reload(true);
    expect(agent.extensions?.list()).toMatchObject([{ state: "active", adds: { commands: ["one"] } }]);
    await expect(setExtensionEnabled(options, "absent", false)).rejects.toThrow(
      "There is no extension absent. Known: one.",
    );
  });

  it("may be a package, which must ship JavaScript", async () => {
    const packed = (path: string, text: string) => world.ofUser(join("node_modules", path), text);
    world.ofUser("package.json", JSON.stringify({ dependencies: { found: "1", plain: "1" } }));
    packed(
      "found/package.json",
      JSON.stringify({ type: "module", gantry: { extensions: ["./a.js"], commands: "./texts" } }),
    );
    packed("found/a.js", 'export default (g) => g.registerCommand("found", { run: () => "x" });');
    packed("found/texts/hi.md", "Greet me.");
    packed("plain/package.json", "{}");
    packed("typed/package.json", JSON.stringify({ gantry: { extensions: ["./a.ts"] } }));
    packed("typed/a.ts", "export default () => {};");
    world.ofUser("config.yml", "extensions: [typed, missing]\n");
    const agent = await world.open();
    const rows = agent.extensions!.list().map(({ name, state, problem = "" }) => [name, state, problem]);
    expect(rows).toEqual([
      ["typed", "failed", expect.stringContaining("must ship JavaScript")],
      ["missing", "failed", expect.stringContaining("npm install --prefix")],
      ["found", "active", ""],
      ["found/commands", "active", ""],
    ]);
    expect(agent.services.slashCommands?.().map(({ name }) => name)).toEqual(["found", "hi"]);
  });
});

describe("a provider of an extension", () => {
  it("uses an existing wire format with a key, a variable, a function or a login", async () => {
    user(
      "providers.js",
      `export default (g) => {
        const common = { baseUrl: ${JSON.stringify(world.model.url)}, api: "openai-completions", models: [{ id: "m" }] };
        g.registerProvider("keyed", { ...common, key: "a-key-of-the-file" });
        g.registerProvider("asked", { ...common, key: async () => "a-key-of-the-function" });
        g.registerProvider("entered", { ...common, login: async ({ ui }) => (await ui.input("Key?")) ?? "" });
        g.registerProvider("broken", { api: "no-such-format", models: [{ id: "m" }] });
      };`,
    );
    const ui = { ...uiWithoutUser(), input: async () => "a-key-that-was-entered" };
    const agent = await world.open({ ui });
    const available = () => agent.session.availableModels().map(({ provider }) => provider);
    expect(available()).toEqual(expect.arrayContaining(["keyed", "asked"]));
    expect(available()).not.toContain("entered");
    expect(agent.problems.join()).toContain("broken");
    expect(await agent.services.loginProviders?.()).toContainEqual({
      id: "entered",
      name: "entered",
      available: true,
      authenticated: false,
    });
    const { signal } = new AbortController();
    await agent.services.login?.("entered", {
      signal,
      openUrl: () => {},
      code: async () => undefined,
      progress: () => {},
    });
    expect(available()).toContain("entered");
    for (const [provider, key] of [
      ["keyed", "file"],
      ["asked", "function"],
      ["entered", "entered"],
    ]) {
      await agent.session.setModel(provider!, "m");
      await run(agent, "hello");
      expect(world.model.keys.at(-1)).toMatch(new RegExp(`^Bearer a-key.*${key}$`));
    }
    expect(agent.registry.resolve("keyed/m")?.model.provider).toBe("keyed");
  });

  it("cannot replace one of models.yml, and its failure ends the run with a readable error", async () => {
    user(
      "providers.js",
      `export default (g) => {
        g.registerProvider("queued", { baseUrl: "http://127.0.0.1:1", api: "openai-completions", models: [{ id: "plain" }] });
        g.registerProvider("fails", { models: [{ id: "m" }], async *stream() { yield "a"; throw new Error("no power"); } });
      };`,
    );
    const agent = await world.open();
    await run(agent, "hello");
    expect(agent.session.lastAssistantText()).toBe("Done.");
    await agent.session.setModel("fails", "m");
    const ends: string[] = [];
    agent.session.subscribe((event) => event.type === "agent_settled" && ends.push(event.errorMessage ?? ""));
    await run(agent, "hello");
    expect(ends).toEqual(["The provider fails failed: no power"]);
  });
});

describe("docs/user/extensions.md", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../../docs/user/extensions.md"), "utf8");
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? "";

  it("shows a module, a command and hooks that work", async () => {
    user("greet.ts", block("ts"));
    world.ofUser("commands/review.md", block("md"));
    world.ofUser("hooks.json", block("json"));
    const agent = await world.open({ mode: "plan" });
    expect(agent.problems).toEqual([]);
    expect(agent.extensions?.list().map(({ state, adds }) => [state, adds])).toEqual([
      ["active", { tools: ["greet"], commands: ["hello"], hooks: ["before_tool"], providers: [] }],
      ["active", { tools: [], commands: ["review"], hooks: [], providers: [] }],
      ["active", { tools: [], commands: [], hooks: ["PreToolUse", "PostToolUse"], providers: [] }],
    ]);
    expect(agent.extensions?.commands()).toContainEqual(
      expect.objectContaining({
        name: "review",
        argumentHint: "[branch]",
        description: "Reviews the changes of a branch",
      }),
    );
  });
});

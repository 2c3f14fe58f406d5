import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openTrustStore } from "@gantry/trust";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { FakeModel } from "../session/testing/fakes.fake.ts";
import { findProjectCode } from "../start/project/project-code.ts";
import { lastResult } from "../start/testing/queued-model.fake.ts";
import { discoverPromptTemplates, isolatedSettings } from "./discover.ts";
import { createModelList } from "./models.ts";
import { SdkWorld } from "./testing/world.ts";
import { createTool } from "./tool.ts";

let world: SdkWorld;
beforeEach(async () => {
  world = await SdkWorld.make();
});
afterEach(() => world.close());

function writeTo(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function trustProject(): Promise<void> {
  const { home, agentDir, cwd } = world;
  const items = await findProjectCode({ home, agentDir, gantryHome: home, cwd, path: "" });
  openTrustStore(home, agentDir).trust(cwd, items);
}

/** An extension with a tool and a command. It leaves a file when it is loaded. */
const extension = (name: string, more = "") => `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(join(world.home, `${name}-loaded`))}, "");
const parameters = { type: "object" };
export default (gantry) => {
  gantry.registerTool({ name: "${name}", description: "Mine.", parameters, actions: () => [{ kind: "inner" }], run: () => "from ${name}" });
  gantry.registerCommand("${name}", { description: "Mine.", run: (args) => "handled " + args });
  ${more}
};
`;
const isLoaded = (name: string) => existsSync(join(world.home, `${name}-loaded`));

describe("extensions in a session of a program", () => {
  it("are those of the user, and those of the project once it is trusted", async () => {
    writeTo(world.agentDir, "extensions/mine.js", extension("mine"));
    writeTo(world.cwd, ".gantry/extensions/theirs.js", extension("theirs"));
    const { session, problems } = await world.create();
    expect(session.getAllTools()).toContain("mine");
    expect(session.getAllTools()).not.toContain("theirs");
    expect(isLoaded("theirs")).toBe(false);
    expect(problems.join()).toContain("Not used, because you have not trusted this content of the folder: theirs.");
    world.model.queue({ calls: [{ name: "mine", args: {} }] });
    await session.prompt("go");
    expect(lastResult(world.model.asked.at(-1) ?? { model: "", messages: [] })).toBe("from mine");
    await trustProject();
    const trusted = await world.create();
    expect(trusted.session.getAllTools()).toEqual(expect.arrayContaining(["mine", "theirs"]));
    expect(trusted.problems).toEqual([]);
  });

  it("are left out with false: no code, no hook and no command of a file", async () => {
    writeTo(world.agentDir, "extensions/mine.js", extension("mine"));
    writeTo(world.agentDir, "commands/explain.md", "Explain $ARGUMENTS.\n");
    const { session } = await world.create({ extensions: false });
    expect(session.getAllTools()).not.toContain("mine");
    expect((await session.prompt("/explain this")).messages[0]).toMatchObject({ content: "/explain this" });
    expect(isLoaded("mine")).toBe(false);
    const { session: usual } = await world.create();
    expect(JSON.stringify((await usual.prompt("/explain this")).messages[0])).toContain("Explain this.");
  });

  it("can be named by the program, also together with settings", async () => {
    writeTo(world.home, "elsewhere/named.js", extension("named"));
    writeTo(world.agentDir, "extensions/off.js", extension("off"));
    const { session } = await world.create({
      extensions: [join(world.home, "elsewhere/named.js")],
      settings: isolatedSettings({ disabledExtensions: ["off"] }),
    });
    expect(session.getAllTools()).toContain("named");
    expect(isLoaded("off")).toBe(false);
  });

  it("end the prompt of a command that they handle, at rest and during a run", async () => {
    writeTo(world.agentDir, "extensions/mine.js", extension("mine"));
    const { session } = await world.create();
    const notices: string[] = [];
    session.on("notice", ({ message }) => void notices.push(message));
    expect(await session.prompt("/mine now")).toEqual({ reason: "completed", text: "", messages: [] });
    expect(await session.sendUserMessage("/mine later")).toBe("handled");
    expect(notices).toEqual(["handled now", "handled later"]);
    expect(world.model.asked).toEqual([]);
    const running = session.prompt("hello");
    const during = session.prompt("/mine during", { streamingBehavior: "steer" });
    expect([(await running).reason, (await during).reason]).toEqual(["completed", "completed"]);
    expect(notices).toContain("handled during");
  });

  it("wait for the run that a handled command starts", async () => {
    const send = 'gantry.registerCommand("ask", { description: "Asks.", run: (args) => gantry.session.send(args) });';
    writeTo(world.agentDir, "extensions/mine.js", extension("mine", send));
    const { session } = await world.create();
    expect(await session.prompt("/ask hello")).toMatchObject({ reason: "completed", text: "Done." });
  });

  it("replace no tool, while a tool of the program replaces theirs and built-in ones", async () => {
    const tool = (name: string) =>
      `gantry.registerTool({ name: "${name}", description: "Of the extension.", parameters, run: () => "no" });`;
    writeTo(world.agentDir, "extensions/mine.js", extension("mine", tool("read") + tool("grep")));
    const own = (name: string) =>
      createTool({ name, description: "Of the program.", schema: z.object({}), run: async () => "yes" });
    const { session } = await world.create({ tools: [own("read"), own("mine")] });
    const descriptions = new Map(session.tools().map(({ name, description }) => [name, description]));
    expect([descriptions.get("read"), descriptions.get("mine")]).toEqual(["Of the program.", "Of the program."]);
    expect(descriptions.get("grep")).not.toBe("Of the extension.");
  });

  it("cannot send requests past the stream of a program, or change its registry", async () => {
    const provider = `gantry.registerProvider("theirs", { models: [{ id: "m", contextWindow: 1000, maxTokens: 100 }], async *stream() { yield { type: "text", text: "from the extension" }; } });`;
    writeTo(world.agentDir, "extensions/mine.js", extension("mine", provider));
    const model = new FakeModel({ text: "from the program" });
    const { session } = await world.create({ model: "theirs/m", stream: model.stream });
    expect((await session.prompt("hello")).text).toBe("from the program");
    const registry = createModelList([{ provider: "own", id: "mine" }]);
    await world.create({ model: "own/mine", registry, stream: model.stream });
    expect(registry.all().map(({ provider: name }) => name)).toEqual(["own"]);
    const { session: usual } = await world.create({ model: "theirs/m" });
    expect((await usual.prompt("hello")).text).toBe("from the extension");
  });

  it("are unloaded with the session, and when no session can be created", async () => {
    const proof = join(world.home, "unloaded");
    const cleanup = `return () => writeFileSync(${JSON.stringify(proof)}, "");`;
    writeTo(world.agentDir, "extensions/mine.js", extension("mine", cleanup));
    await expect(world.create({ resume: "nope" })).rejects.toThrow("No session found");
    expect(existsSync(proof)).toBe(true);
    const before = process.listenerCount("uncaughtException");
    const [one, two] = [await world.create(), await world.create()];
    expect(process.listenerCount("uncaughtException")).toBe(before + 1);
    await one.session.dispose();
    await two.session.dispose();
    expect(process.listenerCount("uncaughtException")).toBe(before);
  });
});

describe("discoverPromptTemplates", () => {
  it("lists the Markdown commands that a session offers, and runs nothing", async () => {
    writeTo(world.agentDir, "commands/explain.md", "---\ndescription: Explains.\n---\nExplain $ARGUMENTS.\n");
    writeTo(world.agentDir, "prompts/git/log.md", "Look at !`git log`.\n");
    writeTo(world.agentDir, "extensions/mine.js", extension("mine"));
    writeTo(world.cwd, ".gantry/commands/explain.md", "Of the project.\n");
    const { cwd, env, agentDir } = world;
    const place = { cwd, env, agentDir };
    expect(await discoverPromptTemplates(place)).toEqual([
      {
        name: "explain",
        description: "Explains.",
        path: join(agentDir, "commands/explain.md"),
        body: expect.stringContaining("Explain $ARGUMENTS."),
      },
      expect.objectContaining({ name: "git:log", path: join(agentDir, "prompts/git/log.md") }),
    ]);
    expect(isLoaded("mine")).toBe(false);
    await trustProject();
    const paths = (await discoverPromptTemplates(place)).map(({ path }) => path);
    expect(paths).toEqual([join(cwd, ".gantry/commands/explain.md"), join(agentDir, "prompts/git/log.md")]);
    writeFileSync(join(agentDir, "config.yml"), "disabledExtensions: [user prompts]\n");
    expect(await discoverPromptTemplates(place)).toHaveLength(1);
  });
});

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { SessionError } from "../contract/session.ts";
import type { SessionEvent } from "../contract/session-event.ts";
import { FakeModel, fakeCredentials, fakeRegistry, MODEL } from "../session/testing/fakes.fake.ts";
import { lastResult } from "../start/testing/queued-model.fake.ts";
import { isolatedSettings } from "./discover.ts";
import { createKeys, createModelList } from "./models.ts";
import { sessions } from "./sessions.ts";
import { SdkWorld } from "./testing/world.ts";
import { createTool } from "./tool.ts";

let world: SdkWorld;
beforeEach(async () => {
  world = await SdkWorld.make();
});
afterEach(() => world.close());

const write = (path: string) => ({ calls: [{ name: "write", args: { path, content: "hello\n" } }] });
const asked = () => world.model.asked;
const lastAsked = () => asked().at(-1) ?? { model: "", messages: [] };

describe("a session without options", () => {
  it("uses the models, the rules and the skills of this machine, and stores the conversation", async () => {
    writeFileSync(join(world.cwd, "AGENTS.md"), "Answer in verse.\n");
    mkdirSync(join(world.agentDir, "skills", "parcels"), { recursive: true });
    writeFileSync(join(world.agentDir, "skills", "parcels", "SKILL.md"), "---\ndescription: Sending parcels.\n---\n");
    const { session, problems, modelFallbackMessage } = await world.create({ model: undefined });
    const { reason, text, messages } = await session.prompt("hello");
    expect({ reason, text, problems, modelFallbackMessage }).toEqual({
      reason: "completed",
      text: "Done.",
      problems: [],
      modelFallbackMessage: undefined,
    });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    const prompt = JSON.stringify(lastAsked().messages);
    expect(prompt).toContain("Answer in verse.");
    expect(prompt).toContain("skill://parcels");
    expect(existsSync(session.sessionFile ?? "")).toBe(true);
    expect(sessions.list(world.cwd, { agentDir: world.agentDir })).toHaveLength(1);
  });

  it("denies what needs approval at once, and reports it to the model as a tool result", async () => {
    world.model.queue(write("new.txt"));
    const { session } = await world.create();
    const { reason } = await session.prompt("write");
    expect(reason).toBe("completed");
    expect(lastResult(lastAsked())).toContain("No person is available to allow it (mode ask)");
    expect(existsSync(join(world.cwd, "new.txt"))).toBe(false);
  });

  it("never works in a freer mode than ask, whatever the settings or a resumed session contain", async () => {
    writeFileSync(join(world.agentDir, "config.yml"), "permissions:\n  mode: full-auto\n");
    expect((await world.create()).session.state().mode).toBe("ask");
    const free = await world.create({ mode: "full-auto" });
    await free.session.prompt("hello");
    const resume = free.session.id;
    await free.session.dispose();
    const resumed = await world.create({ resume });
    expect(resumed.session.id).toBe(resume);
    expect(resumed.session.state().mode).toBe("ask");
  });

  it("keeps the stricter mode of the settings", async () => {
    writeFileSync(join(world.agentDir, "config.yml"), "permissions:\n  mode: plan\n");
    expect((await world.create()).session.state().mode).toBe("plan");
  });

  it("sends placeholders instead of secrets, unless the program turns that off", async () => {
    const secret = "s3cret-value-of-the-user";
    const env = { ...world.env, PARCEL_TOKEN: secret };
    const { session } = await world.create({ env });
    await session.prompt(`the token is ${secret}`);
    expect(JSON.stringify(lastAsked())).not.toContain(secret);
    const open = await world.create({ env, redactSecrets: false });
    await open.session.prompt(`the token is ${secret}`);
    expect(JSON.stringify(lastAsked())).toContain(secret);
  });

  it("starts no server of an untrusted project", async () => {
    const proof = join(world.home, "started");
    const command = process.execPath;
    const args = ["-e", `require("fs").writeFileSync(${JSON.stringify(proof)}, "")`];
    mkdirSync(join(world.cwd, ".gantry"));
    writeFileSync(join(world.cwd, ".gantry", "mcp.json"), JSON.stringify({ mcpServers: { evil: { command, args } } }));
    const { session } = await world.create();
    await session.prompt("hello");
    expect(existsSync(proof)).toBe(false);
    writeFileSync(join(world.agentDir, "config.yml"), "mcp.enableProjectConfig: true\n");
    await (await world.create()).session.prompt("hello");
    expect(existsSync(proof)).toBe(true);
  });

  it("explains that there is no model, and refuses a prompt", async () => {
    writeFileSync(join(world.agentDir, "models.yml"), "{}");
    const { session, modelFallbackMessage } = await world.create({ model: undefined });
    expect(modelFallbackMessage).toContain("No model is available.");
    await expect(session.prompt("hello")).rejects.toThrow(SessionError);
  });

  it("rejects a session that does not exist, and leaves nothing open", async () => {
    await expect(world.create({ resume: "nope" })).rejects.toThrow("No session found matching 'nope'.");
    await expect(world.create({ toolNames: ["nosuch"] })).rejects.toThrow("There is no tool nosuch.");
  });
});

describe("options", () => {
  it("replace models, credentials and the stream, and leave the machine's files alone", async () => {
    const model = new FakeModel({ text: "from the program" });
    const before = readdirSync(world.agentDir);
    const { session, registry } = await world.create({
      model: "own/mine",
      registry: createModelList([{ provider: "own", id: "mine" }]),
      credentials: createKeys({ own: "key-of-own" }),
      stream: model.stream,
      store: "memory",
      settings: isolatedSettings(),
      rules: false,
      mcp: false,
    });
    expect((await session.prompt("hello")).text).toBe("from the program");
    expect(model.requests[0]?.request.credential).toEqual({ kind: "key", key: "key-of-own" });
    expect(registry.all().map(({ provider, id }) => `${provider}/${id}`)).toEqual(["own/mine"]);
    expect(session.sessionFile).toBeUndefined();
    await session.dispose();
    expect(readdirSync(world.agentDir)).toEqual(before);
    expect(asked()).toEqual([]);
  });

  it("accept a registry and credentials that the program implements", async () => {
    const model = new FakeModel({ text: "fake" });
    const { session } = await world.create({
      model: MODEL,
      registry: fakeRegistry(),
      credentials: fakeCredentials("key"),
      stream: model.stream,
    });
    expect((await session.prompt("hello")).text).toBe("fake");
  });

  it("give the model a key for this process only", async () => {
    writeFileSync(join(world.agentDir, "models.yml"), "{}");
    const { session, modelFallbackMessage: none } = await world.create({
      model: undefined,
      apiKeys: { openai: "key-of-this-run" },
    });
    expect(none).toBeUndefined();
    expect(session.state().model?.provider).toBe("openai");
    await session.dispose();
    const { modelFallbackMessage } = await world.create({ model: undefined });
    expect(modelFallbackMessage).toContain("No model is available.");
  });

  it("ask the callback for approval, once for each call, and pass its reason to the model", async () => {
    const titles: string[] = [];
    const { session } = await world.create({
      approve(request) {
        titles.push(request.toolName);
        if (titles.length === 2) return { decision: "deny", reason: "Not this one." };
        if (titles.length === 3) throw new Error("broken");
        return true;
      },
    });
    for (const name of ["a.txt", "b.txt", "c.txt"]) {
      world.model.queue(write(name));
      await session.prompt("write");
      const result = lastResult(lastAsked());
      if (name === "b.txt") expect(result).toContain("Not this one.");
      if (name === "c.txt") expect(result).toContain("The approval failed: broken");
    }
    expect(titles).toEqual(["write", "write", "write"]);
    expect(readdirSync(world.cwd)).toEqual(["a.txt"]);
  });

  it("deny a call whose callback replies with anything else than promised", async () => {
    for (const reply of [undefined, null, "yes", 1, {}, { decision: "always" }]) {
      world.model.queue(write("odd.txt"));
      const { session } = await world.create({ approve: () => reply as never, store: "memory" });
      await session.prompt("write");
      expect(existsSync(join(world.cwd, "odd.txt"))).toBe(false);
    }
  });

  it("answer the model's questions", async () => {
    const question = { id: "colour", question: "Which?", options: [{ label: "red" }, { label: "blue" }] };
    world.model.queue({ calls: [{ name: "ask", args: { questions: [question] } }] });
    const { session } = await world.create({
      answer: (questions) => questions.map(({ id }) => ({ id, selected: ["blue"] })),
    });
    await session.prompt("ask me");
    expect(lastResult(lastAsked())).toContain("blue");
  });

  it("keep only the named built-in tools, or none", async () => {
    const { session } = await world.create({ toolNames: ["read", "grep"] });
    expect(session.getAllTools()).toEqual(["read", "grep"]);
    const none = await world.create({ toolNames: [] });
    expect(none.session.getAllTools()).toEqual([]);
  });

  it("replace the system prompt and the settings", async () => {
    writeFileSync(join(world.agentDir, "config.yml"), "steeringMode: all\n");
    const { session } = await world.create({
      systemPrompt: "You are a parrot.",
      appendSystemPrompt: "Speak twice.",
      settings: isolatedSettings({ "compaction.enabled": false }),
    });
    expect(session.systemPrompt()[0]).toBe("You are a parrot.");
    expect(session.systemPrompt().join("\n")).toContain("Speak twice.");
    expect(session.state()).toMatchObject({ autoCompactionEnabled: false, steeringMode: "one-at-a-time" });
    expect(() => isolatedSettings({ "compaction.nope": 1 })).toThrow("compaction.nope");
  });

  it("use a store of the program", async () => {
    const store = sessions.inMemory(world.cwd);
    const { session } = await world.create({ store });
    await session.prompt("hello");
    expect(store.header.id).toBe(session.id);
    expect(store.entries().filter(({ type }) => type === "message")).toHaveLength(2);
  });
});

describe("tools of a program", () => {
  it("run with checked arguments, and their errors are results", async () => {
    const seen: unknown[] = [];
    const weather = createTool({
      name: "weather",
      description: "The weather.",
      schema: z.object({ city: z.string() }),
      async run({ city }, { signal }) {
        seen.push([city, signal.aborted]);
        if (city === "Nowhere") throw new Error("There is no such city.");
        return `sunny in ${city}`;
      },
    });
    const { session } = await world.create({ tools: [weather] });
    const call = async (args: Record<string, unknown>) => {
      world.model.queue({ calls: [{ name: "weather", args }] });
      await session.prompt("weather?");
      return lastResult(lastAsked());
    };
    expect(await call({ city: "Oslo" })).toContain("sunny in Oslo");
    expect(await call({ city: "Nowhere" })).toContain("There is no such city.");
    expect(await call({ town: "Oslo" })).toContain("city");
    expect(seen).toEqual([
      ["Oslo", false],
      ["Nowhere", false],
    ]);
  });

  it("accept a JSON Schema, and are not called in plan mode", async () => {
    let calls = 0;
    const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const count = createTool({
      name: "count",
      description: "Counts.",
      parameters,
      run: async ({ n }) => {
        calls += 1;
        return `counted ${String(n)}`;
      },
    });
    const { session } = await world.create({ tools: [count] });
    world.model.queue({ calls: [{ name: "count", args: { n: 3 } }] });
    await session.prompt("count");
    expect(lastResult(lastAsked())).toContain("counted 3");
    world.model.queue({ calls: [{ name: "count", args: { n: "three" } }] });
    await session.prompt("count");
    expect(lastResult(lastAsked())).toContain("not valid");
    session.setMode("plan");
    world.model.queue({ calls: [{ name: "count", args: { n: 4 } }] });
    await session.prompt("count");
    expect(calls).toBe(1);
  });

  it("replace built-in tools of the same name, and get the user interface", async () => {
    const shown: string[] = [];
    const read = createTool({
      name: "read",
      description: "Reads.",
      schema: z.object({}),
      async run(_, { ui }) {
        ui?.notify("reading");
        return (await ui?.confirm("Sure?", "Really?")) ? "confirmed" : "not confirmed";
      },
    });
    const { session, setToolUi } = await world.create({ tools: [read] });
    const run = async () => {
      world.model.queue({ calls: [{ name: "read", args: {} }] });
      await session.prompt("read");
      return lastResult(lastAsked());
    };
    expect(await run()).toContain("not confirmed");
    const none = async () => undefined;
    setToolUi({
      select: none,
      confirm: async () => true,
      input: none,
      editor: none,
      notify: (message) => void shown.push(message),
      setStatus: () => undefined,
      setWidget: () => undefined,
      setTitle: () => undefined,
      setEditorText: () => undefined,
    });
    expect(await run()).toMatch(/(?<!not )confirmed/);
    expect(shown).toEqual(["reading"]);
  });

  it("can be activated and deactivated between requests", async () => {
    const { session } = await world.create();
    session.setActiveTools(["read", "grep"]);
    await session.prompt("hello");
    expect(lastAsked().tools?.map((tool) => tool.function.name)).toEqual(["read", "grep"]);
    expect(session.systemPrompt().join("\n")).toContain("Tools: read, grep.");
    expect(session.getActiveTools()).toEqual(["read", "grep"]);
    expect(session.getAllTools().length).toBeGreaterThan(5);
    expect(() => session.setActiveTools(["read", "nosuch"])).toThrow("There is no tool nosuch.");
    expect(session.getActiveTools()).toEqual(["read", "grep"]);
  });
});

describe("events and messages", () => {
  it("have the shapes of the protocol, with the answer so far in each update", async () => {
    world.model.queue({ text: "one two" });
    const { session } = await world.create();
    const events: SessionEvent[] = [];
    session.subscribe((event) => void events.push(event));
    const deltas: string[] = [];
    const stop = session.on("message_update", ({ assistantMessageEvent: piece, message }) => {
      if (piece.type === "text_delta") deltas.push(piece.delta);
      expect(message.role).toBe("assistant");
    });
    session.subscribe(() => {
      throw new Error("a listener that fails");
    });
    await session.prompt("hello");
    stop();
    await session.prompt("again");
    expect(deltas.join("")).toBe("one two");
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === "agent_start")).toHaveLength(2);
    expect(types.filter((type) => type === "agent_settled")).toHaveLength(2);
    const last = events.findLast((event) => event.type === "message_update");
    expect(last?.message.content).toEqual([{ type: "text", text: "Done." }]);
  });

  it("refuse a second prompt during a run, and queue it if the program requests that", async () => {
    const { session } = await world.create();
    const first = session.prompt("first");
    await expect(session.prompt("second")).rejects.toThrow("already processing");
    expect(await session.sendUserMessage([{ type: "text", text: "third" }], { deliverAs: "followUp" })).toBe("queued");
    const { messages } = await first;
    expect(messages.filter(({ role }) => role === "user")).toHaveLength(2);
  });

  it("add a custom message to the conversation, with or without a run", async () => {
    const { session } = await world.create();
    const starts: string[] = [];
    session.on("message_start", ({ message }) => void starts.push(message.role));
    expect(await session.sendCustomMessage({ customType: "note", content: "The build is green." })).toBe("stored");
    expect(asked()).toHaveLength(0);
    expect(starts).toEqual(["custom"]);
    const run = { triggerTurn: true };
    expect(await session.sendCustomMessage({ customType: "note", content: "Deploy now." }, run)).toBe("started");
    await session.waitUntilSettled();
    expect(JSON.stringify(lastAsked().messages)).toContain("The build is green.");
    expect(JSON.stringify(lastAsked().messages)).toContain("Deploy now.");
    await session.sendCustomMessage({ customType: "note", content: "Later." }, { deliverAs: "nextTurn" });
    await session.prompt("hello");
    expect(JSON.stringify(lastAsked().messages)).toContain("Later.");
  });

  it("report the failure of a model in the result, not as an error", async () => {
    const { session } = await world.create({ settings: isolatedSettings({ "retry.enabled": false }) });
    await world.model.close();
    const { reason, errorMessage } = await session.prompt("hello");
    expect(reason).toBe("error");
    expect(errorMessage).toBeTruthy();
    world = await SdkWorld.make();
  });

  it("end with dispose, which may be called twice and refuses later prompts", async () => {
    const { session } = await world.create();
    await session.prompt("hello");
    await Promise.all([session.dispose(), session.dispose()]);
    await expect(session.prompt("again")).rejects.toThrow("The session has ended.");
  });
});

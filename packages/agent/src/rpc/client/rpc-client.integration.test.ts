import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { World } from "../testing/world.ts";
import { RpcClient, type RpcClientOptions } from "./rpc-client.ts";

describe("an RPC client of a real agent", () => {
  let world: World;
  const clients: RpcClient[] = [];
  const problems: string[] = [];
  beforeAll(async () => {
    world = await World.make();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) expect(await client.close()).toMatchObject({ code: 0 });
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(() => world.close());

  async function start(options: RpcClientOptions = {}): Promise<RpcClient> {
    const { program, options: place } = world.command([]);
    const onProblem = (message: string) => void problems.push(message);
    const client = await RpcClient.start({ command: program, ...place, onProblem, ...options });
    clients.push(client);
    return client;
  }

  it("sends typed commands and gets typed results", async () => {
    const client = await start();
    const { model, mode, dumpTools = [] } = await client.commands.getState({ include: ["tools"] });
    expect([model?.id, mode]).toEqual(["one", "ask"]);
    expect(dumpTools.map(({ name }) => name)).toContain("read");
    const phases = [
      { id: "phase-1", name: "Work", tasks: [{ id: "task-1", content: "Look", status: "in_progress" as const }] },
    ];
    expect(await client.commands.setTodos({ phases })).toEqual({ todoPhases: phases });
    expect((await client.commands.setModel({ provider: "scripted", modelId: "two" })).name).toBe("Model two");
    expect((await client.commands.getAvailableModels()).models).toHaveLength(2);
    await expect(client.commands.setModel({ provider: "a", modelId: "b" })).rejects.toThrow("Model not found: a/b");
    await expect(client.commands.setSessionName({ name: " " })).rejects.toThrow("Session name cannot be empty");
    await expect(client.respondGate("wg_1", true)).rejects.toMatchObject({ details: { code: "unknown_gate" } });
    const { output, exitCode } = await client.commands.bash({ command: "echo hello" });
    expect([output.trim(), exitCode]).toEqual(["hello", 0]);
  });

  it("runs a prompt, with events in a loop and in listeners", async () => {
    const client = await start();
    const deltas: string[] = [];
    client.on("message_update", ({ assistantMessageEvent: piece }) => {
      if (piece.type === "text_delta") deltas.push(piece.delta);
    });
    const loop = (async () => {
      const types: string[] = [];
      for await (const { type } of client.events()) {
        types.push(type);
        if (type === "agent_settled") break;
      }
      return types;
    })();
    const { reason, text, messages } = await client.run("[[text]] hello");
    expect({ reason, text }).toEqual({ reason: "completed", text: deltas.join("") });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect((await loop).slice(0, 2)).toEqual(["agent_start", "turn_start"]);
    expect((await client.commands.getLastAssistantText()).text).toBe(text);
  });

  it("ends the run of a command that an extension handles, and shows what it returned", async () => {
    const folder = join(world.agentDir, "extensions");
    mkdirSync(folder);
    const command = '{ description: "Greets.", run: (args) => "Hello " + args }';
    writeFileSync(join(folder, "greet.js"), `export default (gantry) => gantry.registerCommand("hello", ${command});`);
    const shown: string[] = [];
    const client = await start({
      ui(request) {
        if (request.method === "notify") shown.push(request.message);
        return undefined;
      },
    });
    expect(await client.run("/hello you")).toEqual({ reason: "completed", text: "", messages: [] });
    expect((await client.run("[[text]] hello")).reason).toBe("completed");
    expect(shown).toEqual(["Hello you"]);
    rmSync(folder, { recursive: true });
  });

  it("serves tools and addresses of the host, of any content type", async () => {
    const client = await start();
    const rows = new Map([["db://rows/1", "a,b"]]);
    const seen: unknown[] = [];
    const parameters = { type: "object", properties: { a: { type: "number" } } };
    const tool = { name: "my_tool", description: "Mine.", parameters };
    expect(await client.setTools([{ ...tool, run: (args) => `got ${String(seen.push(args))}` }])).toEqual(["my_tool"]);
    const read = (url: string) => {
      seen.push(url);
      return { content: rows.get(url) ?? "", contentType: "text/csv; charset=utf-8", notes: ["fresh"] };
    };
    const write = (url: string, content: string) => void rows.set(url, content);
    expect(await client.setSchemes([{ scheme: "DB", read, write }])).toEqual(["db"]);
    expect((await client.run("[[dyntool]] go")).reason).toBe("completed");
    expect((await client.run("[[read:db://rows/1]] go")).reason).toBe("completed");
    expect((await client.run("[[writeto:db://rows/2]] go")).reason).toBe("completed");
    expect(seen).toEqual([{ a: 1 }, "db://rows/1"]);
    expect(rows.get("db://rows/2")).toBe("written there\n");
    const { messages } = await client.commands.getMessages();
    const results = messages.filter(({ role }) => role === "toolResult");
    expect(JSON.stringify(results)).toContain("a,b");
    expect(JSON.stringify(results)).not.toContain('"isError":true');
  });

  it("answers approvals by dialog and by gate, and denies them without a callback", async () => {
    const path = (name: string) => join(world.folder, `outside-${name}`);
    const titles: string[] = [];
    const byDialog = await start({
      ui(request) {
        if (request.method !== "select") return undefined;
        titles.push(request.title);
        return "Allow once";
      },
    });
    await byDialog.run(`[[writeto:${path("dialog")}]] go`);
    expect([titles.length, existsSync(path("dialog"))]).toEqual([1, true]);
    const byGate = await start({ gate: ({ kind }) => ({ decision: kind === "approval" ? "approve" : "deny" }) });
    await byGate.commands.setWorkflowGates({ enabled: true });
    await byGate.run(`[[writeto:${path("gate")}]] go`);
    expect(existsSync(path("gate"))).toBe(true);
    const alone = await start();
    expect((await alone.run(`[[writeto:${path("none")}]] go`)).reason).toBe("completed");
    expect(existsSync(path("none"))).toBe(false);
  });

  it("rejects what is open when the agent is killed", async () => {
    const client = await start();
    const run = client.run("[[slow:100:100]] go");
    await new Promise<void>((resolve) => {
      const stop = client.on("message_update", () => {
        stop();
        resolve();
      });
    });
    process.kill(client.pid ?? 0, "SIGKILL");
    await expect(run).rejects.toMatchObject({ reason: "exit" });
    expect(await client.exited).toMatchObject({ signal: "SIGKILL" });
    clients.splice(0);
  });
});

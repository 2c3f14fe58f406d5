import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { phases, state } from "./testing/frames.ts";
import { World } from "./testing/world.ts";

describe("a published client of the protocol", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.make();
  });
  afterEach(async () => expect(await world.stopAndListInvalid()).toEqual([]));
  afterAll(() => world.close());

  it("gets the whole message so far with each update, if it requests that", async () => {
    const client = await world.start(["--full-updates"]);
    const updates = (await client.run("[[text]] hello")).filter(({ type }) => type === "message_update");
    const texts = updates.map(({ message }) =>
      (message as { content: { text?: string }[] }).content.map(({ text = "" }) => text).join(""),
    );
    expect(texts.length).toBeGreaterThan(2);
    for (const [at, text] of texts.entries()) expect(text.startsWith(texts[at - 1] ?? "")).toBe(true);
    expect(texts.at(-1)).toContain("The answer is 42.");
  });

  it("answers a dialog by a gate response, and the run continues", async () => {
    const client = await world.start();
    await client.prompt(`[[writeto:${join(world.work, "gate.txt")}]] write`);
    const { id } = await client.wait(({ type }) => type === "extension_ui_request");
    const answered = await client.send("workflow_gate_response", { gate_id: id, answer: "Allow once" }).response;
    expect(answered).toMatchObject({ success: true, data: { status: "accepted" } });
    await client.waitUntilIdle();
  });

  it("finds the tools and todos of the protocol, whatever the user configured", async () => {
    writeFileSync(join(world.agentDir, "config.yml"), "todo.enabled: false\ntask.maxRecursionDepth: 0\n");
    const client = await world.start();
    const { dumpTools = [] } = await client.ask(state, "get_state", { include: ["tools"] });
    expect(dumpTools.map(({ name }) => name)).toEqual(expect.arrayContaining(["todo_write", "task"]));
  });

  it("gets an error for a file that is not a session, and stays in its session", async () => {
    const file = join(world.work, "notes.jsonl");
    writeFileSync(file, "hello\n");
    const client = await world.start();
    const before = await client.ask(state, "get_state");
    expect(await client.expectRefusal("switch_session", { sessionPath: file })).toContain("is not a session");
    expect((await client.ask(state, "get_state")).sessionId).toBe(before.sessionId);
  });

  it("gets the documented results for the documented payloads", async () => {
    const client = await world.start();
    const plan = [
      {
        id: "phase-1",
        name: "Evaluation",
        tasks: [
          { id: "task-1", content: "Map the read tool", status: "in_progress" },
          { id: "task-2", content: "Exercise edits", status: "pending" },
        ],
      },
    ];
    const todos = z.strictObject({ todoPhases: phases });
    expect(await client.ask(todos, "set_todos", { phases: plan })).toEqual({ todoPhases: plan });
    const parameters = {
      type: "object",
      properties: { message: { type: "string" } },
      required: ["message"],
      additionalProperties: false,
    };
    const tool = { name: "echo_host", label: "Echo Host", description: "Echoes a value", parameters };
    const names = z.strictObject({ toolNames: z.array(z.string()) });
    expect(await client.ask(names, "set_host_tools", { tools: [tool] })).toEqual({ toolNames: ["echo_host"] });
    for (const [command, mode] of Object.entries({
      set_steering_mode: "all",
      set_follow_up_mode: "all",
      set_interrupt_mode: "wait",
    })) {
      await client.ask(z.undefined(), command, { mode });
    }
    const all = await client.ask(state, "get_state", { include: ["dumpTools", "systemPrompt"] });
    expect(all).toMatchObject({ steeringMode: "all", followUpMode: "all", interruptMode: "wait", todoPhases: plan });
    expect(all.dumpTools?.find(({ name }) => name === "echo_host")?.parameters).toEqual(parameters);
    expect(all.systemPrompt?.length).toBeGreaterThan(0);
    const { dumpTools, systemPrompt } = await client.ask(state, "get_state");
    expect([dumpTools, systemPrompt]).toEqual([undefined, undefined]);
  });

  it("stays connected after a malformed line, an unknown command and an answer to an unknown dialog", async () => {
    const client = await world.start();
    client.process.sendText("{broken");
    expect(await client.wait(({ type }) => type === "response")).toMatchObject({ command: "parse", success: false });
    client.process.send({ type: "extension_ui_response", id: "nope", value: "x" });
    client.process.send({ type: "host_uri_result", id: "nope", content: "", contentType: "text/html" });
    expect(await client.expectRefusal("no_such_command")).toBe("Unknown command: no_such_command");
    expect(await client.expectRefusal("set_session_name", { name: " " })).toBe("Session name cannot be empty");
    expect((await client.ask(state, "get_state")).isStreaming).toBe(false);
  });
});

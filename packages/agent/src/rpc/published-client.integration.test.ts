import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { state } from "./testing/frames.ts";
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
});

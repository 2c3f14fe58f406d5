import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { gate, state } from "./testing/frames.ts";
import { World } from "./testing/world.ts";

const nothing = z.undefined();

describe("the process behind a strict client", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.make();
  });
  afterEach(async () => expect(await world.stopAndListInvalid()).toEqual([]));
  afterAll(() => world.close());

  it("resumes its session after a kill", async () => {
    const client = await world.start(["--permission-mode", "full-auto"]);
    await client.run("[[bash]] a command");
    const { sessionFile, sessionId, messageCount } = await client.ask(state, "get_state");
    process.kill(-client.process.pid, "SIGKILL");
    await client.process.exit;
    const again = await world.start(["--session", sessionId]);
    expect(await again.ask(state, "get_state")).toMatchObject({ sessionFile, sessionId, messageCount });
    await again.run("[[text]] continue");
  });

  it("shows a gate again after a kill and passes the answer to the model", async () => {
    const client = await world.start();
    await client.ask(nothing, "set_workflow_gates", { enabled: true });
    const { sessionId } = await client.ask(state, "get_state");
    await client.prompt(`[[writeto:${join(world.work, "killed.txt")}]] write`);
    const shown = await client.wait(({ type }) => type === "workflow_gate");
    process.kill(-client.process.pid, "SIGKILL");
    await client.process.exit;

    const again = await world.start(["--resume", sessionId, "--permission-mode", "full-auto"]);
    expect(await again.wait(({ type }) => type === "workflow_gate")).toEqual(shown);
    const gates = z.strictObject({ gates: z.array(gate).length(1) });
    await again.ask(gates, "get_pending_workflow_gates");
    const answer = { gate_id: shown.gate_id, answer: { decision: "approve" }, idempotency_key: "once" };
    const resolution = z.looseObject({ status: z.literal("accepted") });
    const first = await again.ask(resolution, "workflow_gate_response", answer);
    expect(await again.ask(resolution, "workflow_gate_response", answer)).toEqual(first);
    const event = await again.event((event) => JSON.stringify(event).includes("The answer has arrived"));
    expect(event.type).toBe("message_start");
    await again.event(({ type }) => type === "agent_settled");
  });

  it("exits with 0 when its input ends, with only frames on stdout", async () => {
    const client = await world.start();
    await client.prompt("[[slow:200:20]] go");
    await client.event(({ type }) => type === "message_update");
    client.process.sendText('{"id":"x","type":"prompt","message":"a\u2028b","streamingBehavior":"followUp"}');
    await client.wait(({ id }) => id === "x");
    expect(await client.stop()).toEqual({ code: 0, signal: null });
  });

  it("stops reading the model for a client that does not read, obeys its abort, and exits", async () => {
    const { program, options } = world.command(["--no-session"]);
    const [command, ...args] = program;
    const child = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.write('{"type":"prompt","message":"[[long:4000000]] a lot"}\n');
    const { promise: served, resolve: allServed } = Promise.withResolvers<void>();
    const watch = setInterval(() => {
      if (world.model.requests().some((request) => JSON.stringify(request).includes("4000000"))) allServed();
    }, 20);
    await served;
    clearInterval(watch);
    child.stdin.write('{"id":"a","type":"abort"}\n');
    child.stdin.end();
    expect((await once(child, "exit"))[0]).toBe(0);
    child.stdout.destroy();
  });
});

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { COMMANDS } from "../wire/commands.ts";
import { RpcError } from "./errors.ts";
import { RpcClient, type RpcClientOptions } from "./rpc-client.ts";

const clients: RpcClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close(1_000);
});

/** An agent that is a script: `send(frame)` writes a line, and `on(command)` is called with each command. */
function program(script: string): [string, ...string[]] {
  const base = `
    const send = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
    const event = (event) => send({ type: "event", payload: { event_type: event.type, event } });
    const ok = (command, data) => send({ id: command.id, type: "response", command: command.type, success: true, data });
    let on = (command) => ok(command);
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => on(JSON.parse(line)));
  `;
  return [process.execPath, "-e", `${base}\n${script}`];
}
const READY = 'send({ type: "ready" });';

async function start(script: string, options: RpcClientOptions = {}): Promise<RpcClient> {
  const client = await RpcClient.start({ command: program(script), ...options });
  clients.push(client);
  return client;
}

describe("an RPC client", () => {
  it("has a method for every command of the protocol", async () => {
    const client = await start(`${READY} on = (command) => ok(command, { echo: command });`);
    const names = Object.keys(COMMANDS);
    expect(Object.keys(client.commands)).toHaveLength(names.length);
    expect(await client.commands.getState({ include: ["tools"] })).toMatchObject({
      echo: { type: "get_state", include: ["tools"] },
    });
    for (const name of names) {
      const method = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const call = client.commands[method as "getMessages"];
      expect(await call(), name).toMatchObject({ echo: { type: name } });
    }
  });

  it("matches answers to commands, in whatever order they come", async () => {
    const client = await start(
      `${READY} const held = []; on = (command) => { held.push(command); if (held.length === 20) for (const each of held.reverse()) ok(each, { name: each.name }); };`,
    );
    const named = Array.from({ length: 20 }, (_, index) => client.commands.setSessionName({ name: `n${index}` }));
    expect(await Promise.all(named)).toEqual(named.map((_, index) => ({ name: `n${index}` })));
  });

  it("rejects a refused command with the agent's error", async () => {
    const client = await start(
      `${READY} on = (command) => send({ id: command.id, type: "response", command: command.type, success: false, error: command.type === "bash" ? { code: "scope_denied", scope: "bash" } : "Model not found: a/b" });`,
    );
    await expect(client.commands.setModel({ provider: "a", modelId: "b" })).rejects.toMatchObject({
      reason: "refused",
      command: "set_model",
      message: "Model not found: a/b",
    });
    await expect(client.commands.bash({ command: "ls" })).rejects.toMatchObject({
      details: { code: "scope_denied", scope: "bash" },
    });
  });

  it("survives any line, reports it, and continues to read", async () => {
    const noise = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(
        ...['{"type":"event"}', '{"type":"event","payload":null}', '{"type":"event","payload":{"event":{"type":7}}}'],
        ...['{"type":"response"}', '{"type":"response","id":{},"success":false}', '{"type":"nope"}', "null", "[]"],
        ...['{"type":"host_tool_call"}', '{"type":"host_uri_request","url":null}', '{"type":"host_tool_cancel"}'],
        ...['{"type":"extension_ui_request"}', '{"type":"extension_ui_request","method":"select"}'],
        ...['{"type":"workflow_gate"}', '{"type":"extension_error"}', "\u0000", "{".repeat(2_000)],
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 30 }), async (lines) => {
        const text = JSON.stringify(lines.map((line) => line.replaceAll("\n", " ")).join("\n"));
        const problems: string[] = [];
        const script = `${READY} process.stdout.write(${text} + "\\n"); on = (c) => { if (c.type === "get_messages") ok(c, { messages: [] }); };`;
        const client = await start(script, { onProblem: (message) => void problems.push(message) });
        expect(await client.commands.getMessages()).toEqual({ messages: [] });
        await client.close();
      }),
      { numRuns: 8 },
    );
  });

  it("reports a malformed line and an unknown frame", async () => {
    const problems: string[] = [];
    const script = `${READY} console.log("oops"); send({ type: "news" }); send({ type: "response", command: "parse", success: false, error: "bad" });`;
    const client = await start(script, { onProblem: (message) => void problems.push(message) });
    await client.commands.getMessages();
    expect(problems).toEqual([expect.stringContaining("oops"), "The agent sent an unknown frame: news.", "parse: bad"]);
  });

  it("delivers events to all listeners, also if one throws", async () => {
    const problems: string[] = [];
    const client = await start(
      `${READY} on = (c) => { event({ type: "turn_start" }); event({ type: "agent_start" }); ok(c); };`,
      { onProblem: (message) => void problems.push(message) },
    );
    const types: string[] = [];
    client.subscribe(() => {
      throw new Error("mine");
    });
    client.subscribe(({ type }) => void types.push(type));
    const stop = client.on("turn_start", ({ type }) => void types.push(`only ${type}`));
    await client.commands.abort();
    stop();
    await client.commands.abort();
    expect(types).toEqual(["turn_start", "only turn_start", "agent_start", "turn_start", "agent_start"]);
    expect(problems[0]).toBe("A listener failed: mine");
  });

  it("rejects open requests and ends loops when the agent ends, with what it printed", async () => {
    const client = await start(`${READY} on = () => { console.error("out of memory"); process.exit(3); };`);
    const loop = (async () => {
      const seen = [];
      for await (const event of client.events()) seen.push(event);
      return seen;
    })();
    await expect(client.commands.getState()).rejects.toMatchObject({
      reason: "exit",
      message: expect.stringContaining("with status 3. It printed:\nout of memory"),
    });
    expect(await loop).toEqual([]);
    expect(await client.exited).toMatchObject({ code: 3, signal: null });
    await expect(client.commands.getState()).rejects.toBeInstanceOf(RpcError);
    await expect(client.run("hello")).rejects.toMatchObject({ reason: "exit" });
  });

  it("ends a run that a command of an extension handled without the model", async () => {
    const client = await start(`${READY} on = (c) => ok(c, { disposition: "handled", agentInvoked: false });`);
    expect(await client.run("/hello")).toEqual({ reason: "completed", text: "", messages: [] });
  });

  it("rejects a request that gets no answer in time, and ignores a late answer", async () => {
    const client = await start(
      `${READY} let first; on = (c) => { if (!first) first = c; else { ok(first, { late: true }); ok(c, { messages: [] }); } };`,
    );
    await expect(client.request("get_messages", {}, { timeoutMs: 20 })).rejects.toMatchObject({ reason: "timeout" });
    expect(await client.commands.getMessages()).toEqual({ messages: [] });
  });

  it("explains why an agent does not start", async () => {
    const missing = { command: ["/nonexistent/gantry"] as [string] };
    await expect(RpcClient.start(missing)).rejects.toMatchObject({ message: expect.stringContaining("ENOENT") });
    const failing = RpcClient.start({ command: program('console.error("No config."); process.exit(1);') });
    await expect(failing).rejects.toMatchObject({ message: expect.stringContaining("No config.") });
    const silent = RpcClient.start({ command: program(""), startTimeoutMs: 50 });
    await expect(silent).rejects.toMatchObject({ reason: "start" });
  });

  it("kills an agent that ignores the end of its input", async () => {
    const script = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${READY}`;
    const client = await start(script);
    expect(await client.close(20)).toMatchObject({ signal: "SIGKILL" });
    await expect(client.commands.abort()).rejects.toMatchObject({ reason: "closed" });
  });

  it("pauses the agent for a slow loop, which may still send requests", async () => {
    const count = 5_000;
    const client = await start(
      `${READY} let sent = 0; on = (c) => { if (c.type !== "prompt") return ok(c, { sent }); ok(c); const more = () => { while (sent < ${count}) { sent += 1; if (!process.stdout.write(JSON.stringify({ type: "event", payload: { event: { type: "notice", level: "info", message: "x".repeat(1000) + sent } } }) + "\\n")) return process.stdout.once("drain", more); } }; more(); };`,
    );
    const events = client.events();
    await client.commands.prompt({ message: "go" });
    const seen: string[] = [];
    for await (const event of events) {
      if (event.type === "notice") seen.push(event.message.slice(1_000));
      if (seen.length === 2_000) expect(await client.commands.getMessages()).toHaveProperty("sent");
      if (seen.length === count) break;
    }
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => String(index + 1)));
  });

  it("sends large commands in order to an agent that reads slowly", async () => {
    const client = await start(
      `${READY} process.stdin.pause(); setTimeout(() => process.stdin.resume(), 200); on = (c) => ok(c, { length: c.name.length, first: c.name[0] });`,
    );
    const sizes = [4_000_000, 3_000_000, 3_000_000, 10, 1_000_000];
    const sent = sizes.map((size, index) => client.commands.setSessionName({ name: String(index).repeat(size) }));
    expect(await Promise.all(sent)).toEqual(sizes.map((length, index) => ({ length, first: String(index) })));
  });
});

describe("the host side of an RPC client", () => {
  it("runs host tools with updates, errors and cancellation", async () => {
    const client = await start(`${READY}
      const frames = [];
      on = (c) => {
        if (c.type === "set_host_tools") ok(c, { toolNames: c.tools.map(({ name }) => name) });
        if (c.type === "get_messages") {
          for (const [id, toolName] of [["h1", "echo"], ["h2", "fail"], ["h3", "hang"], ["h4", "missing"]])
            send({ type: "host_tool_call", id, toolCallId: "t" + id, toolName, arguments: { text: "hi" } });
          send({ type: "host_tool_cancel", id: "x", targetId: "h3" });
          globalThis.asked = c;
        }
        if (c.type.startsWith("host_tool_")) frames.push(c);
        if (frames.length === 4) ok(globalThis.asked, { frames });
      };`);
    const aborted = Promise.withResolvers<void>();
    const parameters = { type: "object" };
    const shared = { description: "d", parameters };
    const names = await client.setTools([
      {
        ...shared,
        name: "echo",
        run(args, { update, toolCallId }) {
          update("working");
          return `${String(args.text)} ${toolCallId}`;
        },
      },
      { ...shared, name: "fail", run: () => Promise.reject(new Error("broken")) },
      {
        ...shared,
        name: "hang",
        run: (_, { signal }) => {
          signal.addEventListener("abort", () => aborted.resolve());
          return new Promise(() => undefined);
        },
      },
    ]);
    expect(names).toEqual(["echo", "fail", "hang"]);
    const { frames } = (await client.commands.getMessages()) as unknown as { frames: Record<string, unknown>[] };
    await aborted.promise;
    const text = (value: string) => ({ content: [{ type: "text", text: value }] });
    expect(frames).toEqual(
      expect.arrayContaining([
        { type: "host_tool_update", id: "h1", partialResult: text("working") },
        { type: "host_tool_result", id: "h1", result: text("hi th1") },
        { type: "host_tool_result", id: "h2", result: text("broken"), isError: true },
        { type: "host_tool_result", id: "h4", result: text("The host has no tool missing."), isError: true },
      ]),
    );
  });

  it("serves URLs, answers dialogs and gates, and cancels dialogs without a callback", async () => {
    const script = `${READY}
      const got = [];
      on = (c) => {
        if (c.type === "set_host_uri_schemes") return ok(c, { schemes: c.schemes.map(({ scheme }) => scheme) });
        if (c.type === "get_messages") {
          globalThis.asked = c;
          send({ type: "host_uri_request", id: "u1", operation: "read", url: "DB://users/1" });
          send({ type: "host_uri_request", id: "u2", operation: "write", url: "db://users/1", content: "new" });
          send({ type: "host_uri_request", id: "u3", operation: "write", url: "log://x", content: "" });
          send({ type: "extension_ui_request", id: "d1", method: "confirm", title: "Sure?", message: "" });
          send({ type: "extension_ui_request", id: "d2", method: "input", title: "Name?" });
          send({ type: "extension_ui_request", id: "n1", method: "notify", message: "hello" });
          send({ type: "workflow_gate", gate_id: "g1", kind: "approval", schema: {} });
          return;
        }
        got.push(c);
        if (c.type === "workflow_gate_response") ok(c, { gate_id: c.gate_id, status: "accepted" });
        if (got.length === 6) ok(globalThis.asked, { got });
      };`;
    const written: string[] = [];
    const shown: string[] = [];
    const client = await start(script, {
      ui(request) {
        shown.push(request.method);
        if (request.method === "confirm") return true;
        return undefined;
      },
      gate: () => ({ decision: "approve" }),
    });
    await client.setSchemes([
      { scheme: "db", read: (url) => `row of ${url}`, write: (url, content) => void written.push(url, content) },
      { scheme: "log", read: () => "" },
    ]);
    const { got } = (await client.commands.getMessages()) as unknown as { got: Record<string, unknown>[] };
    const byId = Object.fromEntries(
      got.map(({ id, type, ...rest }) => [type === "workflow_gate_response" ? "g" : id, rest]),
    );
    expect(byId).toEqual({
      u1: { content: "row of DB://users/1" },
      u2: {},
      u3: { isError: true, error: "log:// cannot be written to." },
      d1: { confirmed: true },
      d2: { cancelled: true },
      g: { gate_id: "g1", answer: { decision: "approve" } },
    });
    expect(written).toEqual(["db://users/1", "new"]);
    expect(shown).toEqual(["confirm", "input", "notify"]);
  });
});

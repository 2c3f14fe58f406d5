import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentSession, BashResult, SessionState } from "../contract/session.ts";
import { SessionError } from "../contract/session.ts";
import type { Tool, ToolContext } from "../contract/tool.ts";
import type { RpcServices } from "./handlers.ts";
import { createRpcHost, type RpcHost } from "./host/rpc-host.ts";
import { serveRpc } from "./serve.ts";
import { createFrameWriter } from "./wire/writer.ts";

type Frame = Record<string, unknown> & { type: string };

/** A session without a model, for tests of the wire format. */
class FakeSession {
  id = "session-1";
  cwd = "/tmp";
  disposed = false;
  tools: readonly Tool[] = [];
  urls: Record<string, { read(url: string, signal: AbortSignal): Promise<unknown> }> = {};
  done: string[] = [];
  stopBash: (() => void) | undefined;
  #listeners = new Set<(event: AgentEvent) => void>();

  emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  state = () => ({ sessionId: this.id, todoPhases: [], queuedMessageCount: 0 }) as unknown as SessionState;
  async prompt(text: string): Promise<"started"> {
    this.done.push(`prompt ${text}`);
    void Promise.resolve().then(() => this.emit({ type: "agent_start" }));
    return "started";
  }
  async steer(text: string, { whenIdle }: { whenIdle?: string }): Promise<"queued"> {
    this.done.push(`steer ${text} ${whenIdle}`);
    return "queued";
  }
  async waitUntilSettled(): Promise<void> {
    this.done.push("settled");
  }
  async setModel(provider: string, id: string): Promise<unknown> {
    await new Promise((resolve) => setImmediate(resolve));
    if (id === "none") throw new SessionError(`Model not found: ${provider}/${id}`);
    this.done.push(`model ${id}`);
    return { provider, id, headers: { authorization: "secret" } };
  }
  async abort(): Promise<void> {
    this.done.push("abort");
  }
  async newSession(): Promise<void> {
    this.id = "session-2";
  }
  bash(): Promise<BashResult> {
    return new Promise((resolve) => {
      this.stopBash = () => resolve({ output: "cut", cancelled: true } as BashResult);
    });
  }
  abortBash(): void {
    this.stopBash?.();
  }
  compact(): Promise<never> {
    return Promise.reject(new TypeError("boom"));
  }
  setTools(_owner: string, tools: readonly Tool[]): void {
    this.tools = tools;
  }
  setUrls(_owner: string, urls: FakeSession["urls"]): void {
    this.urls = urls;
  }
  async dispose(): Promise<void> {
    this.disposed = true;
  }
}

describe("the RPC server", () => {
  let folder: string;
  let session: FakeSession;
  let host: RpcHost;
  let frames: Frame[];
  let output: PassThrough;
  let input: PassThrough;
  let ended: Promise<void>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gantry-rpc-"));
    start();
  });
  afterEach(async () => {
    input.end();
    await ended;
    rmSync(folder, { recursive: true });
  });

  function start(services: RpcServices = {}): void {
    session = new FakeSession();
    input = new PassThrough();
    output = new PassThrough();
    frames = [];
    let rest = "";
    output.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) frames.push(JSON.parse(line) as Frame);
    });
    host = createRpcHost({ writer: createFrameWriter(output), agentDir: folder });
    ended = serveRpc({
      session: session as unknown as AgentSession,
      host,
      input,
      services,
      version: "1",
      maxLine: 10_000,
    });
  }
  const send = (frame: object) => void input.write(`${JSON.stringify(frame)}\n`);
  async function frame(test: (frame: Frame) => boolean): Promise<Frame> {
    for (let rounds = 0; rounds < 1000; rounds += 1) {
      const found = frames.find(test);
      if (found) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`no such frame in ${JSON.stringify(frames)}`);
  }
  const response = (id: unknown) => frame((one) => one.type === "response" && one.id === id);

  it("sends ready first", async () => {
    await frame(() => true);
    expect(frames[0]).toMatchObject({ type: "ready", protocol_version: 2 });
  });

  it("answers every invalid line with its id and command name", async () => {
    send({ id: "a", type: "no_such" });
    send({ id: "b", type: "prompt" });
    send({ id: "c", type: "compact" });
    send({ id: "d", type: "set_model", provider: "p", modelId: "none" });
    expect(await response("a")).toMatchObject({
      command: "no_such",
      success: false,
      error: "Unknown command: no_such",
    });
    expect(await response("b")).toMatchObject({ command: "prompt", success: false });
    expect(await response("c")).toMatchObject({ command: "compact", success: false, error: "boom" });
    expect(await response("d")).toMatchObject({ command: "set_model", error: "Model not found: p/none" });
    input.write("{broken\n");
    expect(await frame((one) => one.command === "parse")).toMatchObject({ success: false });
    input.write(`${"x".repeat(20_000)}\n`);
    expect(await frame((one) => String(one.error).includes("10000"))).toMatchObject({ command: "parse" });
    send({ id: "e", type: "get_state" });
    expect(await response("e")).toMatchObject({ success: true });
  });

  it("returns every id unchanged", async () => {
    for (const id of [7, null, { a: [1] }, true]) {
      send({ id, type: "get_state" });
      await frame((one) => one.type === "response" && JSON.stringify(one.id) === JSON.stringify(id));
    }
    send({ type: "get_state" });
    expect(await frame((one) => one.type === "response" && !("id" in one))).toMatchObject({ success: true });
  });

  it("responds to a prompt before the events of its run", async () => {
    send({ id: "p", type: "prompt", message: "go" });
    await frame(({ type }) => type === "event");
    expect(frames.map(({ type }) => type)).toEqual(["ready", "response", "event"]);
  });

  it("delays the next prompt until the follow-up work of the previous run has ended", async () => {
    session.emit({ type: "agent_start" });
    session.emit({ type: "agent_end", messages: [], willRetry: false });
    send({ id: "p", type: "prompt", message: "go" });
    await response("p");
    expect(session.done).toEqual(["settled", "prompt go"]);
  });

  it("queues a steer when idle, unless startIfIdle is set", async () => {
    send({ id: "1", type: "steer", message: "a" });
    send({ id: "2", type: "steer", message: "b", startIfIdle: true });
    await response("2");
    expect(session.done).toEqual(["steer a wait", "steer b start"]);
  });

  it("reads further commands while one is running", async () => {
    send({ id: "long", type: "bash", command: "sleep 1000" });
    send({ id: "stop", type: "abort_bash" });
    expect(await response("stop")).toMatchObject({ success: true });
    expect(await response("long")).toMatchObject({ success: true, data: { cancelled: true } });
  });

  it("preserves the order of ordered commands and omits model headers", async () => {
    send({ id: "1", type: "set_model", provider: "p", modelId: "m" });
    send({ id: "2", type: "prompt", message: "go" });
    send({ id: "3", type: "abort" });
    await response("2");
    expect(session.done).toEqual(["abort", "model m", "prompt go"]);
    expect((await response("1")).data).toEqual({ provider: "p", id: "m" });
  });

  it("puts the current session id into every frame and counts seq per session", async () => {
    session.emit({ type: "agent_start" });
    session.emit({ type: "turn_start" });
    send({ id: "n", type: "new_session" });
    await response("n");
    session.emit({ type: "agent_start" });
    await frame((one) => one.session_id === "session-2" && one.type === "event");
    const received = frames.filter(({ type }) => type === "event").map(({ session_id, seq }) => [session_id, seq]);
    expect(received).toEqual([
      ["session-1", 1],
      ["session-1", 2],
      ["session-2", 1],
    ]);
  });

  it("sends 40 KB in 2,000 pieces with less than a megabyte", async () => {
    const before = host.writer.bytes;
    for (let n = 0; n < 2000; n += 1) {
      session.emit({ type: "message_update", piece: { type: "text_delta", index: 0, delta: "12345678901234567890" } });
    }
    await frame((one) => one.seq === 2000);
    const spent = host.writer.bytes - before;
    const events = frames.filter(({ type }) => type === "event");
    const length = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)) + 1, 0);
    expect(spent).toBe(length);
    expect(spent).toBeLessThan(1_000_000);
  });

  it("lets the host run its tools and cancels the call on abort", async () => {
    const tool = { name: "echo", description: "Echoes", parameters: { type: "object" } };
    send({ id: "t", type: "set_host_tools", tools: [tool] });
    expect((await response("t")).data).toEqual({ toolNames: ["echo"] });
    const stop = new AbortController();
    const pieces: string[] = [];
    const run = (signal: AbortSignal) => {
      const prepared = session.tools[0]?.prepare({ message: "hi" }, { cwd: "/", folders: [], env: {} });
      if (!prepared || "invalid" in prepared) throw new Error("not prepared");
      expect(prepared.actions).toEqual([{ kind: "host_tool.invoke", tool: "echo" }]);
      return prepared.run({
        callId: "c1",
        signal,
        progress: (text: string) => pieces.push(text),
      } as unknown as ToolContext);
    };
    const result = run(stop.signal);
    const call = await frame(({ type }) => type === "host_tool_call");
    expect(call).toMatchObject({ toolCallId: "c1", toolName: "echo", arguments: { message: "hi" } });
    const text = (value: string) => ({ content: [{ type: "text", text: value }] });
    send({ type: "host_tool_update", id: call.id, partialResult: text("wor") });
    send({ type: "host_tool_update", id: call.id, partialResult: text("working") });
    send({ type: "host_tool_result", id: call.id, result: text("done") });
    expect(await result).toEqual(text("done"));
    expect(pieces).toEqual(["wor", "king"]);

    const second = run(stop.signal);
    await frame((one) => one.type === "host_tool_call" && one.id !== call.id);
    stop.abort();
    await expect(second).rejects.toThrow("Aborted");
    expect(await frame(({ type }) => type === "host_tool_cancel")).toMatchObject({ targetId: "host_2" });
  });

  it("rejects pending host calls and disposes the session when the input ends", async () => {
    send({ id: "u", type: "set_host_uri_schemes", schemes: [{ scheme: "DB" }] });
    expect((await response("u")).data).toEqual({ schemes: ["db"] });
    const read = session.urls.db?.read("db://users/1", new AbortController().signal);
    expect(await frame(({ type }) => type === "host_uri_request")).toMatchObject({
      operation: "read",
      url: "db://users/1",
    });
    input.end();
    await expect(read).rejects.toThrow("client disconnected");
    await ended;
    expect(session.disposed).toBe(true);
  });

  it("refuses reserved URI schemes", async () => {
    send({ id: "u", type: "set_host_uri_schemes", schemes: [{ scheme: "artifact" }] });
    expect(await response("u")).toMatchObject({ success: false, error: "Host URI scheme is reserved: artifact" });
  });

  it("asks by dialog, or by gate if the client enabled gates", async () => {
    const request = { toolCallId: "c", toolName: "bash", title: "bash: ls", args: { command: "ls" }, actions: [] };
    const never = new AbortController().signal;
    const first = host.person.approve(request, never);
    const dialog = await frame(({ type }) => type === "extension_ui_request");
    expect(dialog).toMatchObject({ method: "select", approval: { toolCallId: "c", args: { command: "ls" } } });
    send({ type: "extension_ui_response", id: dialog.id, value: "Allow for this session" });
    expect(await first).toEqual({ decision: "session" });

    send({ id: "g", type: "set_workflow_gates", enabled: true });
    await response("g");
    const second = host.person.approve(request, never);
    const gate = await frame(({ type }) => type === "workflow_gate");
    send({ id: "w", type: "workflow_gate_response", gate_id: gate.gate_id, answer: true });
    expect(await response("w")).toMatchObject({ success: true, data: { status: "rejected" } });
    send({
      id: "r",
      type: "workflow_gate_response",
      gate_id: gate.gate_id,
      answer: { decision: "deny", reason: "no" },
    });
    expect(await response("r")).toMatchObject({ success: true, data: { status: "accepted" } });
    expect(await second).toEqual({ decision: "deny", reason: "no" });
    expect(gate.options).toEqual(["approve", "approve-session", "deny"]);
    send({ id: "x", type: "workflow_gate_response", gate_id: "wg_x", answer: 1 });
    expect(await response("x")).toMatchObject({ success: false, error: { code: "unknown_gate" } });
  });

  it("aborts a login that waits for a code", async () => {
    input.end();
    await ended;
    let received: unknown = "nothing";
    start({
      async login(_id, steps) {
        steps.openUrl("https://login.example/", "Open it");
        received = await steps.code("Paste the code", steps.signal);
        throw new Error("No code.");
      },
    });
    send({ id: "l", type: "login", providerId: "p" });
    await frame(({ method }) => method === "input");
    expect(frames.find(({ method }) => method === "notify")).toMatchObject({
      message: "Open it https://login.example/",
      url: "https://login.example/",
    });
    send({ id: "a", type: "abort" });
    expect(await response("l")).toMatchObject({ success: false, error: "Aborted" });
    expect(received).toBeUndefined();
    expect(await frame(({ method }) => method === "cancel")).toBeDefined();
  });

  it("closes the code dialog when the login completes without it", async () => {
    input.end();
    await ended;
    start({
      async login(_id, steps) {
        const done = new AbortController();
        const code = steps.code("Paste the code", done.signal);
        await frame(({ method }) => method === "input");
        done.abort();
        expect(await code).toBeUndefined();
      },
    });
    send({ id: "l", type: "login", providerId: "p" });
    expect(await response("l")).toMatchObject({ success: true, data: { providerId: "p" } });
    const asked = frames.find(({ method }) => method === "input");
    expect(frames.find(({ method }) => method === "cancel")).toMatchObject({ targetId: asked?.id });
  });

  it("restricts an unattended client to its scopes", async () => {
    send({ id: "n", type: "negotiate_unattended", declaration: { actor: "a" } });
    expect(await response("n")).toMatchObject({ success: false, error: { code: "invalid_unattended_declaration" } });
    const budget = { max_tokens: 1, max_tool_calls: 1, max_wall_time_ms: 60_000, max_cost_usd: 1 };
    const declaration = { actor: "a", budget, scopes: ["prompt"], action_allowlist: [] };
    send({ id: "m", type: "negotiate_unattended", declaration });
    expect((await response("m")).data).toMatchObject({ actor: "a", budget, scopes: ["prompt"] });
    send({ id: "s", type: "get_state" });
    expect(await response("s")).toMatchObject({
      success: false,
      error: { code: "scope_denied", scope: "message:read" },
    });
    host.unattended.guard.recordUsage({ tokens: 2, costUsd: 0 });
    expect(session.done).toContain("abort");
    send({ id: "p", type: "prompt", message: "more" });
    expect(await response("p")).toMatchObject({ success: false, error: { code: "budget_exceeded", metric: "tokens" } });
  });
});

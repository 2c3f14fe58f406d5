import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantCanaries, type ScriptedModel, type Spawned, spawnLines, startScriptedModel } from "@gantry/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

type Json = Record<string, unknown>;

/** What a client that takes the protocol at its word demands of each frame; a key that is missing is a failure. */
const assistant = z.looseObject({
  role: z.literal("assistant"),
  content: z.array(z.looseObject({ type: z.string() })),
});
const roles = [
  "user",
  "developer",
  "assistant",
  "toolResult",
  "bashExecution",
  "custom",
  "branchSummary",
  "compactionSummary",
] as const;
const anyMessage = z.looseObject({ role: z.enum(roles) });
const place = { contentIndex: z.int(), partial: assistant };
const piece = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text_start"), ...place }),
  z.looseObject({ type: z.literal("thinking_start"), ...place }),
  z.looseObject({ type: z.literal("toolcall_start"), ...place }),
  z.looseObject({ type: z.literal("text_delta"), delta: z.string(), ...place }),
  z.looseObject({ type: z.literal("thinking_delta"), delta: z.string(), ...place }),
  z.looseObject({ type: z.literal("toolcall_delta"), delta: z.string(), ...place }),
  z.looseObject({ type: z.literal("text_end"), content: z.string(), ...place }),
  z.looseObject({ type: z.literal("thinking_end"), content: z.string(), ...place }),
  z.looseObject({
    type: z.literal("toolcall_end"),
    toolCall: z.looseObject({ id: z.string(), name: z.string() }),
    ...place,
  }),
]);
const level = z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
const todo = z.looseObject({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "abandoned"]),
  notes: z.string().optional(),
});
const events: Record<string, z.ZodType> = {
  agent_start: z.looseObject({}),
  agent_end: z.looseObject({ messages: z.array(anyMessage) }),
  agent_settled: z.looseObject({ reason: z.string() }),
  turn_start: z.looseObject({}),
  turn_end: z.looseObject({
    message: anyMessage,
    toolResults: z.array(z.looseObject({ role: z.literal("toolResult") })),
  }),
  message_start: z.looseObject({ message: anyMessage }),
  message_update: z.looseObject({ message: assistant, assistantMessageEvent: piece }),
  message_end: z.looseObject({ message: anyMessage }),
  tool_execution_start: z.looseObject({ toolCallId: z.string(), toolName: z.string(), intent: z.string().optional() }),
  tool_execution_update: z.looseObject({ toolCallId: z.string(), partialResult: z.looseObject({}) }),
  tool_execution_end: z.looseObject({ toolCallId: z.string(), isError: z.boolean().optional() }),
  auto_compaction_start: z.looseObject({ reason: z.enum(["threshold", "overflow", "idle"]) }),
  auto_retry_start: z.looseObject({ attempt: z.int(), maxAttempts: z.int(), delayMs: z.number() }),
  thinking_level_changed: z.looseObject({ thinkingLevel: level.optional() }),
  notice: z.looseObject({ level: z.enum(["info", "warning", "error"]), message: z.string() }),
};
const model = z.looseObject({
  id: z.string(),
  name: z.string(),
  api: z.string(),
  provider: z.string(),
  baseUrl: z.string(),
  headers: z.undefined().optional(),
  thinking: z.looseObject({ minLevel: level, maxLevel: level, mode: z.string() }).optional(),
});
const count = z.int().nonnegative();
const queueMode = z.enum(["all", "one-at-a-time"]);
const state = z.looseObject({
  model: model.optional(),
  thinkingLevel: level,
  isStreaming: z.boolean(),
  isCompacting: z.boolean(),
  steeringMode: queueMode,
  followUpMode: queueMode,
  interruptMode: z.enum(["immediate", "wait"]),
  sessionFile: z.string().optional(),
  sessionId: z.string(),
  sessionName: z.string().optional(),
  autoCompactionEnabled: z.boolean(),
  messageCount: count,
  queuedMessageCount: count,
  todoPhases: z.array(z.looseObject({ name: z.string(), tasks: z.array(todo) })),
  contextUsage: z
    .looseObject({ tokens: z.number().nullable(), contextWindow: z.int(), percent: z.number().nullable() })
    .optional(),
});
const stats = z.looseObject({
  sessionId: z.string(),
  userMessages: count,
  assistantMessages: count,
  toolCalls: count,
  toolResults: count,
  totalMessages: count,
  tokens: z.looseObject({ input: count, output: count, cacheRead: count, cacheWrite: count, total: count }),
  premiumRequests: count,
  cost: z.number(),
});
const envelope = z.strictObject({
  type: z.literal("event"),
  protocol_version: z.literal(2),
  session_id: z.string(),
  seq: z.int().positive(),
  frame_id: z.string(),
  payload: z.strictObject({ event_type: z.string(), event: z.looseObject({ type: z.string() }) }),
});

const main = join(import.meta.dirname, "../../../cli/src/main.ts");

describe("gantry agent --mode rpc, to a strict client", () => {
  let folder: string;
  let scripted: ScriptedModel;
  let running: Spawned | undefined;
  let secret: Record<string, string>;
  let ids = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gantry-agent-rpc-"));
    scripted = await startScriptedModel({ defaults: { pace: 0 } });
    const agentDir = join(folder, "home", "agent");
    secret = plantCanaries(agentDir);
    mkdirSync(join(folder, "work"));
    writeFileSync(
      join(agentDir, "models.yml"),
      JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${scripted.url}/v1`,
            api: "openai-completions",
            auth: "none",
            models: ["one", "two"].map((id) => ({
              id,
              name: `Model ${id}`,
              reasoning: true,
              input: ["text"],
              cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
              contextWindow: 200_000,
              maxTokens: 8_000,
            })),
          },
        },
      }),
    );
  });
  afterEach(async () => {
    running?.hangUp();
    await running?.exit;
    running = undefined;
  });
  afterAll(async () => {
    await scripted.close();
    rmSync(folder, { recursive: true });
  });

  const env = () => ({
    PATH: process.env.PATH,
    HOME: folder,
    GANTRY_HOME: join(folder, "home"),
    GANTRY_AGENT_DIR: join(folder, "home", "agent"),
    ...secret,
  });
  async function start(...flags: string[]): Promise<Spawned> {
    const args = [
      main,
      "agent",
      "--mode",
      "rpc",
      "--model",
      "scripted/one",
      "--permission-mode",
      "full-auto",
      ...flags,
    ];
    const client = spawnLines(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: join(folder, "work"),
      env: env(),
    });
    running = client;
    await client.waitFor(({ type }) => type === "ready");
    return client;
  }
  async function ask(client: Spawned, type: string, fields: Json = {}): Promise<Json> {
    const id = `req_${++ids}`;
    client.send({ id, type, ...fields });
    const response = await client.waitFor((frame) => frame.type === "response" && frame.id === id);
    expect(response.command).toBe(type);
    return response;
  }
  async function data<Type>(client: Spawned, schema: z.ZodType<Type>, type: string, fields: Json = {}): Promise<Type> {
    const response = await ask(client, type, fields);
    expect(response).toMatchObject({ success: true });
    return schema.parse(response.data);
  }
  const eventOf = (frame: Json) => (frame.payload as { event?: Json } | undefined)?.event ?? {};
  async function run(client: Spawned, message: string, fields: Json = {}): Promise<Json[]> {
    const from = client.frames.length;
    await data(client, z.object({ disposition: z.literal("started") }), "prompt", { message, ...fields });
    await client.waitFor((frame) => client.frames.indexOf(frame) >= from && eventOf(frame).type === "agent_settled");
    return client.frames.slice(from).map(eventOf);
  }
  /** Every frame so far, held against what a strict client demands. */
  function check(client: Spawned): void {
    expect(client.noise).toEqual([]);
    const seqs = new Map<string, number>();
    for (const frame of client.frames.filter(({ type }) => type === "event")) {
      const { session_id, seq, payload } = envelope.parse(frame);
      expect(seq).toBe((seqs.get(session_id) ?? 0) + 1);
      seqs.set(session_id, seq);
      expect(payload.event_type).toBe(payload.event.type);
      events[payload.event.type]?.parse(payload.event);
    }
  }

  it("tells its state, models, thinking, stats, todos and names", async () => {
    const client = await start();
    const first = await data(client, state, "get_state");
    expect(first).toMatchObject({ isStreaming: false, messageCount: 0, model: { id: "one" } });
    expect(first).not.toHaveProperty("dumpTools");
    const tool = z.looseObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) });
    const full = state.extend({ dumpTools: z.array(tool).min(5), systemPrompt: z.array(z.string()).min(1) });
    await data(client, full, "get_state", { include: ["tools", "systemPrompt"] });
    const { models } = await data(client, z.object({ models: z.array(model) }), "get_available_models");
    expect(models.map(({ id }) => id)).toEqual(["one", "two"]);
    await data(client, model, "set_model", { provider: "scripted", modelId: "two" });
    expect(await ask(client, "set_model", { provider: "scripted", modelId: "none" })).toMatchObject({ success: false });
    await data(client, z.looseObject({ model, thinkingLevel: level, isScoped: z.boolean() }), "cycle_model");
    await data(client, z.undefined(), "set_thinking_level", { level: "low" });
    await data(client, z.object({ level }), "cycle_thinking_level");
    await data(client, z.object({ levels: z.array(level).min(2) }), "get_available_thinking_levels");
    const phases = [
      { id: "phase-1", name: "Todos", tasks: [{ id: "task-1", content: "a", status: "pending", notes: null }] },
    ];
    const todos = await data(client, z.object({ todoPhases: state.shape.todoPhases }), "set_todos", { phases });
    expect(todos.todoPhases[0]?.tasks[0]?.content).toBe("a");
    for (const mode of ["all", "one-at-a-time"]) {
      await data(client, z.undefined(), "set_steering_mode", { mode });
      await data(client, z.undefined(), "set_follow_up_mode", { mode });
    }
    await data(client, z.undefined(), "set_interrupt_mode", { mode: "wait" });
    await data(client, z.undefined(), "set_auto_compaction", { enabled: false });
    await data(client, z.undefined(), "set_auto_retry", { enabled: false });
    await data(client, z.undefined(), "abort_retry");
    await data(client, z.undefined(), "set_session_name", { name: "named" });
    expect(await ask(client, "set_session_name", { name: " " })).toMatchObject({
      error: "Session name cannot be empty",
    });
    expect(await data(client, state, "get_state")).toMatchObject({ sessionName: "named", interruptMode: "wait" });
    await data(client, stats, "get_session_stats");
    const provider = z.object({ id: z.string(), name: z.string(), available: z.boolean(), authenticated: z.boolean() });
    await data(client, z.object({ providers: z.array(provider) }), "get_login_providers");
    expect(await ask(client, "login", { providerId: "nobody" })).toMatchObject({ success: false });
    await data(client, z.object({ commands: z.array(z.unknown()) }), "get_commands");
    check(client);
  });

  it("streams a run, keeps it, and goes on with it after a kill", async () => {
    const client = await start();
    const told = await run(client, "[[think]] please");
    expect(told.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["agent_start", "turn_start", "message_update", "agent_end"]),
    );
    await run(client, "[[bash]] a command");
    const said = await data(client, z.object({ text: z.string() }), "get_last_assistant_text");
    expect(said.text.length).toBeGreaterThan(0);
    const { messages } = await data(client, z.object({ messages: z.array(anyMessage) }), "get_messages");
    expect(messages.some(({ role }) => role === "toolResult")).toBe(true);
    const entry = z.looseObject({ id: z.string(), parentId: z.string().nullable(), type: z.string() });
    const log = await data(client, z.object({ entries: z.array(entry), leafId: z.string() }), "get_entries");
    const rest = await data(client, z.object({ entries: z.array(entry), leafId: z.string() }), "get_entries", {
      since: log.entries[0]?.id,
    });
    expect(rest.entries).toHaveLength(log.entries.length - 1);
    await data(client, z.object({ tree: z.array(z.looseObject({ entry })).min(1), leafId: z.string() }), "get_tree");
    const { sessionFile, sessionId } = await data(client, state, "get_state");
    check(client);
    process.kill(-client.pid, "SIGKILL");
    await client.exit;

    const again = await start("--resume", sessionId);
    expect(await data(again, state, "get_state")).toMatchObject({ sessionFile, messageCount: messages.length });
    const { path } = await data(again, z.object({ path: z.string() }), "export_html", {
      outputPath: join(folder, "out.html"),
    });
    expect(readFileSync(path, "utf8")).toContain("<html");
    const points = await data(
      again,
      z.object({ messages: z.array(z.object({ entryId: z.string(), text: z.string() })).length(2) }),
      "get_branch_messages",
    );
    const branch = await data(again, z.object({ text: z.string(), cancelled: z.literal(false) }), "branch", {
      entryId: points.messages[1]?.entryId,
    });
    expect(branch.text).toBe("[[bash]] a command");
    const after = await data(again, state, "get_state");
    expect(after.sessionId).not.toBe(sessionId);
    await data(again, z.object({ cancelled: z.boolean() }), "switch_session", { sessionPath: sessionFile });
    const moved = await data(
      again,
      z.object({ text: z.string(), summary: z.string().min(1), cancelled: z.literal(false) }),
      "navigate_tree",
      { entryId: points.messages[1]?.entryId, summarize: true },
    );
    expect(moved.text).toBe("[[bash]] a command");
    expect((await data(again, state, "get_state")).sessionId).toBe(sessionId);
    expect(await ask(again, "navigate_tree", { entryId: "nowhere" })).toMatchObject({ success: false });
    await data(again, z.object({ cancelled: z.boolean() }), "new_session");
    expect(await ask(again, "compact")).toMatchObject({ success: false });
    check(again);
  });

  it("queues, steers, follows up and aborts", async () => {
    const client = await start("--no-session");
    await ask(client, "prompt", { message: "[[slow:200:20]] go" });
    await client.waitFor((frame) => eventOf(frame).type === "message_update");
    expect(await ask(client, "prompt", { message: "no" })).toMatchObject({ success: false });
    const queued = z.object({ disposition: z.literal("queued") });
    await data(client, queued, "prompt", { message: "later", streamingBehavior: "followUp" });
    await data(client, queued, "follow_up", { message: "and this" });
    await data(
      client,
      z.object({ steering: z.array(z.string()), followUp: z.array(z.string()).length(2) }),
      "clear_queue",
    );
    await data(client, z.undefined(), "abort");
    const settled = await client.waitFor((frame) => eventOf(frame).type === "agent_settled");
    expect(eventOf(settled)).toMatchObject({ reason: "aborted" });
    await data(client, z.object({ disposition: z.literal("started") }), "abort_and_prompt", {
      message: "[[text]] new",
    });
    await client.waitFor((frame) => eventOf(frame).reason === "completed");
    check(client);
  });

  it("runs the user's commands, and stops them", async () => {
    const client = await start("--no-session");
    const bash = z.looseObject({
      output: z.string(),
      exitCode: z.int().optional(),
      cancelled: z.boolean(),
      truncated: z.boolean(),
    });
    const result = await data(client, bash, "bash", { command: "echo hi; exit 3" });
    expect(result).toMatchObject({ exitCode: 3, cancelled: false });
    expect(result.output).toContain("hi");
    const id = `req_${++ids}`;
    client.send({ id, type: "bash", command: "sleep 600" });
    await data(client, state, "get_state");
    await data(client, z.undefined(), "abort_bash");
    const stopped = await client.waitFor((frame) => frame.id === id);
    expect(stopped).toMatchObject({ success: true, data: { cancelled: true } });
    check(client);
  });

  it("runs a tool of the host for the model", async () => {
    const client = await start("--no-session");
    const tool = { name: "my_tool", description: "Mine", parameters: { type: "object", properties: {} } };
    await data(client, z.object({ toolNames: z.array(z.string()).length(1) }), "set_host_tools", { tools: [tool] });
    await data(client, z.object({ schemes: z.array(z.string()) }), "set_host_uri_schemes", {
      schemes: [{ scheme: "DB" }],
    });
    const done = run(client, "[[dyntool]] call it");
    const call = await client.waitFor(({ type }) => type === "host_tool_call");
    client.send({
      type: "host_tool_result",
      id: call.id as string,
      result: { content: [{ type: "text", text: "lamp on" }] },
    });
    const told = await done;
    expect(JSON.stringify(told.find(({ type }) => type === "tool_execution_end"))).toContain("lamp on");
    check(client);
  });

  it("asks before it writes, by a dialog that says what for", async () => {
    const client = await start("--no-session");
    await data(client, z.undefined(), "set_mode", { mode: "ask" });
    const done = run(client, `[[writeto:${join(folder, "work", "asked.txt")}]] write`);
    const dialog = await client.waitFor(({ type }) => type === "extension_ui_request");
    const approval = z.looseObject({
      toolCallId: z.string(),
      toolName: z.string(),
      args: z.unknown(),
      actions: z.array(z.unknown()).min(1),
    });
    z.looseObject({
      id: z.string(),
      method: z.literal("select"),
      title: z.string(),
      options: z.array(z.string()),
      approval,
    }).parse(dialog);
    client.send({ type: "extension_ui_response", id: dialog.id as string, value: "Allow once" });
    await done;
    expect(readdirSync(join(folder, "work"))).toContain("asked.txt");
    check(client);
  });

  it("goes by gates in an unattended run, and keeps the model to its list", async () => {
    const client = await start();
    await data(client, z.undefined(), "set_mode", { mode: "ask" });
    const budget = { max_tokens: 1e6, max_tool_calls: 2, max_wall_time_ms: 6e5, max_cost_usd: 5 };
    const declaration = { actor: "t", budget, scopes: ["prompt"], action_allowlist: ["file.write"] };
    const accepted = z.looseObject({ run_id: z.string(), actor: z.string(), accepted_at: z.string() });
    await data(client, accepted, "negotiate_unattended", { declaration });
    expect(await ask(client, "get_state")).toMatchObject({ success: false, error: { code: "scope_denied" } });
    const done = run(client, `[[writeto:${join(folder, "work", "gated.txt")}]] write`);
    const gate = await client.waitFor(({ type }) => type === "workflow_gate");
    const option = z.looseObject({ label: z.string() });
    z.looseObject({
      gate_id: z.string().regex(/^wg_[0-9a-f]{8}_[a-z-]+_\d{6}$/),
      stage: z.string(),
      kind: z.enum(["question", "approval", "execution"]),
      schema: z.looseObject({}),
      schema_hash: z.string().length(64),
      created_at: z.iso.datetime(),
      options: z.array(option),
    }).parse(gate);
    const answer = { gate_id: gate.gate_id as string, answer: { decision: "approve" } };
    await data(client, z.looseObject({ status: z.literal("accepted") }), "workflow_gate_response", answer);
    await done;
    expect(readdirSync(join(folder, "work"))).toContain("gated.txt");
    const told = await run(client, "[[touch]] run it");
    expect(JSON.stringify(told)).toContain("not on its list of actions");
    expect(readdirSync(join(folder, "work"))).not.toContain("touched.txt");
    await run(client, "[[touch]] once more");
    expect(await ask(client, "prompt", { message: "more" })).toMatchObject({
      error: { code: "budget_exceeded", metric: "tool_calls" },
    });
    check(client);
  });

  it("shows a gate again after a kill, and tells the model what was answered", async () => {
    const client = await start();
    await data(client, z.undefined(), "set_mode", { mode: "ask" });
    await data(client, z.undefined(), "set_workflow_gates", { enabled: true });
    const { sessionId } = await data(client, state, "get_state");
    await ask(client, "prompt", { message: `[[writeto:${join(folder, "work", "killed.txt")}]] write` });
    const gate = await client.waitFor(({ type }) => type === "workflow_gate");
    process.kill(-client.pid, "SIGKILL");
    await client.exit;

    const again = await start("--resume", sessionId);
    const shown = await again.waitFor(({ type }) => type === "workflow_gate");
    expect(shown).toEqual(gate);
    const gates = z.object({ gates: z.array(z.looseObject({ gate_id: z.literal(gate.gate_id as string) })).length(1) });
    await data(again, gates, "get_pending_workflow_gates");
    const answer = { gate_id: gate.gate_id as string, answer: { decision: "approve" }, idempotency_key: "once" };
    const first = await data(again, z.looseObject({ status: z.literal("accepted") }), "workflow_gate_response", answer);
    expect(await data(again, z.looseObject({}), "workflow_gate_response", answer)).toEqual(first);
    const told = await again.waitFor((frame) => JSON.stringify(eventOf(frame)).includes("The answer has come now"));
    expect(eventOf(told)).toMatchObject({ type: "message_start" });
    await again.waitFor((frame) => eventOf(frame).type === "agent_settled");
    check(again);
  });

  it("ends with its input: exit 0, nothing on stdout but frames", async () => {
    const client = await start();
    await ask(client, "prompt", { message: "[[slow:200:20]] go" });
    await client.waitFor((frame) => eventOf(frame).type === "message_update");
    client.sendText("this is no JSON");
    client.sendText('{"id":"x","type":"prompt","message":"a\u2028b","streamingBehavior":"followUp"}');
    await client.waitFor((frame) => frame.id === "x");
    client.hangUp();
    expect(await client.exit).toEqual({ code: 0, signal: null });
    check(client);
  });
});

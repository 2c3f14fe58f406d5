import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bash, compaction, level, message, model, phases, state, stats } from "./testing/frames.ts";
import { World } from "./testing/world.ts";

const nothing = z.undefined();
const cancelled = z.strictObject({ cancelled: z.literal(false) });
const started = z.strictObject({ disposition: z.literal("started") });
const queued = z.strictObject({ disposition: z.literal("queued") });
const lastText = z.strictObject({ text: z.string().nullable() });
const branchMessages = z.strictObject({
  messages: z.array(z.strictObject({ entryId: z.string(), text: z.string() })),
});

describe("a strict client of the protocol completes its scenarios", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.make();
  });
  afterEach(async () => expect(await world.stopAndListInvalid()).toEqual([]));
  afterAll(() => world.close());

  it("state", async () => {
    const client = await world.start();
    const first = await client.ask(state, "get_state");
    expect(first).toMatchObject({ isStreaming: false, messageCount: 0, model: { id: "one" } });
    expect(first).not.toHaveProperty("dumpTools");
    const full = await client.ask(state, "get_state", { include: ["tools", "systemPrompt"] });
    expect(full.dumpTools?.map(({ name }) => name)).toContain("read");
    expect(full.systemPrompt?.length).toBeGreaterThan(0);
    for (const mode of ["all", "one-at-a-time"]) {
      await client.ask(nothing, "set_steering_mode", { mode });
      await client.ask(nothing, "set_follow_up_mode", { mode });
    }
    await client.ask(nothing, "set_interrupt_mode", { mode: "wait" });
    await client.ask(nothing, "set_auto_compaction", { enabled: false });
    await client.ask(nothing, "set_auto_retry", { enabled: false });
    await client.ask(nothing, "abort_retry");
    await client.ask(nothing, "set_session_name", { name: "named" });
    expect(await client.expectRefusal("set_session_name", { name: " " })).toBe("Session name cannot be empty");
    const tasks = [{ id: "task-1", content: "a", status: "pending", notes: "n", details: "d" }];
    const todos = z.strictObject({ todoPhases: phases });
    await client.ask(todos, "set_todos", { phases: [{ id: "phase-1", name: "Todos", tasks }] });
    expect(await client.ask(state, "get_state")).toMatchObject({
      sessionName: "named",
      interruptMode: "wait",
      steeringMode: "one-at-a-time",
      autoCompactionEnabled: false,
      todoPhases: [{ id: "phase-1", name: "Todos", tasks }],
    });
    expect(await client.ask(todos, "set_todos", { phases: [] })).toEqual({ todoPhases: [] });
  });

  it("accepts the flags that clients pass, known or unknown", async () => {
    const folder = join(world.folder, "elsewhere");
    const flags = ["--session-dir", folder, "--thinking", "high", "--append-system-prompt", "extra"];
    const foreign = [
      "--provider-session-id",
      "p-1",
      "--tools",
      "read,edit,write",
      "--no-skills",
      "--no-rules",
      "--foo",
      "bar",
    ];
    const client = await world.start([...flags, ...foreign]);
    await client.run("[[text]] hello");
    const now = await client.ask(state, "get_state", { include: ["tools", "systemPrompt"] });
    expect(now.thinkingLevel).toBe("high");
    expect(now.sessionFile?.startsWith(folder)).toBe(true);
    expect(now.dumpTools?.map(({ name }) => name).sort()).toEqual(["edit", "read", "write"]);
    expect(now.systemPrompt?.join("\n")).toContain("extra");
    expect(client.process.stderr()).toContain("Ignored --foo bar");
    const bare = await world.start(["--no-tools", "--no-session"]);
    expect(await bare.ask(state, "get_state", { include: ["systemPrompt"] })).not.toHaveProperty("sessionFile");
  });

  it("prompt: the response comes before the events, and the next prompt is accepted at once", async () => {
    const client = await world.start();
    const events = await client.run("[[think]] please");
    const kinds = client.process.frames.map(({ type }) => type);
    expect(kinds.indexOf("response")).toBeLessThan(kinds.indexOf("event"));
    const order = [
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_update",
      "turn_end",
      "agent_end",
    ];
    const places = order.map((type) => events.findIndex((event) => event.type === type));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (let n = 0; n < 3; n += 1) await client.run(`[[say:answer ${n}]] again`);
    expect(await client.ask(lastText, "get_last_assistant_text")).toEqual({ text: "answer 2" });
    const { messages } = await client.ask(z.strictObject({ messages: z.array(message) }), "get_messages");
    expect(messages).toHaveLength(8);
    const ends = client.events().filter(({ type }) => type === "agent_end");
    expect(ends.map(({ messages }) => (messages as unknown[]).length)).toEqual([2, 2, 2, 2]);
  });

  it("reports a failed and a successful attempt as one run", async () => {
    const client = await world.start();
    const events = await client.run("[[err503once]] go");
    const kinds = events.map(({ type }) => type).filter((type) => /^(agent|auto)_(start|end|retry)/.test(type));
    expect(kinds).toEqual(["agent_start", "auto_retry_start", "auto_retry_end", "agent_end"]);
    expect((await client.ask(lastText, "get_last_assistant_text")).text).toContain("Recovered");
    await client.event(({ type }) => type === "agent_settled");
  });

  it("steer and follow_up, during a run and before one", async () => {
    const client = await world.start();
    await client.prompt("[[slow:60:20]] go");
    await client.event(({ type }) => type === "message_update");
    expect(await client.expectRefusal("prompt", { message: "no" })).toContain("already processing");
    await client.ask(queued, "steer", { message: "[[say:steered]] turn" });
    await client.ask(queued, "follow_up", { message: "[[say:followed]] then" });
    await client.waitUntilIdle();
    expect(await client.ask(lastText, "get_last_assistant_text")).toEqual({ text: "followed" });
    await client.event(({ type }) => type === "agent_settled");

    await client.ask(queued, "steer", { message: "nudge" });
    await client.ask(queued, "follow_up", { message: "[[say:later]] later" });
    expect(await client.ask(state, "get_state")).toMatchObject({ isStreaming: false, queuedMessageCount: 2 });
    await client.ask(nothing, "abort");
    await client.prompt("[[say:pong]] hello", {}, "abort_and_prompt");
    await client.waitUntilIdle();
    expect(await client.ask(lastText, "get_last_assistant_text")).toEqual({ text: "later" });
    await client.ask(queued, "follow_up", { message: "left out" });
    const texts = z.strictObject({ steering: z.array(z.string()), followUp: z.array(z.string()) });
    expect(await client.ask(texts, "clear_queue")).toEqual({ steering: [], followUp: ["left out"] });
  });

  it("abort, at any time", async () => {
    const client = await world.start();
    await client.ask(nothing, "abort");
    for (const prompt of ["[[slow:400:20]] go", "[[hang]] never", "[[err503]] in vain"]) {
      await client.prompt(prompt);
      if (prompt.includes("slow")) await client.event(({ type }) => type === "message_update");
      if (prompt.includes("err503")) await client.event(({ type }) => type === "auto_retry_start");
      await client.ask(nothing, "abort");
      await client.waitUntilIdle();
    }
    await client.prompt("[[slow:400:20]] go");
    await client.ask(started, "abort_and_prompt", { message: "[[say:instead]] this" });
    client.scheduled += 1;
    await client.waitUntilIdle();
    expect(await client.ask(lastText, "get_last_assistant_text")).toEqual({ text: "instead" });
    await client.prompt("[[slow:400:20]] go");
    await client.ask(cancelled, "new_session");
    await client.waitUntilIdle();
  });

  it("bash and abort_bash", async () => {
    const client = await world.start();
    expect(await client.ask(bash, "bash", { command: "echo hi; exit 3" })).toMatchObject({
      output: "hi\n",
      exitCode: 3,
    });
    const long = client.send("bash", { command: "echo begun; sleep 600" });
    await client.event(({ type, delta }) => type === "bash_execution_update" && String(delta).includes("begun"));
    await client.ask(state, "get_state");
    await client.ask(nothing, "abort_bash");
    expect(bash.parse((await long.response).data)).toMatchObject({ cancelled: true });
    await client.run("[[text]] what was it?");
    expect(JSON.stringify(world.model.requests().at(-1))).toContain("begun");
  });

  it("reports background jobs after their run, and stop_job ends one", async () => {
    const client = await world.start(["--permission-mode", "full-auto"]);
    await client.run("[[background:300]] go");
    const job = await client.event(({ type }) => type === "job_started");
    expect(job).toMatchObject({ jobId: "job-1", toolCallId: expect.any(String) });
    const stopped = z.strictObject({ stopped: z.boolean() });
    expect(await client.ask(stopped, "stop_job", { jobId: "job-1" })).toEqual({ stopped: true });
    expect(await client.event(({ type }) => type === "job_ended")).toMatchObject({
      jobId: "job-1",
      status: "cancelled",
    });
    expect(await client.ask(stopped, "stop_job", { jobId: "job-1" })).toEqual({ stopped: false });
    expect(await client.ask(stopped, "stop_job", { jobId: "job-9" })).toEqual({ stopped: false });
  });

  it("compact, even for a short conversation, and handoff", async () => {
    const client = await world.start();
    expect(await client.expectRefusal("compact")).toBe("Nothing to compact (session too small)");
    expect(await client.expectRefusal("handoff")).toContain("Nothing to hand off");
    await client.run("[[say:hello]] hi");
    const result = await client.ask(compaction, "compact", { customInstructions: "Be short." });
    expect(result.tokensBefore).toBeGreaterThan(0);
    expect(client.events().map(({ type }) => type)).toEqual(
      expect.arrayContaining(["compaction_start", "compaction_end"]),
    );
    await client.run("[[say:on]] continue");
    const before = await client.ask(state, "get_state");
    await client.ask(z.strictObject({ savedPath: z.string().optional() }), "handoff");
    const after = await client.ask(state, "get_state");
    expect(after.sessionId).not.toBe(before.sessionId);
    expect(after.messageCount).toBe(1);
    await client.run("[[say:there]] and on");
  });

  it("models and thinking", async () => {
    const client = await world.start();
    const { models } = await client.ask(z.strictObject({ models: z.array(model) }), "get_available_models");
    expect(models.map(({ id }) => id)).toEqual(["one", "two"]);
    expect(await client.ask(model, "set_model", { provider: "scripted", modelId: "two" })).toMatchObject({ id: "two" });
    expect(await client.expectRefusal("set_model", { provider: "a", modelId: "b" })).toBe("Model not found: a/b");
    const cycled = z.strictObject({ model, thinkingLevel: level, isScoped: z.boolean() });
    expect((await client.ask(cycled, "cycle_model")).model.id).toBe("one");
    await client.ask(nothing, "set_thinking_level", { level: "low" });
    await client.ask(nothing, "set_thinking_level", { level: "inherit" });
    expect(await client.ask(state, "get_state")).toMatchObject({ thinkingLevel: "low", model: { id: "one" } });
    expect(await client.ask(z.strictObject({ level }), "cycle_thinking_level")).toEqual({ level: "medium" });
    await client.ask(z.strictObject({ levels: z.array(level).min(2) }), "get_available_thinking_levels");
    const single = await world.start(["--models", "scripted/one"]);
    await single.ask(cycled.nullable(), "cycle_model");
  });

  it("branch, clone and switch; stats; export", async () => {
    const client = await world.start(["--permission-mode", "full-auto"]);
    await client.run("[[text]] one");
    await client.run("[[bash]] two", { images: [] });
    const first = await client.ask(state, "get_state");
    const { messages } = await client.ask(branchMessages, "get_branch_messages");
    expect(messages.map(({ text }) => text)).toEqual(["[[text]] one", "[[bash]] two"]);
    const branched = z.strictObject({ text: z.string(), cancelled: z.literal(false) });
    expect(await client.ask(branched, "branch", { entryId: messages[1]?.entryId })).toMatchObject({
      text: "[[bash]] two",
    });
    expect(await client.expectRefusal("branch", { entryId: "none" })).toContain("none");
    expect((await client.ask(branchMessages, "get_fork_messages")).messages).toHaveLength(1);
    const branch = await client.ask(state, "get_state");
    await client.ask(cancelled, "clone");
    const clone = await client.ask(state, "get_state");
    expect(clone.messageCount).toBe(branch.messageCount);
    expect(new Set([first, branch, clone].map(({ sessionId }) => sessionId)).size).toBe(3);
    await client.ask(cancelled, "new_session", { parentSession: first.sessionFile });
    await client.ask(cancelled, "switch_session", { sessionPath: first.sessionFile });
    expect(await client.expectRefusal("switch_session", { sessionPath: "/none.jsonl" })).toContain("/none.jsonl");
    expect(await client.ask(state, "get_state")).toMatchObject({ sessionId: first.sessionId });
    const moved = z.strictObject({ text: z.string(), summary: z.string().min(1), cancelled: z.literal(false) });
    const entryId = messages[1]?.entryId;
    expect((await client.ask(moved, "navigate_tree", { entryId, summarize: true })).text).toBe("[[bash]] two");
    expect(await client.expectRefusal("navigate_tree", { entryId: "nowhere" })).toContain("nowhere");
    await client.run("[[bash]] two");
    await client.run("[[text]] three");
    expect(client.process.frames.findLast(({ type }) => type === "event")?.session_id).toBe(first.sessionId);
    expect(await client.ask(stats, "get_session_stats")).toMatchObject({
      userMessages: 3,
      toolCalls: 1,
      toolResults: 1,
    });
    for (const outputPath of [join(world.folder, "out.html"), undefined]) {
      const { path } = await client.ask(z.strictObject({ path: z.string() }), "export_html", { outputPath });
      expect(readFileSync(path, "utf8")).toContain("<html");
    }
    const entry = z.looseObject({ id: z.string(), parentId: z.string().nullable(), type: z.string() });
    const log = z.strictObject({ entries: z.array(entry), leafId: z.string() });
    const { entries } = await client.ask(log, "get_entries");
    expect((await client.ask(log, "get_entries", { since: entries[0]?.id })).entries).toHaveLength(entries.length - 1);
    await client.ask(
      z.strictObject({ tree: z.array(z.looseObject({ entry })).min(1), leafId: z.string() }),
      "get_tree",
    );
  });

  it("host tools, which need no approval, and their cancellation", async () => {
    let calls = 0;
    const tools = {
      my_tool: async (args: object, { update }: { update(text: string): void }) => {
        calls += 1;
        update("work");
        update("working");
        if (calls === 1) return `lamp on ${JSON.stringify(args)}`;
        return await new Promise<string>(() => undefined);
      },
    };
    const client = await world.start([], { tools });
    const parameters = { type: "object", properties: { a: { type: "number" } } };
    const tool = { name: "my_tool", label: null, description: "Mine", parameters, hidden: false };
    const named = z.strictObject({ toolNames: z.array(z.string()) });
    expect(await client.ask(named, "set_host_tools", { tools: [tool] })).toEqual({ toolNames: ["my_tool"] });
    const events = await client.run("[[dyntool]] call it");
    expect(events.filter(({ type }) => type === "tool_execution_update").map(({ delta }) => delta)).toEqual([
      "work",
      "ing",
    ]);
    const end = events.find(({ type }) => type === "tool_execution_end");
    expect(end?.result).toMatchObject({ content: [{ type: "text", text: 'lamp on {"a":1}' }] });
    await client.prompt("[[dyntool]] call it");
    await client.wait(({ type, id }) => type === "host_tool_call" && id === "host_2");
    await client.ask(nothing, "abort");
    expect(await client.wait(({ type }) => type === "host_tool_cancel")).toMatchObject({ targetId: "host_2" });
    await client.waitUntilIdle();
    expect(await client.ask(named, "set_host_tools", { tools: [] })).toEqual({ toolNames: [] });
  });

  it("host URIs, read and written by the model's own tools", async () => {
    const rows = new Map([["db://users/42", "name=Alice\n"]]);
    const db = {
      read: (url: string) => rows.get(url) ?? "",
      write: (url: string, content: string) => void rows.set(url, content),
    };
    const client = await world.start([], { uris: { db } });
    const schemes = [{ scheme: "DB", writable: true, immutable: false }];
    expect(
      await client.ask(z.strictObject({ schemes: z.array(z.string()) }), "set_host_uri_schemes", { schemes }),
    ).toEqual({
      schemes: ["db"],
    });
    expect(JSON.stringify(await client.run("[[read:db://users/42]] read"))).toContain("name=Alice");
    await client.run("[[writeto:db://users/43]] write");
    expect(rows.get("db://users/43")).toBe("written there\n");
    expect(await client.expectRefusal("set_host_uri_schemes", { schemes: [{ scheme: "skill" }] })).toContain(
      "reserved",
    );
  });

  it("gates: questions and approvals, with an invalid answer first and by policy afterwards", async () => {
    let wrongFirst = true;
    const gate = ({ kind, options }: Record<string, unknown>) => {
      if (kind === "approval") return { decision: "approve" };
      return { selected: (options as string[]).slice(0, 1), other: false };
    };
    const client = await world.start([], { gate: (shown) => (wrongFirst ? "nonsense" : gate(shown)) });
    const budget = { max_tokens: 1e6, max_tool_calls: 4, max_wall_time_ms: 6e5, max_cost_usd: 5 };
    const scopes = ["prompt", "message:read"];
    const declaration = { actor: "a policy", budget, scopes, action_allowlist: ["file.write"] };
    const accepted = z.strictObject({
      run_id: z.string(),
      actor: z.string(),
      budget: z.strictObject({
        max_tokens: z.number(),
        max_tool_calls: z.number(),
        max_wall_time_ms: z.number(),
        max_cost_usd: z.number(),
      }),
      scopes: z.array(z.string()),
      action_allowlist: z.array(z.string()),
      accepted_at: z.iso.datetime(),
    });
    expect(
      await client.expectRefusal("negotiate_unattended", { declaration: { ...declaration, budget: {} } }),
    ).toMatchObject({
      code: expect.stringMatching(/budget|declaration/),
    });
    expect(await client.ask(accepted, "negotiate_unattended", { declaration })).toMatchObject({ budget, scopes });
    await client.prompt(`[[writeto:${join(world.work, "gated.txt")}]] write`);
    const rejected = await client.wait(
      ({ command, data }) =>
        command === "workflow_gate_response" && (data as { status?: string } | undefined)?.status === "rejected",
    );
    expect(rejected.data).toMatchObject({ error: { code: "invalid_workflow_gate_answer" } });
    wrongFirst = false;
    const pending = z.strictObject({ gates: z.array(z.looseObject({ gate_id: z.string() })).length(1) });
    const { gates } = await client.ask(pending, "get_pending_workflow_gates");
    const answer = { gate_id: gates[0]?.gate_id, answer: { decision: "approve" }, idempotency_key: "k" };
    const resolution = z.strictObject({
      gate_id: z.string(),
      status: z.literal("accepted"),
      answer_hash: z.string(),
      resolved_at: z.iso.datetime(),
    });
    const once = await client.ask(resolution, "workflow_gate_response", answer);
    expect(await client.ask(resolution, "workflow_gate_response", answer)).toEqual(once);
    expect(
      await client.expectRefusal("workflow_gate_response", { ...answer, answer: { decision: "deny" } }),
    ).toMatchObject({
      code: "idempotency_conflict",
    });
    expect(await client.expectRefusal("workflow_gate_response", { gate_id: "none", answer: 1 })).toMatchObject({
      code: "unknown_gate",
    });
    await client.waitUntilIdle();
    expect(existsSync(join(world.work, "gated.txt"))).toBe(true);
    await client.run("[[ask]] which colour?");
    expect(await client.expectRefusal("bash", { command: "ls" })).toMatchObject({
      code: "scope_denied",
      scope: "bash",
    });
    expect(JSON.stringify(await client.run("[[touch]] run it"))).toContain("not on its list of actions");
    expect(existsSync(join(world.work, "touched.txt"))).toBe(false);
    await client.run("[[multi]] more than is left");
    expect(await client.expectRefusal("prompt", { message: "more" })).toMatchObject({
      code: "budget_exceeded",
      metric: "tool_calls",
    });
  });

  it("dialogs: approvals and questions, answered or cancelled", async () => {
    let answering = true;
    const ui = ({ method, options }: Record<string, unknown>) => {
      if (method !== "select") return undefined;
      return answering ? { value: (options as string[])[0] } : { cancelled: true };
    };
    const client = await world.start([], { ui });
    await client.run(`[[writeto:${join(world.work, "allowed.txt")}]] write`);
    expect(existsSync(join(world.work, "allowed.txt"))).toBe(true);
    expect(JSON.stringify(await client.run("[[ask]] which colour?"))).toContain("Red");
    answering = false;
    await client.run(`[[writeto:${join(world.work, "refused.txt")}]] write`);
    expect(existsSync(join(world.work, "refused.txt"))).toBe(false);
    await client.run("[[ask]] which colour?");
  });

  it("skills as commands; errors carry the id and name of the command", async () => {
    const skill = join(world.work, ".gantry", "skills", "lamps");
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, "SKILL.md"), "---\ndescription: About lamps\n---\nLamps are lit at dusk.\n");
    const client = await world.start();
    const command = z.strictObject({ name: z.string(), description: z.string(), source: z.string(), path: z.string() });
    const { commands } = await client.ask(z.strictObject({ commands: z.array(command) }), "get_commands");
    expect(commands).toEqual([
      { name: "skill:lamps", description: "About lamps", source: "skill", path: join(skill, "SKILL.md") },
    ]);
    await client.run("/skill:lamps [[text]] light it");
    expect(JSON.stringify(world.model.requests().at(-1))).toContain("Lamps are lit at dusk.");
    expect(await client.expectRefusal("no_such")).toBe("Unknown command: no_such");
    for (const name of ["prompt", "set_model", "branch", "bash", "login"]) {
      expect(await client.expectRefusal(name)).toContain(`Invalid ${name}`);
    }
    const provider = z.strictObject({
      id: z.string(),
      name: z.string(),
      available: z.boolean(),
      authenticated: z.boolean(),
    });
    await client.ask(z.strictObject({ providers: z.array(provider).min(1) }), "get_login_providers");
    expect(await client.expectRefusal("login", { providerId: "missing" })).toBe("Unknown OAuth provider: missing");
    client.process.sendText("{broken");
    client.process.sendText('[]\n"x"\nnull');
    await client.ask(state, "get_state");
  });
});

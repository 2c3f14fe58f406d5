import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentOptions } from "./options.ts";
import { type StartedAgent, startAgent } from "./start-agent.ts";
import { lastResult, type QueuedModel, startQueuedModel } from "./testing/queued-model.fake.ts";

let home: string;
let cwd: string;
let agentDir: string;
let model: QueuedModel;
const started: StartedAgent[] = [];

beforeEach(async () => {
  // Not where temporary files are: those may be written in every mode but plan.
  home = mkdtempSync(join(realpathSync("/var/tmp"), "gantry-equip-"));
  cwd = join(home, "project");
  agentDir = join(home, "agent");
  for (const folder of [cwd, agentDir]) mkdirSync(folder);
  model = await startQueuedModel();
  const row = (id: string) => `      - { id: ${id}, contextWindow: 200000, maxTokens: 8192 }\n`;
  writeFileSync(
    join(agentDir, "models.yml"),
    `providers:\n  queued:\n    baseUrl: ${model.url}\n    api: openai-completions\n    auth: none\n    models:\n${["plain", "gpt-9", "tiny"].map(row).join("")}`,
  );
});
afterEach(async () => {
  for (const agent of started.splice(0)) await end(agent);
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

async function start(more: Partial<AgentOptions> = {}, config = ""): Promise<StartedAgent & { events: AgentEvent[] }> {
  writeFileSync(join(agentDir, "config.yml"), config);
  const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir };
  const agent = await startAgent({ env, home, cwd, model: "queued/plain", mode: "full-auto", ...more });
  started.push(agent);
  const events: AgentEvent[] = [];
  agent.session.subscribe((event) => events.push(event));
  return { ...agent, events };
}

async function end({ session, registry, credentials }: StartedAgent): Promise<void> {
  await session.dispose();
  registry.close();
  credentials.close();
}

async function sendPrompt({ session }: StartedAgent, text = "go"): Promise<string | null> {
  await session.prompt(text);
  await session.waitUntilSettled();
  return session.lastAssistantText();
}

const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, args }] });
const js = (code: string) => call("eval", { cells: [{ language: "js", code, timeout: 60 }] });
const offeredNames = (nth: number) => model.asked.at(nth)?.tools?.map(({ function: each }) => each.name) ?? [];
const descriptionOf = (name: string) =>
  model.asked.at(-1)?.tools?.find(({ function: each }) => each.name === name)?.function.description ?? "";
const results = () => lastResult(model.asked.at(-1)!);

describe("editing", () => {
  const config = 'edit:\n  mode: replace\n  modes:\n    "gpt-*": apply_patch\n    queued/tiny: hashline\n';

  it("uses the edit mode that the settings assign to the model, also after a model change", async () => {
    writeFileSync(join(cwd, "a.ts"), "one\ntwo\n");
    const agent = await start({}, config);
    model.queue(
      call("read", { path: "a.ts" }),
      call("edit", { path: "a.ts", edits: [{ old_text: "two", new_text: "2" }] }),
    );
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "a.ts"), "utf8")).toBe("one\n2\n");
    expect(JSON.stringify(model.asked[1]?.messages)).not.toMatch(/\d[a-z]{2}\|one/);
    await agent.session.setModel("queued", "gpt-9");
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n one\n-2\n+zwei\n*** End Patch";
    model.queue(call("edit", { input: patch }));
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "a.ts"), "utf8")).toBe("one\nzwei\n");
    expect(descriptionOf("edit")).toContain("*** Begin Patch");
    await agent.session.setModel("queued", "tiny");
    model.queue(call("read", { path: "a.ts" }), (body) => {
      const [, anchor] = /(\d+[a-z]{2})\|zwei/.exec(lastResult(body)) ?? [];
      return call("edit", { input: `§a.ts\n≔${anchor}\nthree` });
    });
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "a.ts"), "utf8")).toBe("one\nthree\n");
  });
});

describe("code in a cell", () => {
  it("calls other tools and publishes their events", async () => {
    writeFileSync(join(cwd, "a.txt"), "a heron\n");
    const agent = await start();
    model.queue(
      js(`const text = await tool.read({ path: "a.txt" });
await tool.write({ path: "b.txt", content: String(text.includes("heron")) });
try { await tool.read({ path: "nowhere" }) } catch (error) { console.log("failed:", error.message) }
try { await tool.eval({ cells: [] }) } catch (error) { console.log(error.message) }
try { await tool.nothing() } catch (error) { console.log(error.message) }`),
    );
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("true");
    expect(results()).toContain("failed:");
    expect(results()).toContain("eval cannot call itself.");
    expect(results()).toContain('There is no tool named \\"nothing\\"'.replaceAll("\\", ""));
    const starts = agent.events.flatMap((each) => (each.type === "tool_execution_start" ? [each.toolName] : []));
    expect(starts).toEqual(["eval", "read", "write", "read", "nothing"]);
    const open = agent.events.filter((each) => each.type === "tool_execution_end");
    expect(open).toHaveLength(starts.length);
  });

  it("has no more permissions than the model", async () => {
    const asked: string[] = [];
    const person: AgentOptions["person"] = {
      approve: async ({ toolName }) => {
        asked.push(toolName);
        return toolName === "eval" ? { decision: "once" } : { decision: "deny", reason: "Not that file." };
      },
      ask: async () => undefined,
    };
    const agent = await start({ mode: "ask", person });
    model.queue(
      js(`try { await tool.write({ path: "b.txt", content: "x" }) } catch (error) { console.log(error.message) }`),
    );
    await sendPrompt(agent);
    expect(asked).toEqual(["eval", "write"]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
    expect(results()).toContain("The user declined this call. Not that file.");
  });

  it("is checked by the guard like the model's calls", async () => {
    const calls: string[] = [];
    const agent = await start({
      guard: {
        beforeRequest: () => ({}),
        beforeTool: (name) => {
          calls.push(name);
          return name === "write" ? { refused: "No more calls.", stop: true } : {};
        },
        recordUsage: () => undefined,
      },
    });
    model.queue(
      js(`await tool.write({ path: "b.txt", content: "x" }); await tool.write({ path: "c.txt", content: "x" })`),
    );
    await sendPrompt(agent);
    expect(calls).toEqual(["eval", "write"]);
    expect(agent.events.at(-1)).toMatchObject({ type: "agent_settled", reason: "budget" });
    expect(existsSync(join(cwd, "c.txt"))).toBe(false);
  });

  it("is offered in the enabled languages only", async () => {
    const agent = await start({}, "eval: { py: false }\n");
    model.queue(call("eval", { cells: [{ language: "py", code: "1" }] }));
    await sendPrompt(agent);
    expect(results()).toContain("py cells are disabled here; available: js.");
    await end(started.pop()!);
    await sendPrompt(await start({}, "eval: { py: false, js: false }\n"));
    expect(offeredNames(-1)).not.toContain("eval");
  });
});

describe("a job in the background", () => {
  it("that ends while the session is idle is reported to clients at once and to the model with the next message", async () => {
    const agent = await start();
    const ended = new Promise<AgentEvent>((resolve) =>
      agent.session.subscribe((each) => each.type === "notice" && each.source === "job" && resolve(each)),
    );
    model.queue(call("bash", { command: "until [ -e go ]; do sleep 0.05; done; echo the heron", async: true }));
    await sendPrompt(agent);
    expect(agent.session.state().isStreaming).toBe(false);
    const before = model.asked.length;
    writeFileSync(join(cwd, "go"), "");
    expect(await ended).toMatchObject({ level: "info", message: expect.stringContaining("the heron") });
    expect(agent.session.state()).toMatchObject({ isStreaming: false, queuedMessageCount: 0 });
    expect(model.asked).toHaveLength(before);
    await sendPrompt(agent, "and now?");
    const [note, prompt] = model.asked.at(-1)?.messages.slice(-2) ?? [];
    expect(JSON.stringify(note)).toContain("A background job has ended. job-1: done");
    expect(JSON.stringify(prompt)).toContain("and now?");
    await sendPrompt(agent, "again");
    expect(JSON.stringify(model.asked.at(-1)).match(/A background job/g)).toHaveLength(1);
  });
});

describe("marks and previews", () => {
  it("are offered if the settings enable them, and work with the real tools", async () => {
    writeFileSync(join(cwd, "a.txt"), "a very long file\n");
    await sendPrompt(await start());
    expect(offeredNames(-1)).not.toContain("checkpoint");
    const agent = await start({}, "checkpoint: { enabled: true }\n");
    model.queue(
      call("checkpoint", { goal: "what is in it" }),
      call("read", { path: "a.txt" }),
      call("write", { path: "b.txt", content: "stays" }),
      call("rewind", { report: "It is long." }),
    );
    await sendPrompt(agent);
    expect(offeredNames(-1)).toContain("rewind");
    expect(JSON.stringify(model.asked.at(-1))).toContain("It is long.");
    expect(JSON.stringify(model.asked.at(-1))).not.toContain("a very long file");
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("stays");
  });

  it("are decided one at a time, with the required permission", async () => {
    writeFileSync(join(cwd, "a.ts"), "foo(1);\nbar(2);\n");
    const asked: string[] = [];
    const person: AgentOptions["person"] = {
      approve: async ({ toolName, title, preview }) => {
        asked.push(`${toolName} ${title}: ${preview?.includes("+baz(1);")}`);
        return { decision: "once" };
      },
      ask: async () => undefined,
    };
    const agent = await start({ mode: "ask", person });
    const rewrite = (pat: string, out: string) => ({
      name: "ast_edit",
      args: { ops: [{ pat, out }], paths: ["a.ts"] },
    });
    const decide = (action: string) => call("resolve", { action, reason: "because" });
    model.queue(
      { calls: [rewrite("foo($X)", "baz($X)"), rewrite("bar($X)", "qux($X)")] },
      decide("apply"),
      decide("discard"),
    );
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "a.ts"), "utf8")).toBe("baz(1);\nbar(2);\n");
    expect(asked).toEqual(["resolve Apply ast_edit: 1 change in 1 file: true"]);
    expect(results()).toContain("Discarded: ast_edit: 1 change in 1 file. Reason: because");
    expect([-4, -3, -2, -1].map((nth) => offeredNames(nth).includes("resolve"))).toEqual([false, true, true, false]);
    model.queue(decide("apply"));
    await sendPrompt(agent);
    expect(results()).toContain("No pending action to resolve. Nothing to apply or discard.");
  });
});

describe("language servers", () => {
  it("format files and report diagnostics after writes, as configured", async () => {
    const program = join(import.meta.dirname, "../tools/lsp/testing/scripted-server.fake.ts");
    const row = { command: process.execPath, args: [program, "mine"], fileTypes: [".txt"], rootMarkers: ["marker"] };
    writeFileSync(join(cwd, "marker"), "one\n");
    writeFileSync(
      join(agentDir, "lsp.json"),
      JSON.stringify({ servers: { mine: { ...row, warmupTimeoutMs: 60_000 } } }),
    );
    const agent = await start({}, "edit: { mode: replace }\nlsp: { formatOnWrite: true }\n");
    // The first call starts the server, and does not wait long for it.
    model.queue(
      call("lsp", { action: "hover", file: "marker", line: 1 }),
      call("write", { path: "a.txt", content: "one two\n" }),
    );
    model.queue(
      call("lsp", { action: "hover", file: "a.txt", line: 1 }),
      call("write", { path: "b.txt", content: "one two\n" }),
    );
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("SHAPED two\n");
    expect(results()).toContain("mine formatted the file");
    expect(results()).toContain("b.txt:1:1: error: seen by mine (mine)");
    model.queue(call("edit", { path: "b.txt", edits: [{ old_text: "SHAPED two", new_text: "one three" }] }));
    await sendPrompt(agent);
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("SHAPED three\n");
    expect(results()).not.toContain("seen by mine");
  });
});

describe("a session that is opened again", () => {
  it("restores mode, model and thinking level, unless the caller sets others", async () => {
    const first = await start();
    await sendPrompt(first);
    await first.session.setModel("queued", "tiny");
    first.session.setMode("auto-edit");
    const { sessionId } = first.session.state();
    await end(started.pop()!);
    const again = await start({ resume: sessionId, model: undefined, mode: undefined });
    expect(again.session.state()).toMatchObject({ sessionId, mode: "auto-edit", model: { id: "tiny" } });
    await end(started.pop()!);
    const other = await start({ resume: sessionId, model: "queued/gpt-9", mode: "plan" });
    expect(other.session.state()).toMatchObject({ sessionId, mode: "plan", model: { id: "gpt-9" } });
    const { sessionFile } = other.session.state();
    await other.session.newSession();
    await other.session.switchSession(sessionFile ?? "");
    expect(other.session.state()).toMatchObject({ mode: "plan", model: { id: "gpt-9" } });
  });
});

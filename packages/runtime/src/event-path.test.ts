import fs, { mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { Database } from "./log/sqlite/database.ts";
import { MAX_LINES } from "./process/tail.ts";
import { TestDaemon } from "./test-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

const EVENTS = 8000;

/** An ACP agent that prints the updates of a file as fast as it can. */
const ACP_AGENT = `
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") write({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  if (method === "session/new") write({ id, result: { sessionId: "s" } });
  if (method !== "session/prompt") return;
  for (const update of require("./updates.json")) write({ method: "session/update", params: { sessionId: "s", update } });
  write({ id, result: { stopReason: "end_turn" } });
});
`;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

/** Calls that the tail of the agent's output makes for each chunk, not for each event. They open nothing. */
const CHUNK_READS = new Set(["read", "readSync", "fstat", "fstatSync"]);

/** Reports every call of `node:fs`, by name and first argument. */
function watchFiles(onCall: (name: string, path: string) => void): void {
  const functions = Object.entries(fs).filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name));
  for (const [name, original] of functions) {
    const replacement = function (this: unknown, ...args: unknown[]) {
      onCall(name, String(args[0]));
      return Reflect.apply(original as () => unknown, this, args);
    };
    Object.assign(fs, { [name]: Object.assign(replacement, original) });
  }
  syncBuiltinESMExports();
  undo.push(() => {
    Object.assign(fs, Object.fromEntries(functions));
    syncBuiltinESMExports();
  });
}

/** Reports every statement with the number of its transaction; 0 outside of any. */
function watchStatements(onStatement: (sql: string, transaction: number, values: unknown[]) => void): void {
  let [transactions, inside] = [0, 0];
  const transaction = Database.prototype.transaction;
  const spy = vi.spyOn(Database.prototype, "transaction").mockImplementation(function (this: Database, work) {
    inside = ++transactions;
    try {
      return transaction.call(this, work) as never;
    } finally {
      inside = 0;
    }
  });
  undo.push(() => spy.mockRestore());
  for (const method of ["all", "get", "run"] as const) {
    const original = Database.prototype[method] as (sql: string, ...values: never[]) => unknown;
    const replacement = function (this: Database, sql: string, ...values: never[]) {
      onStatement(sql, inside, values);
      return original.call(this, sql, ...values);
    };
    Object.assign(Database.prototype, { [method]: replacement });
    undo.push(() => Object.assign(Database.prototype, { [method]: original }));
  }
}

const OF_ITEMS = /^(tool|message\.done|reasoning|plan)/;

/** Counts what happens between the first item of a turn and the end of the turn. */
function watchPath() {
  const calls = new Map<string, number>();
  const commits = new Map<number, number>();
  const count = (name: string) => calls.set(name, (calls.get(name) ?? 0) + 1);
  const finished = Promise.withResolvers<void>();
  let [since, counting] = [0, false];
  watchFiles((name, path) => {
    if (!counting || CHUNK_READS.has(name)) return;
    if (!path.startsWith("/proc/")) count(name);
    // A timer lists the agent's descendants. Each list reads a file for every thread; only the lists are counted.
    else if (/^\/proc\/\d+\/task$/.test(path)) count("list of descendants");
  });
  watchStatements((sql, transaction, values) => {
    const types = /^INSERT (OR FAIL )?INTO events/.test(sql) ? values.filter((_, index) => index % 5 === 2) : [];
    if (since === 0 && types.some((type) => OF_ITEMS.test(String(type)))) [since, counting] = [performance.now(), true];
    if (!counting) return;
    if (transaction === 0) count(sql);
    commits.set(transaction, (commits.get(transaction) ?? 0) + types.length);
    if (!types.includes("turn.ended" as never)) return;
    counting = false;
    finished.resolve();
  });
  const seconds = () => (performance.now() - since) / 1000;
  return { calls, commits, seconds, finished: finished.promise };
}

/** A daemon with a local profile `busy`: an ACP agent that prints `updates`. */
async function startDaemon(updates: unknown[] = []): Promise<TestDaemon> {
  const daemon = await new TestDaemon().start();
  undo.push(() => daemon.dispose());
  const program = join(daemon.home, "agent.cjs");
  writeFileSync(program, ACP_AGENT);
  writeFileSync(join(daemon.home, "updates.json"), JSON.stringify(updates));
  const folder = join(daemon.home, "gantry", "agents");
  mkdirSync(folder, { recursive: true });
  const command = JSON.stringify([process.execPath, program]);
  writeFileSync(join(folder, "busy.yml"), `id: busy\nextends: acp\ncommand: ${command}\n`);
  return daemon;
}

async function requireNothingButCommits(daemon: TestDaemon, agent: string, prompt: string): Promise<void> {
  const { calls, commits, seconds, finished } = watchPath();
  const create = { agent, cwd: daemon.cwd, prompt, env: { MY_API_KEY: "k" } };
  await daemon.client.sessions.create(create);
  await finished;
  const total = [...commits.values()].reduce((sum, events) => sum + events, 0);
  expect(total).toBeGreaterThan(EVENTS / 2);
  expect(Math.max(...commits.values())).toBeLessThanOrEqual(2 * MAX_LINES);
  // Timers may run a few times a second. Whatever an event or a batch of them causes happens more often.
  const timers = Math.max(EVENTS / MAX_LINES / 3, 5 * seconds());
  expect([...calls].filter(([, times]) => times > timers)).toEqual([]);
}

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } });
const word = fc.string({ unit: "grapheme-ascii", maxLength: 40 });
const kind = fc.constantFrom("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other");
const status = fc.constantFrom("completed", "failed");
const diff = fc.record({ type: fc.constant("diff"), path: word, oldText: word, newText: word });
const content = fc.array(fc.oneof(word.map(text), diff), { maxLength: 2 });

/** What an agent prints for one item; `n` makes its ids unique. */
const updates: fc.Arbitrary<(n: number) => object[]> = fc
  .oneof(
    { weight: 5, arbitrary: fc.record({ title: word, kind, rawInput: fc.record({ command: word }), content, status }) },
    { weight: 1, arbitrary: word },
  )
  .map((item) => (n) => {
    if (typeof item === "string") {
      const chunk = { type: "text", text: item || "x" };
      return ["agent_message_chunk", "agent_thought_chunk"].map((sessionUpdate) => ({ sessionUpdate, content: chunk }));
    }
    const { status: end, content: printed, ...call } = item;
    const toolCallId = `call${n}`;
    return [
      { sessionUpdate: "tool_call", toolCallId, status: "in_progress", ...call },
      { sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", content: printed },
      { sessionUpdate: "tool_call_update", toolCallId, status: end, content: printed, rawOutput: { exitCode: n % 2 } },
    ];
  });

it("does nothing but commit for the events of an ACP agent from a local profile", async () => {
  const items = fc.sample(updates, EVENTS / 2);
  const daemon = await startDaemon(items.flatMap((item, n) => item(n)));
  await requireNothingButCommits(daemon, "busy", "go");
});

it.each(["scripted", "claude", "codex"])("does nothing but commit for the events of %s", async (agent) => {
  await requireNothingButCommits(await startDaemon(), agent, `[[burst:${EVENTS}]]`);
});
